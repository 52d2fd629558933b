package dev.medley.fleet.policy.share;

import dev.medley.fleet.policy.Policy;
import java.util.ArrayList;
import java.util.List;

/** Makes the policies of Gavel's protocol. */
public final class SharePolicies {
    /** Seconds between two computations of shares with Gavel's simulator. */
    public static final double GAVEL_RESET_S = 1920;

    private SharePolicies() {}

    /**
     * First come, first served, on any machine and on the fastest of the free types; least attained
     * service in time alone, and in work; AlloX, finish-time fairness and minimum makespan, which
     * need declared sizes.
     *
     * @param resetS seconds between two computations of shares at least; 0 to follow each change
     */
    public static List<Policy> all(double resetS) {
        List<ShareRule> rules =
                List.of(
                        new FifoShares(false),
                        new FifoShares(true),
                        new MaxMinShares(false),
                        new MaxMinShares(true),
                        new AlloxShares(),
                        new FinishTimeShares(),
                        new MakespanShares());
        List<Policy> policies = new ArrayList<>();
        rules.forEach(rule -> policies.add(new ShareRounds(rule, resetS)));
        return policies;
    }
}
