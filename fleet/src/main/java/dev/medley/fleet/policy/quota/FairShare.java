package dev.medley.fleet.policy.quota;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Wraps a policy in priorities, quotas, reservations and fair shares. The wrapped policy decides
 * which of an account's jobs goes first, and where and with how many machines it runs; this one,
 * whose turn it is.
 *
 * <ul>
 *   <li>Reserved machines go to jobs of their group first, and to nobody else.
 *   <li>Higher priorities go before lower ones, whatever was used.
 *   <li>Within a priority the next job is that of the group with the least {@code usage / weight},
 *       and in it of the user with the least (Kueue's AdmissionFairSharing; progressive filling).
 *       What a job gets counts at once, as a round's use.
 *   <li>No group holds more machines than its quota.
 * </ul>
 *
 * <p>The wrapped policy is asked twice for each priority, without promises: a policy of rounds
 * balances over all the time that a job had.
 *
 * @param usage of accounts when the view was taken
 * @param heldBeside machines by group that jobs hold which the view leaves out
 */
public record FairShare(
        Policy policy, ShareOptions options, Usage usage, Map<String, Integer> heldBeside)
        implements Policy {
    /** Where the view shows all jobs that hold machines. */
    public FairShare(Policy policy, ShareOptions options, Usage usage) {
        this(policy, options, usage, Map.of());
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public boolean ordersByPriority() {
        return true;
    }

    @Override
    public Decision decide(FleetView view) {
        return new Round(view).decision();
    }

    /** One decision. */
    private final class Round {
        private final FleetView view;
        private final Turns turns;
        private final List<Grant> grants = new ArrayList<>();
        private final Map<Long, String> waiting = new HashMap<>();
        private final Set<Long> granted = new HashSet<>();

        Round(FleetView view) {
            this.view = view;
            this.turns = new Turns(options, usage, view);
            turns.hold(heldBeside);
        }

        Decision decision() {
            int[] free = new int[view.types().size()];
            for (int type = 0; type < free.length; type++) {
                free[type] = view.types().get(type).machines();
            }
            for (Reservation reservation : options.reservations()) {
                if (reservation.isOn(view.nowS())) {
                    int[] kept = new int[free.length];
                    for (int type = 0; type < free.length; type++) {
                        MachineType machine = view.types().get(type);
                        if (machine.name().equals(reservation.type())) {
                            kept[type] = Math.min(free[type], reservation.machines());
                            free[type] -= kept[type];
                        }
                    }
                    share(kept, job -> job.terms().group().equals(reservation.group()));
                }
            }
            share(free, job -> true);
            granted.forEach(waiting::remove);
            return new Decision(grants, waiting);
        }

        private void share(int[] free, java.util.function.Predicate<JobView> may) {
            TreeSet<Integer> priorities = new TreeSet<>();
            view.jobs().forEach(job -> priorities.add(job.terms().priority()));
            for (int priority : priorities.descendingSet()) {
                List<JobView> jobs = new ArrayList<>();
                for (JobView job : view.jobs()) {
                    if (job.terms().priority() == priority
                            && may.test(job)
                            && !granted.contains(job.id())) {
                        jobs.add(job);
                    }
                }
                if (!jobs.isEmpty()) {
                    tier(free, jobs);
                }
            }
        }

        private void tier(int[] free, List<JobView> jobs) {
            Decision proposal = policy.decide(FleetPart.of(view, free, jobs));
            proposal.waiting().forEach(waiting::put);
            List<JobView> admitted = turns.admitted(free, jobs, proposal, waiting);
            Decision decision =
                    turns.keeps(proposal, admitted)
                            ? proposal
                            : policy.decide(FleetPart.of(view, free, admitted));
            waiting.putAll(decision.waiting());
            for (Grant grant : decision.grants()) {
                grants.add(grant);
                granted.add(grant.job());
                turns.hold(grant);
                for (int type = 0; type < free.length; type++) {
                    free[type] -= grant.machines()[type];
                }
            }
        }
    }
}
