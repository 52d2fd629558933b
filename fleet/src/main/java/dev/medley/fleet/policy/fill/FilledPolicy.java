package dev.medley.fleet.policy.fill;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Lets another policy decide, then deals idle machines to jobs that run and can use more. Each goes
 * to whom it saves the most time, of those with the highest priority that can use it: with a
 * concave speed-up, equal derivatives are the best split (SmartFill, arXiv 2509.01811). A job's
 * speed is as {@link JobView#speed} says, with a loss of {@value #LOSS}; types may be mixed. A
 * machine has to save more than {@value #RESTARTS} restarts.
 */
public final class FilledPolicy implements Policy {
    /** Part of the speed that each further machine costs. */
    static final double LOSS = 0.04;

    /** How many restarts' time a machine has to save. */
    static final double RESTARTS = 2;

    /** Seconds that a job of unknown size is taken to need still, at least. */
    private static final double UNKNOWN_S = 600;

    private final Policy policy;

    /**
     * @param policy that decides first
     */
    public FilledPolicy(Policy policy) {
        this.policy = policy;
    }

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
        if (view.jobs().stream().allMatch(job -> job.demand().isGang())) {
            return decision;
        }
        int[] free = view.types().stream().mapToInt(MachineType::machines).toArray();
        Map<Long, JobView> jobs = new HashMap<>();
        view.jobs().forEach(job -> jobs.put(job.id(), job));
        List<Share> shares = new ArrayList<>();
        for (Grant grant : decision.grants()) {
            for (int type = 0; type < free.length; type++) {
                free[type] -= grant.machines()[type];
            }
            JobView job = jobs.get(grant.job());
            if (job != null) {
                shares.add(new Share(job, grant));
            }
        }
        deal(shares, free);
        List<Grant> grants = shares.stream().map(share -> share.grant(view)).toList();
        return new Decision(grants, decision.waiting(), decision.note(), decision.carried());
    }

    /** What one more machine would save a job. */
    private record Offer(int share, int priority, int type, double savedS) {
        static final Comparator<Offer> BEST =
                Comparator.comparingInt((Offer o) -> -o.priority)
                        .thenComparingDouble(o -> -o.savedS)
                        .thenComparingInt(Offer::share);
    }

    /** Each time the machine that saves the most. */
    private static void deal(List<Share> shares, int[] free) {
        PriorityQueue<Offer> offers = new PriorityQueue<>(Offer.BEST);
        for (int share = 0; share < shares.size(); share++) {
            offer(shares, share, free, offers);
        }
        while (!offers.isEmpty()) {
            Offer best = offers.remove();
            if (free[best.type()] > 0) {
                shares.get(best.share()).take(best.type());
                free[best.type()]--;
            }
            // What it has changed, or none of that type is left: others' offers stay as they are.
            offer(shares, best.share(), free, offers);
        }
    }

    private static void offer(
            List<Share> shares, int index, int[] free, PriorityQueue<Offer> offers) {
        Share share = shares.get(index);
        int best = -1;
        double most = 0;
        for (int type = 0; share.canGrow() && type < free.length; type++) {
            double saved = free[type] > 0 ? share.saved(type) : 0;
            if (saved > most) {
                most = saved;
                best = type;
            }
        }
        if (best >= 0) {
            offers.add(new Offer(index, share.priority(), best, most));
        }
    }

    /** Holds what a job gets while machines are dealt. */
    private static final class Share {
        private final JobView job;
        private final Grant first;
        private final int[] machines;

        Share(JobView job, Grant first) {
            this.job = job;
            this.first = first;
            machines = first.machines().clone();
        }

        int priority() {
            return job.terms().priority();
        }

        private int count() {
            int count = 0;
            for (int of : machines) {
                count += of;
            }
            return count;
        }

        boolean canGrow() {
            return count() < job.demand().maxWorkers();
        }

        private double speed(int more) {
            int[] of = machines.clone();
            if (more >= 0) {
                of[more]++;
            }
            return job.speed(of, LOSS);
        }

        /** Seconds that one more machine of a type saves, what it costs to join taken off. */
        double saved(int type) {
            if (job.rates()[type] <= 0) {
                return 0;
            }
            double now = speed(-1);
            double left =
                    job.progress().sized()
                            ? job.progress().remainingWork()
                            : Math.max(UNKNOWN_S * now, job.progress().doneWork());
            boolean isHeld = job.held()[type] > machines[type];
            double cost = isHeld ? 0 : RESTARTS * job.progress().restartS();
            return left / now - left / speed(type) - cost;
        }

        void take(int type) {
            machines[type]++;
        }

        Grant grant(FleetView view) {
            List<String> more = new ArrayList<>();
            for (int type = 0; type < machines.length; type++) {
                int extra = machines[type] - first.machines()[type];
                if (extra > 0) {
                    more.add(extra + " of " + view.types().get(type).name());
                }
            }
            return more.isEmpty()
                    ? first
                    : new Grant(
                            job.id(),
                            machines,
                            first.why() + "; " + String.join(" and ", more) + " would be idle");
        }
    }
}
