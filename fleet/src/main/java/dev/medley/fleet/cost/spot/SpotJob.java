package dev.medley.fleet.cost.spot;

import dev.medley.base.ConfigException;

/**
 * Holds what a job with a deadline needs. Times count from its start.
 *
 * @param workS seconds of computing that it needs
 * @param deadlineS when it has to be done
 * @param stepS between two decisions
 * @param restartS from a new machine's start until it computes; whole steps
 * @param egress price of moving its checkpoint to another region
 */
public record SpotJob(
        double workS, double deadlineS, double stepS, double restartS, double egress) {
    public SpotJob {
        ConfigException.check(stepS > 0, "a step of %s s; give one above 0", stepS);
        ConfigException.check(workS > 0, "a job of %s s; give a length above 0", workS);
        ConfigException.check(
                restartS >= 0 && restartS % stepS == 0,
                "a restart of %s s is not in whole steps of %s s; change one of them",
                restartS,
                stepS);
        ConfigException.check(
                egress >= 0 && egress < Double.POSITIVE_INFINITY,
                "moving a checkpoint costs %s; give 0 or more",
                egress);
        double earliestS = restartS + Math.ceil(workS / stepS) * stepS;
        ConfigException.check(
                deadlineS >= earliestS,
                "a deadline after %s s cannot be kept: restart and work take %s s; give more time",
                deadlineS,
                earliestS);
    }
}
