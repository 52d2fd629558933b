package dev.medley.worker.survey;

import dev.medley.base.job.JobSpec;

/**
 * The order to a worker that surveys its cluster instead of training.
 *
 * @param look what it is to find out
 * @param job of which only the cluster's settings count
 */
public record SurveyOrder(Look look, JobSpec job) {
    /** What there is to find out. */
    public enum Look {
        /** The members that each member reaches. */
        REACH,
        /** That, and then latency and bandwidth of all ways. */
        WAYS
    }
}
