package dev.medley.loop.decide;

import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds a metric of rows with labels, and how far another draw of such rows would move it. The
 * interval is the bootstrap's by exponential weights, as {@link ModelComparison} has it.
 *
 * @param rows how many
 * @param low the lower end of its interval
 * @param high its upper end
 * @param confidence of the interval, two-sided
 */
public record MeasuredFigure(int rows, double figure, double low, double high, double confidence) {
    private static final int DRAWS = 400;

    /**
     * Of answers to rows with labels; null where the metric cannot be told of them, as where all
     * are of one class.
     *
     * @param seed of the draws: the same gives the same interval
     */
    public static @Nullable MeasuredFigure of(
            JudgedMetric metric, double[] labels, double[] answers, double confidence, long seed) {
        JudgedMetric.Judged judged = metric.judged(labels, answers);
        double[] weights = new double[labels.length];
        Arrays.fill(weights, 1);
        double figure = judged.figure(weights);
        if (!Double.isFinite(figure)) {
            return null;
        }
        RandomGenerator random = Seeds.generator(seed);
        double[] drawn = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            Arrays.setAll(weights, row -> random.nextExponential());
            drawn[draw] = judged.figure(weights);
        }
        Arrays.sort(drawn);
        double outside = (1 - confidence) / 2;
        return new MeasuredFigure(
                labels.length,
                figure,
                drawn[(int) Math.floor(outside * (DRAWS - 1))],
                drawn[(int) Math.ceil((1 - outside) * (DRAWS - 1))],
                confidence);
    }

    /** The figure with its interval, for people. */
    public String words() {
        return String.format(Locale.ROOT, "%.4f (%.4f to %.4f)", figure, low, high);
    }
}
