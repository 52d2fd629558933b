package dev.medley.record.metrics;

/**
 * The labels that tell what a run is.
 *
 * @param run its folder's name; empty until it has one
 * @param job name of the job
 * @param version of Medley
 * @param model family
 * @param strategy kind
 */
public record RunLabels(String run, String job, String version, String model, String strategy) {
    /** The same once the run has its folder. */
    RunLabels named(String folder) {
        return new RunLabels(folder, job, version, model, strategy);
    }

    String[] labels() {
        return new String[] {
            "run", run, "job", job, "version", version, "model", model, "strategy", strategy
        };
    }
}
