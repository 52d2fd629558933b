package dev.medley.api.predict;

import static dev.medley.base.ConfigException.check;

/**
 * The processes and threads that compute predictions.
 *
 * @param workers processes of this machine; 1 for only this process
 * @param threads of each of them
 */
public record PredictOptions(int workers, int threads) {
    public PredictOptions {
        check(workers >= 1, "--workers %d: at least 1", workers);
        check(threads >= 1, "--threads %d: at least 1", threads);
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
}
