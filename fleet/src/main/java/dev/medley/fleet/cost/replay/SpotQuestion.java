package dev.medley.fleet.cost.replay;

import static dev.medley.base.ConfigException.check;

import java.util.List;

/**
 * Says which jobs are played over a market.
 *
 * @param lengthsS seconds of computing
 * @param slacks deadlines as multiples of lengths, above 1
 * @param starts how many, evenly spread over the log
 * @param watchS of the log that was seen before the first start
 * @param costs of starting and moving
 */
public record SpotQuestion(
        List<Double> lengthsS, List<Double> slacks, int starts, double watchS, Costs costs) {
    /**
     * Holds what starting and moving cost.
     *
     * @param stepS between decisions
     * @param restartS in whole steps
     * @param egress price of moving a checkpoint to another region
     */
    public record Costs(double stepS, double restartS, double egress) {}

    public SpotQuestion {
        lengthsS = List.copyOf(lengthsS);
        slacks = List.copyOf(slacks);
        check(!lengthsS.isEmpty(), "no length of a job is given; give one or more");
        for (double slack : slacks) {
            check(slack >= 1, "a deadline after %s times the job's length; 1 or more", slack);
        }
        check(starts >= 1, "%d starts; give 1 or more", starts);
        check(watchS >= 0, "the log is watched for %s s before; 0 or more", watchS);
    }
}
