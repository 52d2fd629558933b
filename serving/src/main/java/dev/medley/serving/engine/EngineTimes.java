package dev.medley.serving.engine;

import java.util.Locale;

/**
 * Holds what a trial of an engine measured.
 *
 * @param name of the engine
 * @param oneNs for one sample
 * @param manyNs for {@code many} samples
 * @param many samples of the larger batch
 */
record EngineTimes(String name, long oneNs, long manyNs, int many) {
    /** What counts: small batches when little is asked, and large ones when much is. */
    double score() {
        return Math.sqrt((double) oneNs * manyNs);
    }

    /** The faster of two, and why. */
    static Choice faster(EngineTimes first, EngineTimes second) {
        boolean isSecond = second.score() < first.score();
        EngineTimes best = isSecond ? second : first;
        EngineTimes other = isSecond ? first : second;
        return new Choice(
                best.name,
                String.format(
                        Locale.ROOT,
                        "%s computes: %.0f us for one row and %.0f us for %d; %s takes %.0f and"
                                + " %.0f",
                        best.name,
                        best.oneNs / 1e3,
                        best.manyNs / 1e3,
                        best.many,
                        other.name,
                        other.oneNs / 1e3,
                        other.manyNs / 1e3));
    }

    /**
     * An engine, and why it.
     *
     * @param name of the engine
     */
    record Choice(String name, String why) {}
}
