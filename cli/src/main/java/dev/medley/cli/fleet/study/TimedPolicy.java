package dev.medley.cli.fleet.study;

import dev.medley.base.time.Clock;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;

/** Measures how long another policy takes to decide. */
final class TimedPolicy implements Policy {
    private final Policy policy;
    private final Clock clock;
    private long decisions;
    private long allNs;
    private long longestNs;

    TimedPolicy(Policy policy, Clock clock) {
        this.policy = policy;
        this.clock = clock;
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public boolean ordersByPriority() {
        return policy.ordersByPriority();
    }

    @Override
    public Decision decide(FleetView view) {
        long beganNs = clock.nowNs();
        Decision decision = policy.decide(view);
        long tookNs = clock.nowNs() - beganNs;
        decisions++;
        allNs += tookNs;
        longestNs = Math.max(longestNs, tookNs);
        return decision;
    }

    double meanMs() {
        return decisions == 0 ? 0 : allNs / 1e6 / decisions;
    }

    double longestMs() {
        return longestNs / 1e6;
    }
}
