package dev.medley.base.evaluation;

import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a classifier, class by class: precision, recall, F1 and support, with their means,
 * and what the samples of each class were taken for.
 *
 * @param confusion the counts from which all follows
 * @param threshold of the second of two classes where it is not the usual one half; null for none
 * @param classes in order
 * @param macro mean over the classes that occur, each counting alike
 * @param weighted mean over the classes by their support
 */
public record ClassResults(
        ConfusionMatrix confusion,
        @Nullable Double threshold,
        List<OfClass> classes,
        OfClass macro,
        OfClass weighted)
        implements EvaluationSection {
    public ClassResults {
        classes = List.copyOf(classes);
    }

    /**
     * The figures of one class; 0 where one divides by nothing.
     *
     * @param name of the class, or of the mean
     * @param support what its samples weigh
     */
    public record OfClass(
            String name, double precision, double recall, double f1, double support) {}

    /** All that follows from a matrix. */
    public static ClassResults of(ConfusionMatrix confusion, @Nullable Double threshold) {
        List<OfClass> classes = new ArrayList<>();
        for (int c = 0; c < confusion.classes().size(); c++) {
            double right = confusion.right(c);
            double support = confusion.support(c);
            double taken = confusion.takenFor(c);
            classes.add(
                    new OfClass(
                            confusion.classes().get(c),
                            part(right, taken),
                            part(right, support),
                            part(2 * right, support + taken),
                            support));
        }
        return new ClassResults(
                confusion,
                threshold,
                classes,
                mean("mean", classes, confusion, false),
                mean("weighted mean", classes, confusion, true));
    }

    private static double part(double of, double all) {
        return all > 0 ? of / all : 0;
    }

    /** Classes that neither occur nor are found do not count. */
    private static OfClass mean(
            String name, List<OfClass> classes, ConfusionMatrix confusion, boolean bySupport) {
        double weights = 0;
        double precision = 0;
        double recall = 0;
        double f1 = 0;
        double support = 0;
        for (int c = 0; c < classes.size(); c++) {
            OfClass one = classes.get(c);
            boolean counts = one.support() + confusion.takenFor(c) > 0;
            double weight = bySupport ? one.support() : counts ? 1 : 0;
            weights += weight;
            precision += weight * one.precision();
            recall += weight * one.recall();
            f1 += weight * one.f1();
            support += one.support();
        }
        return new OfClass(
                name, part(precision, weights), part(recall, weights), part(f1, weights), support);
    }

    @Override
    public String title() {
        return "Classes";
    }

    @Override
    public List<String> sentences() {
        return threshold == null
                ? List.of()
                : List.of(
                        "%s is said from a probability of %s on, as medley predict does."
                                .formatted(confusion.classes().get(1), Units.metric(threshold)));
    }

    @Override
    public List<ReportTable> tables() {
        List<List<String>> rows = new ArrayList<>();
        classes.forEach(one -> rows.add(row(one)));
        rows.add(row(macro));
        rows.add(row(weighted));
        List<String> heads = List.of("class", "precision", "recall", "F1", "support");
        return List.of(ReportTable.plain("Per class", heads, rows), confusion.table());
    }

    private static List<String> row(OfClass one) {
        return List.of(
                one.name(),
                Units.metric(one.precision()),
                Units.metric(one.recall()),
                Units.metric(one.f1()),
                ConfusionMatrix.spoken(one.support()));
    }
}
