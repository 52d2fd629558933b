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
import org.jspecify.annotations.Nullable;

/** Holds a round: asks the policy, chooses machines, and changes who holds what. */
final class HubRound {
    private final HubCore core;
    private final HubPolicy policy;
    private final HubRules rules;
    private FleetViews views;
    private Carried carried = Carried.NONE;

    HubRound(HubCore core, Policy policy, HubRules rules) {
        this.core = core;
        this.policy = new HubPolicy(policy, rules);
        this.rules = rules;
        views = FleetViews.of(core.state());
    }

    void hold(double nowS) {
        views = views.now();
        FleetView view = views.view(nowS, rules.roundS(), carried);
        EgressCosts egress = new EgressCosts(core.state(), rules.egress());
        Decision decision = policy.decide(core.state(), view, egress.byType(views.types()));
        carried = decision.carried();
        Map<Long, Grant> grants = new HashMap<>(2 * decision.grants().size());
        decision.grants().forEach(grant -> grants.put(grant.job(), grant));
        Map<Long, List<String>> chosen =
                new MachineChoice(core.state(), views.table(), egress)
                        .choose(view, decision.grants());
        // First those who give machines back, so that none is held twice.
        for (FleetJob job : core.state().liveJobs()) {
            List<String> names = chosen.getOrDefault(job.id(), List.of());
            boolean isSame = names == job.machines(); // To compare them costs more.
            if (!isSame && job.wantsMachines() && !names.containsAll(job.machines())) {
                List<String> kept = job.machines().stream().filter(names::contains).toList();
                core.release(job, kept, job.why(), nowS);
            }
        }
        Map<Long, JobView> waiting = new HashMap<>();
        for (JobView job : view.jobs()) {
            if (!grants.containsKey(job.id())) {
                waiting.put(job.id(), job);
            }
        }
        for (FleetJob job : core.state().liveJobs()) {
            if (job.wantsMachines()) {
                List<String> names = chosen.getOrDefault(job.id(), List.of());
                Grant grant = grants.get(job.id());
                String why =
                        grant == null ? waits(view, waiting.get(job.id()), decision) : grant.why();
                settle(job, names, noted(why, decision), nowS);
            }
        }
    }

    private static String noted(String why, Decision decision) {
        return decision.note().isEmpty() ? why : why + " (" + decision.note() + ")";
    }

    private void settle(FleetJob job, List<String> names, String why, double nowS) {
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
    private String waits(FleetView view, @Nullable JobView job, Decision decision) {
        HubObstacle obstacle = job == null ? null : HubObstacle.of(view, job, rules.shares());
        if (obstacle != null) {
            return obstacle.why();
        }
        String others = "other jobs are before it";
        return job == null ? others : decision.waiting().getOrDefault(job.id(), others);
    }
}
