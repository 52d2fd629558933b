package dev.medley.fleet.policy.quota;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes views, and a plain policy to wrap. */
final class SharedFleet {
    static final double ROUND_S = 360;

    private SharedFleet() {}

    static FleetView view(List<MachineType> types, JobView... jobs) {
        return new FleetView(1000, ROUND_S, types, List.of(jobs));
    }

    static JobView job(long id, String group, String user, int priority, Demand demand) {
        Terms terms = new Terms(user, group, priority, 1, Double.POSITIVE_INFINITY, 1e9);
        return job(id, demand, terms, new int[] {0, 0}, 1000);
    }

    static JobView job(long id, Demand demand, Terms terms, int[] held, double work) {
        return new JobView(
                id,
                "k",
                demand,
                new double[] {2, 1},
                held,
                new JobProgress(0, 0, 0, work, 60),
                terms);
    }

    /** In order of ids, on the first type that has room, with as many machines as can be. */
    static final class ById implements Policy {
        @Override
        public String name() {
            return "by-id";
        }

        @Override
        public Decision decide(FleetView view) {
            int[] free = view.types().stream().mapToInt(MachineType::machines).toArray();
            List<Grant> grants = new ArrayList<>();
            Map<Long, String> waiting = new HashMap<>();
            for (JobView job : view.jobs()) {
                int[] machines = new int[free.length];
                for (int type = 0; type < free.length; type++) {
                    boolean fits = job.rates()[type] > 0 && free[type] >= job.demand().minWorkers();
                    if (fits) {
                        machines[type] = Math.min(free[type], job.demand().maxWorkers());
                        free[type] -= machines[type];
                        grants.add(new Grant(job.id(), machines, "Its turn."));
                        break;
                    }
                }
                if (FleetPart.sum(machines) == 0) {
                    waiting.put(job.id(), "No room.");
                }
            }
            return new Decision(grants, waiting);
        }
    }
}
