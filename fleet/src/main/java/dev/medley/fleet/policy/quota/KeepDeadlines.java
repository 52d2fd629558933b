package dev.medley.fleet.policy.quota;

import dev.medley.base.text.Units;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Wraps a policy so that a job whose deadline is in danger goes before others of its priority. It
 * is in danger once what is left until the deadline is less than what it needs on its best machine,
 * a tenth more, a restart and two rounds (least laxity first, with a margin). A deadline that
 * cannot be kept even with all machines that the job can use gives no precedence: it would only
 * make others late.
 */
public record KeepDeadlines(Policy policy) implements Policy {
    private static final double MARGIN = 1.1;
    private static final double ROUNDS = 2;

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
        Map<Long, Double> spareS = new HashMap<>();
        for (JobView job : view.jobs()) {
            double spare = spareS(view, job);
            if (isUrgent(view, job, spare)) {
                spareS.put(job.id(), spare);
            }
        }
        if (spareS.isEmpty()) {
            return policy.decide(view);
        }
        List<JobView> jobs = new ArrayList<>();
        for (JobView job : view.jobs()) {
            int urgency = spareS.containsKey(job.id()) ? 1 : 0;
            jobs.add(ranked(job, 2 * job.terms().priority() + urgency));
        }
        Decision decision =
                policy.decide(
                        new FleetView(
                                view.nowS(),
                                view.roundS(),
                                view.types(),
                                jobs,
                                view.ended(),
                                view.carried()));
        List<Grant> grants = new ArrayList<>();
        for (Grant grant : decision.grants()) {
            Double spare = spareS.get(grant.job());
            grants.add(
                    spare == null
                            ? grant
                            : new Grant(
                                    grant.job(),
                                    grant.machines(),
                                    "its deadline leaves "
                                            + Units.duration(spare * 1e9)
                                            + " to spare; "
                                            + grant.why()));
        }
        return new Decision(grants, decision.waiting(), decision.note(), decision.carried());
    }

    /** Seconds that it could still wait, on its best machine; infinite without a deadline. */
    private static double spareS(FleetView view, JobView job) {
        double leftS = job.terms().deadlineS() - view.nowS();
        return leftS - job.progress().restartS() - job.progress().remainingWork() / job.bestRate();
    }

    private static boolean isUrgent(FleetView view, JobView job, double spareS) {
        if (Double.isInfinite(job.terms().deadlineS())
                || !job.progress().sized()
                || job.bestRate() <= 0) {
            return false;
        }
        double needsS = job.progress().remainingWork() / job.bestRate();
        double fastestS = needsS * job.demand().minWorkers() / mostWorkers(view, job);
        double leftS = job.terms().deadlineS() - view.nowS();
        return spareS < (MARGIN - 1) * needsS + ROUNDS * view.roundS() && fastestS <= leftS;
    }

    private static double mostWorkers(FleetView view, JobView job) {
        int machines = 0;
        for (int type = 0; type < job.rates().length; type++) {
            machines += job.rates()[type] > 0 ? view.types().get(type).machines() : 0;
        }
        return Math.max(job.demand().minWorkers(), Math.min(machines, job.demand().maxWorkers()));
    }

    private static JobView ranked(JobView job, int priority) {
        Terms terms = job.terms();
        return job.with(
                new Terms(
                        terms.user(),
                        terms.group(),
                        priority,
                        terms.weight(),
                        terms.deadlineS(),
                        terms.budget()));
    }
}
