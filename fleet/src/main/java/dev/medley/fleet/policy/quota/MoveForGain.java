package dev.medley.fleet.policy.quota;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Wraps a policy so that a job changes machines only where that gains more than its measured
 * restart costs: {@code restart + work / new rate < work / old rate}. Of a job whose size nobody
 * declared as much work is taken to be left as it did. It keeps what it holds where that is free
 * after all other grants; else it moves as the policy wants.
 */
public record MoveForGain(Policy policy) implements Policy {
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
        Decision decision = policy.decide(view);
        Map<Long, JobView> running = new HashMap<>();
        for (JobView job : view.jobs()) {
            if (job.runs()) {
                running.put(job.id(), job);
            }
        }
        int[] free = new int[view.types().size()];
        for (int type = 0; type < free.length; type++) {
            free[type] = view.types().get(type).machines();
        }
        decision.grants().forEach(grant -> take(free, grant.machines(), 1));
        List<Grant> grants = new ArrayList<>(decision.grants());
        boolean changed = true;
        // What one job gives back may let another one stay.
        while (changed) {
            changed = false;
            for (int i = 0; i < grants.size(); i++) {
                Grant grant = grants.get(i);
                JobView job = running.get(grant.job());
                if (job != null && stays(job, grant) && fits(free, job, grant)) {
                    take(free, grant.machines(), -1);
                    take(free, job.held(), 1);
                    grants.set(i, kept(job));
                    changed = true;
                }
            }
        }
        return new Decision(grants, decision.waiting(), decision.note(), decision.carried());
    }

    private static boolean stays(JobView job, Grant grant) {
        int[] held = job.held();
        int workers = FleetPart.sum(held);
        boolean may = job.demand().minWorkers() <= workers && workers <= job.demand().maxWorkers();
        if (!may || Arrays.equals(held, grant.machines())) {
            return false;
        }
        double old = job.speed(held, 0);
        double work =
                job.progress().sized() ? job.progress().remainingWork() : job.progress().doneWork();
        double movesS = job.progress().restartS() + work / job.speed(grant.machines(), 0);
        return old > 0 && work / old <= movesS;
    }

    private static boolean fits(int[] free, JobView job, Grant grant) {
        for (int type = 0; type < free.length; type++) {
            if (free[type] + grant.machines()[type] < job.held()[type]) {
                return false;
            }
        }
        return true;
    }

    private static Grant kept(JobView job) {
        return new Grant(
                job.id(),
                job.held().clone(),
                String.format(
                        Locale.ROOT,
                        "It stays: other machines would gain less than the %.0f s of a restart.",
                        job.progress().restartS()));
    }

    private static void take(int[] free, int[] machines, int times) {
        for (int type = 0; type < free.length; type++) {
            free[type] -= times * machines[type];
        }
    }
}
