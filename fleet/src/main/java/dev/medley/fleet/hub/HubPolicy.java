package dev.medley.fleet.hub;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.quota.Account;
import dev.medley.fleet.policy.quota.FairShare;
import dev.medley.fleet.policy.quota.KeepDeadlines;
import dev.medley.fleet.policy.quota.KeepRunning;
import dev.medley.fleet.policy.quota.ShareOptions;
import dev.medley.fleet.policy.quota.Usage;
import dev.medley.fleet.policy.quota.WeighEgress;
import dev.medley.fleet.policy.quota.WithinBudget;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.Tenure;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides a hub's round: what its operator and owners were promised (deadlines, priorities, shares,
 * quotas, reservations, budgets), and within that the policy.
 */
final class HubPolicy {
    private static final double LONG_S = 1e9;

    private final Policy policy;
    private final HubRules rules;

    HubPolicy(Policy policy, HubRules rules) {
        this.policy = policy;
        this.rules = rules;
    }

    /**
     * @param egress what jobs would pay by type; empty where nobody pays
     */
    Decision decide(FleetState state, FleetView view, Map<Long, double[]> egress) {
        Policy within = new WithinBudget(new WeighEgress(policy, egress));
        ShareOptions shares = rules.shares();
        Usage usage = shares == null ? Usage.NONE : usage(state, view.nowS(), shares.halfLifeS());
        return new KeepDeadlines(
                        new KeepRunning(
                                kept -> fair(within, view, usage, kept), heldS(state, view)))
                .decide(view);
    }

    private Policy fair(Policy within, FleetView view, Usage usage, Map<String, Integer> kept) {
        ShareOptions shares = rules.shares();
        if (shares != null) {
            return new FairShare(within, shares, usage, kept);
        }
        return within.ordersByPriority() || !needsOrder(view)
                ? within
                : new FairShare(within, ShareOptions.EQUAL, Usage.NONE);
    }

    private static boolean needsOrder(FleetView view) {
        for (JobView job : view.jobs()) {
            boolean isOther = job.terms().priority() != view.jobs().get(0).terms().priority();
            if (isOther || Double.isFinite(job.terms().deadlineS())) {
                return true;
            }
        }
        return false;
    }

    /**
     * For how long jobs hold the oldest of their machines. Those on machines that are reserved for
     * others are left out: they give way at once.
     */
    private Map<Long, Double> heldS(FleetState state, FleetView view) {
        Map<Long, Double> heldS = new HashMap<>();
        double nowS = view.nowS();
        for (JobView seen : view.jobs()) {
            FleetJob job = state.job(seen.id());
            if (job == null || hasHeldLong(job, nowS, seen.progress().restartS())) {
                continue;
            }
            double longestS = -1;
            for (String name : job.machines()) {
                Tenure tenure = state.tenureOf(name);
                if (tenure != null && tenure.job() == job.id()) {
                    double sinceS = nowS - tenure.fromEpochS();
                    // Since when is not known where the clock was set back: long ago, then.
                    longestS = Math.max(longestS, sinceS < 0 ? LONG_S : sinceS);
                }
            }
            if (longestS >= 0 && !isOnOthersReserve(state, job, nowS)) {
                heldS.put(job.id(), longestS);
            }
        }
        return heldS;
    }

    /** All its machines for longer than it may keep them, or none at all. */
    private static boolean hasHeldLong(FleetJob job, double nowS, double restartS) {
        Double sinceS = job.times().countedToS();
        boolean isLong = sinceS != null && nowS - sinceS > KeepRunning.keepsS(restartS);
        return isLong || job.machines().isEmpty();
    }

    private boolean isOnOthersReserve(FleetState state, FleetJob job, double nowS) {
        ShareOptions shares = rules.shares();
        return shares != null
                && job.machines().stream()
                        .map(state::machine)
                        .anyMatch(
                                machine ->
                                        machine != null
                                                && shares.isReservedForOthers(
                                                        machine.type(),
                                                        job.request().owner().group(),
                                                        nowS));
    }

    /** What accounts used, from who held which machine when. */
    private static Usage usage(FleetState state, double nowS, double halfLifeS) {
        List<Usage.Held> held = new ArrayList<>();
        for (Tenure tenure : state.tenures(nowS - 20 * halfLifeS)) {
            FleetJob job = state.job(tenure.job());
            if (job != null) {
                JobOwner owner = job.request().owner();
                Double toS = tenure.toEpochS();
                Account account = new Account(owner.group(), owner.user());
                held.add(new Usage.Held(account, tenure.fromEpochS(), toS == null ? nowS : toS));
            }
        }
        return Usage.of(nowS, halfLifeS, held);
    }
}
