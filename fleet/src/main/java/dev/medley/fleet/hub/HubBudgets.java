package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;
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
            if (job.wantsMachines() && Double.isFinite(budget) && core.cost(job, nowS) >= budget) {
                core.pause(
                        job.id(),
                        "its budget of %.2f is used up (%.2f so far); resume it with a larger one"
                                .formatted(budget, core.cost(job, nowS)),
                        nowS);
            }
        }
    }
}
