package dev.medley.onnx.engine;

import java.util.Locale;

/**
 * Holds what a trial of an engine measured.
 *
 * @param name of the engine
 * @param fewNs for {@code few} samples
 * @param manyNs for {@code many} samples
 * @param few samples of the smaller batch
 * @param many samples of the larger batch
 */
record EngineTimes(String name, long fewNs, long manyNs, int few, int many) {
    /** What counts: small batches when little is asked, and large ones when much is. */
    double score() {
        return Math.sqrt((double) fewNs * manyNs);
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
                        "%s computes: %s; %s takes %s",
                        best.name,
                        best.said(),
                        other.name,
                        other.shortly()));
    }

    private String said() {
        String ofMany = "%.0f us for %d rows".formatted(manyNs / 1e3, many);
        return few == many
                ? ofMany
                : "%.0f us for %s and %s"
                        .formatted(fewNs / 1e3, few == 1 ? "one row" : few + " rows", ofMany);
    }

    private String shortly() {
        String ofMany = "%.0f".formatted(manyNs / 1e3);
        return few == many ? ofMany : "%.0f and %s".formatted(fewNs / 1e3, ofMany);
    }

    /**
     * An engine, and why it.
     *
     * @param name of the engine
     */
    record Choice(String name, String why) {}
}
