import dev.medley.loop.drift.CategorySample;
import dev.medley.loop.drift.EvidentlyRule;
import dev.medley.loop.drift.NumberSample;
import dev.medley.loop.monitor.CategoryMonitor;
import dev.medley.loop.monitor.CategoryReference;
import dev.medley.loop.monitor.MonitorOptions;
import dev.medley.loop.monitor.NumberMonitor;
import dev.medley.loop.monitor.NumberReference;
import dev.medley.loop.monitor.Promise;
import dev.medley.loop.monitor.Standing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Watches streams that drift.py wrote and prints a line for each: the look of the alarm, from 1, or 0,
 * of monitors with both promises, of Evidently's rule and of that rule with another threshold; the
 * largest score of the rule; and why the first alarmed. Arguments: file, number or category, rows of
 * a reference, looks, rows of a look, threshold.
 */
public final class Monitored {
    private final boolean isNumber;
    private final int looks;
    private final int rows;

    private Monitored(boolean isNumber, int looks, int rows) {
        this.isNumber = isNumber;
        this.looks = looks;
        this.rows = rows;
    }

    /** Prints to standard output. */
    public static void main(String[] arguments) throws IOException {
        int reference = Integer.parseInt(arguments[2]);
        Monitored monitored =
                new Monitored(
                        arguments[1].equals("number"),
                        Integer.parseInt(arguments[3]),
                        Integer.parseInt(arguments[4]));
        double threshold = Double.parseDouble(arguments[5]);
        ByteBuffer all =
                ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[0])))
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (int stream = 0; all.hasRemaining(); stream++) {
            double[] values = new double[reference + monitored.looks * monitored.rows];
            Arrays.setAll(values, i -> all.getDouble());
            Standing ever =
                    monitored.watch(
                            values, reference, new MonitorOptions(Promise.EVER, 0.05, stream));
            Standing window =
                    monitored.watch(
                            values,
                            reference,
                            new MonitorOptions(Promise.PER_WINDOW, 0.05 / monitored.looks, stream));
            System.out.printf(
                    Locale.ROOT,
                    "%d\t%d\t%s\t%s%n",
                    ever.alarmedAt(),
                    window.alarmedAt(),
                    monitored.evidently(values, reference, threshold),
                    ever.why());
        }
    }

    private Standing watch(double[] values, int reference, MonitorOptions options) {
        double[] before = Arrays.copyOf(values, reference);
        NumberMonitor numbers =
                isNumber
                        ? new NumberMonitor(NumberReference.of(before, options.seed()), options)
                        : null;
        CategoryMonitor categories =
                isNumber
                        ? null
                        : new CategoryMonitor(CategoryReference.of(labels(before)), options);
        Standing standing = null;
        for (int look = 0; look < looks && (standing == null || !standing.isAlarm()); look++) {
            double[] window = look(values, reference, look);
            standing = isNumber ? numbers.add(window) : categories.add(labels(window));
        }
        return standing;
    }

    /** First look at which the rule, and the rule with the threshold, say drift; largest score. */
    private String evidently(double[] values, int reference, double threshold) {
        double[] before = Arrays.copyOf(values, reference);
        NumberSample numbers = NumberSample.of(before);
        CategorySample categories = isNumber ? null : CategorySample.of(labels(before));
        int first = 0;
        int other = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int look = 0; look < looks; look++) {
            double[] window = look(values, reference, look);
            EvidentlyRule.Verdict verdict =
                    isNumber
                            ? EvidentlyRule.judge(numbers, NumberSample.of(window))
                            : EvidentlyRule.judge(categories, CategorySample.of(labels(window)));
            boolean isDistance =
                    verdict.rule() == EvidentlyRule.WASSERSTEIN
                            || verdict.rule() == EvidentlyRule.JENSEN_SHANNON;
            double score = isDistance ? verdict.score() : -verdict.score();
            most = Math.max(most, score);
            first = first == 0 && verdict.isDrift() ? look + 1 : first;
            other = other == 0 && score > threshold ? look + 1 : other;
        }
        return first + "\t" + other + "\t" + most;
    }

    private double[] look(double[] values, int reference, int look) {
        int from = reference + look * rows;
        return Arrays.copyOfRange(values, from, from + rows);
    }

    private static List<String> labels(double[] codes) {
        List<String> labels = new ArrayList<>();
        for (double code : codes) {
            labels.add(Double.isNaN(code) ? null : "c" + (int) code);
        }
        return labels;
    }
}
