package dev.medley.fleet.hub;

import dev.medley.fleet.cost.BudgetForecast;
import dev.medley.fleet.cost.DeadlineForecast;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.policy.quota.ShareOptions;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says when a job ends, whether it keeps its deadline, and how long its budget lasts. */
public final class HubForecasts {
    private final FleetView view;
    private final EgressCosts egress;

    private HubForecasts(FleetView view, EgressCosts egress) {
        this.view = view;
        this.egress = egress;
    }

    /** Forecasts from the fleet as it is. */
    public static HubForecasts of(FleetState state, EgressPrices prices, double nowS) {
        return new HubForecasts(
                FleetViews.of(state).view(nowS, 1, Carried.NONE), new EgressCosts(state, prices));
    }

    private @Nullable JobView seen(FleetJob job) {
        for (JobView one : view.jobs()) {
            if (one.id() == job.id()) {
                return one;
            }
        }
        return null;
    }

    /** Of a job's deadline: with what it holds, or at the earliest where it waits. */
    public @Nullable DeadlineForecast deadline(FleetJob job) {
        JobView seen = seen(job);
        if (seen == null) {
            return null;
        }
        int[] all = view.types().stream().mapToInt(MachineType::machines).toArray();
        for (int type = 0; type < all.length; type++) {
            all[type] -= seen.held()[type];
        }
        return seen.runs()
                ? DeadlineForecast.with(view.nowS(), seen, seen.held())
                : DeadlineForecast.earliest(view.nowS(), seen, all);
    }

    /** What would hold a job up even if nobody else were there; null where nothing would. */
    public @Nullable HubObstacle obstacle(FleetJob job, @Nullable ShareOptions shares) {
        JobView seen = seen(job);
        return seen == null ? null : HubObstacle.of(view, seen, shares);
    }

    /** What a job's owner should know; empty where there is nothing to say. */
    public List<String> sentences(FleetJob job) {
        JobView seen = seen(job);
        DeadlineForecast deadline = deadline(job);
        List<String> sentences = new ArrayList<>();
        if (seen == null || deadline == null) {
            return sentences;
        }
        if (Double.isFinite(job.request().owner().deadlineS()) || seen.progress().sized()) {
            sentences.add(deadline.sentence());
        }
        if (Double.isFinite(job.request().owner().budget()) && hasPrices(seen)) {
            double endsInS = deadline.endS() - view.nowS();
            sentences.add(
                    BudgetForecast.of(
                                    seen.terms().budget(),
                                    view.types(),
                                    seen.held(),
                                    Double.isNaN(endsInS) ? Double.POSITIVE_INFINITY : endsInS)
                            .sentence());
        }
        String pays = egress.sentence(job);
        if (!pays.isEmpty()) {
            sentences.add(pays);
        }
        return sentences;
    }

    private boolean hasPrices(JobView job) {
        for (int type = 0; type < job.held().length; type++) {
            if (job.held()[type] > 0 && Double.isNaN(view.types().get(type).pricePerHour())) {
                return false;
            }
        }
        return true;
    }
}
