package dev.medley.api.int8;

import dev.medley.base.text.Units;
import java.util.Locale;

/**
 * The comparison of a model in eight bits with the same in single precision.
 *
 * @param metric by which both are judged
 * @param before its figure in single precision
 * @param after its figure in eight bits
 * @param loss the share of {@code before} by which {@code after} is worse; below 0 if it is better
 * @param beforeNs for a block of {@code rows} in single precision
 * @param afterNs for it in eight bits
 * @param rows of a block
 * @param samples on which both were judged
 * @param isWorthIt whether it is faster and loses no more than it may
 * @param why a sentence with the figures
 */
public record Int8Verdict(
        String metric,
        double before,
        double after,
        double loss,
        long beforeNs,
        long afterNs,
        int rows,
        long samples,
        boolean isWorthIt,
        String why) {
    /**
     * Judges.
     *
     * @param isHigherBetter which way the metric improves
     * @param allowed the largest loss, as a share
     */
    static Int8Verdict of(
            String metric,
            boolean isHigherBetter,
            double before,
            double after,
            long beforeNs,
            long afterNs,
            int rows,
            long samples,
            double allowed) {
        double worse = isHigherBetter ? before - after : after - before;
        double loss = worse == 0 ? 0 : worse / Math.abs(before);
        boolean isGood = loss <= allowed; // NaN is not.
        boolean isFast = afterNs < beforeNs;
        String figures =
                String.format(
                        Locale.ROOT,
                        "%.0f us for %d rows against %.0f us in fp32, %s %.5g against %.5g (%s of"
                                + " %s samples, %s allowed)",
                        afterNs / 1e3,
                        rows,
                        beforeNs / 1e3,
                        metric,
                        after,
                        before,
                        change(loss),
                        Units.count(samples),
                        percent(allowed));
        String why =
                isGood && isFast
                        ? "int8 is faster and good enough: "
                        : isGood
                                ? "int8 is not faster here: "
                                : isFast
                                        ? "int8 loses too much: "
                                        : "int8 is not faster here and loses too much: ";
        return new Int8Verdict(
                metric,
                before,
                after,
                loss,
                beforeNs,
                afterNs,
                rows,
                samples,
                isGood && isFast,
                why + figures);
    }

    private static String change(double loss) {
        return loss > 0
                ? percent(loss) + " worse"
                : loss < 0 ? percent(-loss) + " better" : "equal";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3g %%", 100 * share);
    }
}
