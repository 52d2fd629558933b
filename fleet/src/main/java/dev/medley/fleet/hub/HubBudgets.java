package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;

/** Pauses jobs whose budget is used up, and says so. */
final class HubBudgets {
    private final HubCore core;

    HubBudgets(HubCore core) {
        this.core = core;
    }

    void look(double nowS) {
        for (FleetJob job : core.state().liveJobs()) {
            double budget = job.request().owner().budget();
            if (job.wantsMachines()
                    && Double.isFinite(budget)
                    && core.state().cost(job, nowS) >= budget) {
                core.pause(job.id(), sentence(job, core.state().cost(job, nowS)), nowS);
            }
        }
    }

    private static String sentence(FleetJob job, double cost) {
        String form =
                "its budget of %.2f is used up (%.2f so far); medley change %d --budget AMOUNT"
                        + " gives it more, and medley resume %d lets it go on";
        return form.formatted(job.request().owner().budget(), cost, job.id(), job.id());
    }
}
