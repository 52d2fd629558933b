package dev.medley.control.simulator;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.control.planner.BalancedPlan;
import dev.medley.control.planner.PlanSource;
import dev.medley.control.planner.PlanSource.Measured;
import dev.medley.control.planner.SharePlan;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;

/**
 * Who computes how much: the planner's own classes, told of simulated steps as a coordinator tells
 * them of real ones. Machines differ, so shares follow speed unless the job says otherwise.
 */
final class Shares {
    private static final int STEPS_OF_RUN = 1_000_000;

    private final PlanSource plans;
    private final List<Worker> workers;
    private final Group group;
    private int version = 1;
    private List<Integer> shares;

    private Shares(PlanSource plans, List<Worker> workers, Group group) {
        this.plans = plans;
        this.workers = workers;
        this.group = group;
        this.shares = plans.plan(group, version, 0).shares();
    }

    static Shares of(
            StrategySpec strategy, int batch, int innerBatch, Fabric fabric, List<Worker> workers) {
        int samples = strategy.round().syncEvery() * batch;
        int inner = innerBatch == 0 ? batch : innerBatch;
        boolean asAsked = strategy.shares().size() == workers.size();
        List<Double> wanted = asAsked ? strategy.shares() : List.of();
        SharePlan even = new SharePlan(samples, inner, 1, wanted);
        Group group = group(fabric);
        if (asAsked || strategy.balance() == StrategySpec.Balance.NONE) {
            return new Shares(even, workers, group);
        }
        BalancedPlan balanced = BalancedPlan.of(even, strategy.round().syncEvery(), STEPS_OF_RUN);
        for (int rank = 0; rank < workers.size(); rank++) {
            StepTime time = workers.get(rank).time();
            int tried = Math.max(1, samples / workers.size());
            balanced.joins(worker(rank), List.of(tried(time, tried), tried(time, 2 * tried)));
        }
        return new Shares(balanced, workers, group);
    }

    /** Samples of each rank between two exchanges. */
    List<Integer> now() {
        return shares;
    }

    /** Samples of all ranks between two exchanges. */
    double samples() {
        return shares.stream().mapToInt(share -> share).sum();
    }

    /**
     * Tells what a step took; whether the next ones have other shares.
     *
     * @param taken samples that a rank took, of its share
     */
    boolean after(int step, IntBinaryOperator taken) {
        Map<WorkerId, Measured> measured = new HashMap<>();
        for (int rank = 0; rank < workers.size(); rank++) {
            Worker worker = workers.get(rank);
            measured.put(
                    worker(rank),
                    new Measured(
                            taken.applyAsInt(rank, shares.get(rank)),
                            (long) worker.computeNs(),
                            0,
                            (long) worker.exchangeNs(),
                            0));
        }
        plans.stepped(step, measured);
        if (plans.wish(step) == null) {
            return false;
        }
        shares = plans.plan(group, ++version, step).shares();
        return true;
    }

    private static Measured tried(StepTime time, int share) {
        return Measured.alone(share, (long) time.predictNs(share));
    }

    private static WorkerId worker(int rank) {
        return new WorkerId(rank + 1);
    }

    private static Group group(Fabric fabric) {
        List<Member> members = new ArrayList<>();
        for (int rank = 0; rank < fabric.size(); rank++) {
            String site = fabric.kind(rank).machine().site();
            String host = "simulated-" + rank;
            members.add(new Member(worker(rank), host, site, "simulated", 1, "simulated"));
        }
        return new Group(1, members);
    }
}
