package dev.medley.fleet.hub;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds a round: asks the policy, chooses machines, and changes who holds what. */
final class HubRound {
    private final HubCore core;
    private final HubPolicy policy;
    private final HubRules rules;
    private Carried carried = Carried.NONE;

    HubRound(HubCore core, Policy policy, HubRules rules) {
        this.core = core;
        this.policy = new HubPolicy(policy, rules);
        this.rules = rules;
    }

    void hold(double nowS) {
        FleetViews views = FleetViews.of(core.state());
        FleetView view = views.view(nowS, rules.roundS(), carried);
        EgressCosts egress = new EgressCosts(core.state(), rules.egress());
        Decision decision = policy.decide(core.state(), view, egress.byType(views.types()));
        carried = decision.carried();
        Map<Long, Grant> grants = new HashMap<>();
        decision.grants().forEach(grant -> grants.put(grant.job(), grant));
        Map<Long, List<String>> chosen =
                new MachineChoice(core.state(), views.types(), egress).choose(decision.grants());
        // First those who give machines back, so that none is held twice.
        for (FleetJob job : core.state().liveJobs()) {
            List<String> names = chosen.getOrDefault(job.id(), List.of());
            if (job.wantsMachines() && !names.containsAll(job.machines())) {
                List<String> kept = job.machines().stream().filter(names::contains).toList();
                core.release(job, kept, job.why(), nowS);
            }
        }
        for (FleetJob job : core.state().liveJobs()) {
            if (job.wantsMachines()) {
                settle(view, job, grants.get(job.id()), chosen, decision, nowS);
            }
        }
    }

    private void settle(
            FleetView view,
            FleetJob job,
            @org.jspecify.annotations.Nullable Grant grant,
            Map<Long, List<String>> chosen,
            Decision decision,
            double nowS) {
        List<String> names = chosen.getOrDefault(job.id(), List.of());
        String why = grant == null ? waits(view, job, decision) : grant.why();
        if (!decision.note().isEmpty()) {
            why += " (" + decision.note() + ")";
        }
        if (!names.equals(job.machines())) {
            double egress = core.egress(job, names);
            FleetJob now = core.release(job, names, why, nowS);
            core.put(now.with(names.isEmpty() ? now.times() : now.times().started(nowS)));
            core.say(
                    job.id(),
                    nowS,
                    names.isEmpty()
                            ? "waits: " + why
                            : "gets " + names + ": " + why + paid(egress));
        } else if (!why.equals(job.why())) {
            core.put(job.holding(names, why));
        }
    }

    private static String paid(double egress) {
        return egress == 0
                ? ""
                : "; bringing its data there costs %s of egress"
                        .formatted(EgressCosts.amount(egress));
    }

    /** What would hold it up without others goes before what the policy says of others. */
    private String waits(FleetView view, FleetJob job, Decision decision) {
        for (JobView seen : view.jobs()) {
            HubObstacle obstacle =
                    seen.id() == job.id() ? HubObstacle.of(view, seen, rules.shares()) : null;
            if (obstacle != null) {
                return obstacle.why();
            }
        }
        return decision.waiting().getOrDefault(job.id(), "other jobs are before it");
    }
}
