package dev.medley.fleet.learning;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;

/** Lets another policy decide, and adds up the jobs in the system. Belongs to one simulation. */
final class RecordedPolicy implements Policy {
    private final Policy policy;
    private final JobsOverTime jobs = new JobsOverTime();

    RecordedPolicy(Policy policy) {
        this.policy = policy;
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Decision decide(FleetView view) {
        jobs.set(view.nowS(), view.jobs().size());
        return policy.decide(view);
    }

    JobsOverTime jobs() {
        return jobs;
    }
}
