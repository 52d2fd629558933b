package dev.medley.api.predict;

import static dev.medley.base.ConfigException.check;

import org.jspecify.annotations.Nullable;

/**
 * The processes and threads that compute predictions, and by what.
 *
 * @param workers processes of this machine; 1 for only this process
 * @param threads of each of them
 * @param engine {@code libtorch}, as in training, or {@code onnx}; null for the faster one where
 *     there are many samples
 */
public record PredictOptions(int workers, int threads, @Nullable String engine) {
    public PredictOptions {
        check(workers >= 1, "--workers %d: at least 1", workers);
        check(threads >= 1, "--threads %d: at least 1", threads);
        check(
                engine == null || engine.equals("libtorch") || engine.equals("onnx"),
                "--engine %s: libtorch or onnx",
                engine);
        check(
                workers == 1 || !"onnx".equals(engine),
                "--engine onnx is for one process: leave out --workers, its threads share the"
                        + " work");
    }

    /** By the faster engine. */
    public PredictOptions(int workers, int threads) {
        this(workers, threads, null);
    }

    /** This process, with a thread for each core. */
    public static PredictOptions defaults() {
        return ofWorkers(1);
    }

    /** So many processes, among which the cores are shared out. */
    public static PredictOptions ofWorkers(int workers) {
        int cores = Runtime.getRuntime().availableProcessors();
        return new PredictOptions(workers, Math.max(1, cores / Math.max(1, workers)));
    }

    /** The same by that engine; by the faster one where it is null. */
    public PredictOptions by(@Nullable String asked) {
        return new PredictOptions(workers, threads, asked);
    }
}
