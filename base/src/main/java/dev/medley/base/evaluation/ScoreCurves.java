package dev.medley.base.evaluation;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The curves of a binary classifier, all of which follow from how many samples of either class have
 * at least a probability. Areas, lifts and decisions are exact; the cuts, from which curves are
 * drawn, are some hundred of all. Samples count what they weigh.
 *
 * @param positive name of the second class, the positive one
 * @param positives what its samples weigh
 * @param negatives what the others weigh
 * @param auc area under the ROC curve
 * @param averagePrecision area under the precision-recall curve, without lines between points
 * @param decisions what thresholds give: the usual one, the best by each measure, the model's own
 * @param chosen the model's own threshold; null where it has none
 * @param lifts of the samples that score highest
 * @param cuts by falling probability, from nothing taken to all taken
 */
public record ScoreCurves(
        String positive,
        double positives,
        double negatives,
        double auc,
        double averagePrecision,
        List<Decision> decisions,
        @Nullable DecisionThreshold chosen,
        List<Lift> lifts,
        List<Cut> cuts)
        implements EvaluationSection {
    /** The usual threshold. */
    public static final String USUAL = "usual";

    /** The model's own threshold. */
    public static final String MODELS = "model's";

    public ScoreCurves {
        decisions = List.copyOf(decisions);
        lifts = List.copyOf(lifts);
        cuts = List.copyOf(cuts);
    }

    /**
     * What is taken for positive from a probability on.
     *
     * @param probability the least that is taken; above all of them where nothing is
     * @param truePositives positive samples among those taken
     * @param falsePositives negative samples among them
     */
    public record Cut(double probability, double truePositives, double falsePositives) {}

    /**
     * What one threshold gives.
     *
     * @param name {@link #USUAL}, {@link #MODELS}, or what it maximises
     * @param cut what is taken
     * @param precision part of those taken that is positive; 0 where nothing is taken
     * @param recall part of the positive that is taken
     * @param f1 harmonic mean of the two
     * @param accuracy part that is right
     * @param youden recall less the part of negatives taken
     * @param profit by the gains that were given; null where none were
     */
    public record Decision(
            String name,
            Cut cut,
            double precision,
            double recall,
            double f1,
            double accuracy,
            double youden,
            @Nullable Double profit) {
        /** The figures of a cut. */
        public static Decision of(
                String name,
                Cut cut,
                double positives,
                double negatives,
                @Nullable ThresholdSpec gains) {
            double found = cut.truePositives();
            double wrong = cut.falsePositives();
            double taken = found + wrong;
            return new Decision(
                    name,
                    cut,
                    taken > 0 ? found / taken : 0,
                    found / positives,
                    2 * found / (positives + taken),
                    (found + negatives - wrong) / (positives + negatives),
                    found / positives - wrong / negatives,
                    gains == null || !gains.isOfProfit()
                            ? null
                            : gains.profit(found, wrong, positives, negatives));
        }

        /** What it has of a measure. */
        public double value(ThresholdSpec.Maximise measure) {
            return switch (measure) {
                case F1 -> f1;
                case ACCURACY -> accuracy;
                case YOUDEN -> youden;
                case PROFIT -> profit == null ? Double.NaN : profit;
            };
        }
    }

    /**
     * The samples that score highest.
     *
     * @param part of all samples, from 0 to 1
     * @param gain part of the positive samples that is among them
     * @param lift how many times more positive samples are among them than among as many drawn
     *     blindly
     */
    public record Lift(double part, double gain, double lift) {}

    /** The decision of a name; empty where there is none. */
    public Optional<Decision> decision(String name) {
        return decisions.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /** From which probability on the model says positive; empty where it has no threshold. */
    public String decides() {
        return chosen == null
                ? ""
                : "The model says %s from a %s.".formatted(positive, chosen.sentence());
    }

    /** What samples are taken for at the model's own threshold, or the usual one. */
    public ConfusionMatrix confusion(List<String> classes) {
        Cut cut =
                decision(MODELS)
                        .or(() -> decision(USUAL))
                        .map(Decision::cut)
                        .orElse(cuts.get(cuts.size() - 1));
        return ConfusionMatrix.of(
                classes,
                List.of(
                        List.of(negatives - cut.falsePositives(), cut.falsePositives()),
                        List.of(positives - cut.truePositives(), cut.truePositives())));
    }

    @Override
    public String title() {
        return "Ranking and threshold";
    }

    @Override
    public List<String> sentences() {
        return CurveCharts.sentences(this);
    }

    @Override
    public List<ReportTable> tables() {
        return CurveCharts.tables(this);
    }

    @Override
    public List<Chart> charts() {
        return CurveCharts.of(this);
    }
}
