package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.JobAttempt;

/**
 * Says what becomes of a job whose process broke off: how many breaks count now, and whether it is
 * tried again. Breaks are forgotten once the job came further by {@value #PART} of its work than at
 * any of them, so that one that goes on for weeks does not fail for a break now and then. A job
 * that always breaks ends nevertheless: it can come further so often only.
 *
 * @param run of the job, with what was counted
 * @param fails whether it is not tried again
 * @param sentence for its user
 */
public record JobBreaks(JobAttempt run, boolean fails, String sentence) {
    static final double PART = 0.01;

    /**
     * One more break.
     *
     * @param attempts breaks after which a job fails
     * @param reason of this one
     */
    public static JobBreaks of(FleetJob job, int attempts, String reason) {
        JobAttempt run = job.run();
        double done = job.measure().done();
        double total = job.measure().total();
        // Of a job of unknown size a hundredth of what it did counts.
        double far = PART * (Double.isNaN(total) ? run.furthest() : total);
        boolean isFurther = run.breaks() > 0 && done > run.furthest() + far;
        int breaks = isFurther ? 1 : run.breaks() + 1;
        boolean fails = breaks >= attempts;
        String sentence =
                fails
                        ? "it broke off %d times and came no further in between; the last time: %s"
                                .formatted(breaks, reason)
                        : "it broke off and goes on (%d of %d%s): %s"
                                .formatted(
                                        breaks,
                                        attempts,
                                        isFurther ? ", as it came further since the last time" : "",
                                        reason);
        return new JobBreaks(run.broken(breaks, Math.max(done, run.furthest())), fails, sentence);
    }
}
