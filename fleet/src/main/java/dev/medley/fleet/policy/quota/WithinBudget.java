package dev.medley.fleet.policy.quota;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Wraps a policy so that no job spends more than its budget by more than one round: whose budget is
 * used up waits. A machine type without a price is not given to a job with a budget, as nobody
 * knows what it would spend there.
 */
public record WithinBudget(Policy policy) implements Policy {
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
        if (hasNone(view)) {
            return policy.decide(view);
        }
        List<JobView> able = new ArrayList<>();
        Map<Long, String> waiting = new HashMap<>();
        for (JobView job : view.jobs()) {
            if (Double.isInfinite(job.terms().budget())) {
                able.add(job);
            } else if (job.terms().budget() <= 0) {
                waiting.put(job.id(), "It waits: its budget is used up; give it more.");
            } else {
                JobView priced = priced(view, job);
                if (priced.bestRate() > 0) {
                    able.add(priced);
                } else {
                    waiting.put(
                            job.id(),
                            "It waits: it has a budget, and no machine that it can use has a"
                                    + " price; name prices, or take the budget off.");
                }
            }
        }
        Decision decision =
                policy.decide(
                        new FleetView(
                                view.nowS(),
                                view.roundS(),
                                view.types(),
                                able,
                                view.ended(),
                                view.carried()));
        waiting.putAll(decision.waiting());
        decision.grants().stream().map(Grant::job).forEach(waiting::remove);
        return new Decision(decision.grants(), waiting, decision.note(), decision.carried());
    }

    private static boolean hasNone(FleetView view) {
        for (JobView job : view.jobs()) {
            if (!Double.isInfinite(job.terms().budget())) {
                return false;
            }
        }
        return true;
    }

    private static JobView priced(FleetView view, JobView job) {
        double[] rates = job.rates().clone();
        for (int type = 0; type < rates.length; type++) {
            rates[type] = Double.isNaN(view.types().get(type).pricePerHour()) ? 0 : rates[type];
        }
        return new JobView(
                job.id(), job.kind(), job.demand(), rates, job.held(), job.progress(), job.terms());
    }
}
