package dev.medley.serving.host;

import static dev.medley.base.ConfigException.check;

import dev.medley.serving.batch.BatchLimits;
import org.jspecify.annotations.Nullable;

/**
 * Says how models are served.
 *
 * @param engine {@code libtorch} or {@code onnx}; null for the faster one
 * @param threads with which one batch is computed
 * @param copies batches of a model that are computed at the same time
 */
public record ServeLimits(BatchLimits batches, @Nullable String engine, int threads, int copies) {
    public ServeLimits {
        check(
                engine == null || engine.equals("libtorch") || engine.equals("onnx"),
                "engine %s: there are libtorch and onnx",
                engine);
        check(threads >= 1, "%d threads: give 1 or more", threads);
        check(copies >= 1, "%d copies: give 1 or more", copies);
    }

    /** As a server is used to which nothing was said. */
    public static ServeLimits usual() {
        return new ServeLimits(BatchLimits.USUAL, null, 1, 1);
    }
}
