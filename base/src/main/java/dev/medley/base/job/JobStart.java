package dev.medley.base.job;

import dev.medley.base.Json;
import dev.medley.base.strategy.StrategySpec;

/**
 * The job that a worker process was started for. The process that starts the worker names it, not
 * the coordinator that the worker then joins: so the worker finds out if the coordinator has
 * another job for it.
 *
 * @param job of the run, for people
 * @param digest of the whole job, by which it is recognised
 * @param strategy of the job as the run began; a run may choose another
 */
public record JobStart(JobIdentity job, String digest, StrategySpec strategy) {
    /** Environment variable of a worker's process with its start as JSON. */
    public static final String VARIABLE = "MEDLEY_JOB";

    /** For a worker of a run of {@code job}. */
    public static JobStart of(JobSpec job) {
        return new JobStart(JobIdentity.of(job), JobIdentity.digest(job), job.strategy());
    }

    /** For {@link #VARIABLE}. */
    public String text() {
        return Json.line(this);
    }

    /** From what {@link #VARIABLE} holds. */
    public static JobStart parse(String text) {
        return Json.parse(text, JobStart.class);
    }

    /** Whether that is the job which it was started for, perhaps with a strategy chosen since. */
    public boolean isFor(JobSpec assigned) {
        return JobIdentity.digest(assigned.with(strategy)).equals(digest);
    }
}
