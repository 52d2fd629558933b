package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.Tenure;
import java.util.List;

/** Pauses jobs whose budget is used up, and says so. */
final class HubBudgets {
    private final HubCore core;

    HubBudgets(HubCore core) {
        this.core = core;
    }

    void look(double nowS) {
        for (FleetJob job : List.copyOf(core.state().jobs())) {
            double budget = job.request().owner().budget();
            if (job.wantsMachines() && Double.isFinite(budget) && cost(job, nowS) >= budget) {
                core.pause(
                        job.id(),
                        "its budget of %.2f is used up (%.2f so far); resume it with a larger one"
                                .formatted(budget, cost(job, nowS)),
                        nowS);
            }
        }
    }

    /** What a job has cost, with what it holds now. */
    double cost(FleetJob job, double nowS) {
        double cost = job.times().cost();
        for (String name : job.machines()) {
            Tenure tenure = core.state().tenureOf(name);
            if (tenure != null && tenure.job() == job.id()) {
                cost += core.price(name) * (nowS - tenure.fromEpochS()) / 3600;
            }
        }
        return cost;
    }
}
