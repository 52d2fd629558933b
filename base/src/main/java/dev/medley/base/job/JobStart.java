package dev.medley.base.job;

import dev.medley.base.Json;
import dev.medley.base.strategy.StrategySpec;
import org.jspecify.annotations.Nullable;

/**
 * The job that a worker process was started for. The process that starts the worker names it, not
 * the coordinator that the worker then joins: so the worker finds out if the coordinator has
 * another job for it.
 *
 * @param job of the run, for people
 * @param digest of the whole job, by which it is recognised
 * @param strategy of the job as the run began; a run may choose another. Null where the job's work
 *     has none
 */
public record JobStart(JobIdentity job, String digest, @Nullable StrategySpec strategy) {
    /** Environment variable of a worker's process with its start as JSON. */
    public static final String VARIABLE = "MEDLEY_JOB";

    /** For a worker of a run of {@code job}. */
    public static JobStart of(JobSpec job) {
        StrategySpec strategy =
                job.work() instanceof Work.Gradient gradient ? gradient.strategy() : null;
        return new JobStart(JobIdentity.of(job), JobIdentity.digest(job), strategy);
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
        StrategySpec own = strategy;
        JobSpec begun =
                own != null && assigned.work() instanceof Work.Gradient
                        ? assigned.with(own)
                        : assigned;
        return JobIdentity.digest(begun).equals(digest);
    }
}
