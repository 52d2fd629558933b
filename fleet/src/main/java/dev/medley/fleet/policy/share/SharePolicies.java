package dev.medley.fleet.policy.share;

import dev.medley.fleet.policy.Policy;
import java.util.List;

/** Makes the policies of Gavel's protocol. */
public final class SharePolicies {
    private SharePolicies() {}

    /** First come, first served, on any machine. */
    public static Policy fifo() {
        return new ShareRounds(new FifoShares(false));
    }

    /** First come, first served, on the fastest of the free types. */
    public static Policy fifoFastest() {
        return new ShareRounds(new FifoShares(true));
    }

    /** Least attained service in time alone. */
    public static Policy leastAttained() {
        return new ShareRounds(new MaxMinShares(false));
    }

    /** Least attained service in work, aware of machine types. */
    public static Policy leastAttainedAware() {
        return new ShareRounds(new MaxMinShares(true));
    }

    /** AlloX. Needs declared sizes and jobs of one machine. */
    public static Policy allox() {
        return new ShareRounds(new AlloxShares());
    }

    /** Finish-time fairness, aware of machine types. Needs declared sizes. */
    public static Policy finishTimeFairness() {
        return new ShareRounds(new FinishTimeShares());
    }

    /** Minimum makespan. Needs declared sizes. */
    public static Policy makespan() {
        return new ShareRounds(new MakespanShares());
    }

    /** All of them. */
    public static List<Policy> all() {
        return List.of(
                fifo(),
                fifoFastest(),
                leastAttained(),
                leastAttainedAware(),
                allox(),
                finishTimeFairness(),
                makespan());
    }
}
