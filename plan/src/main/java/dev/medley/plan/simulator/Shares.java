package dev.medley.plan.simulator;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.step.SimulatedWorker;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the product's own plans ({@link Plans}): which machines take part, how much each computes,
 * and which codec is between sites. The plans are told of simulated steps as a coordinator tells
 * them of real ones, and followed as it follows them.
 */
final class Shares {
    private final PlanSource plans;
    private final StrategySpec given;
    private final Fabric whole;
    private final List<StepTime> times;
    private final @Nullable Survey survey;
    private final List<String> said = new ArrayList<>();
    private List<Integer> ranks;
    private Group group;
    private int version;
    private List<Integer> shares;
    private boolean isProbed;
    private double nowNs;

    /** What the next step begins with. */
    enum Change {
        NONE,
        /** Other shares, over the links that stand. */
        SHARES,
        /** Another group: other members, another codec, or one that has probed its ways. */
        GROUP
    }

    /**
     * A group of all machines.
     *
     * @param times of each machine between two exchanges
     */
    Shares(Plans.Job job, Fabric whole, List<StepTime> times) {
        this.whole = whole;
        this.times = times;
        given = job.strategy();
        survey = job.looksAtWays() ? new Survey(whole) : null;
        ranks = IntStream.range(0, whole.size()).boxed().toList();
        group = group(1);
        plans = job.plans(times, Shares::worker);
        shares = form(0);
    }

    /** Samples of each member between two exchanges. */
    List<Integer> now() {
        return shares;
    }

    /** The members, by rank among all machines. */
    List<Integer> ranks() {
        return ranks;
    }

    /** That of the present group, with its codec. */
    StrategySpec strategy() {
        return Objects.requireNonNullElse(plans.strategy(), given);
    }

    /** What plans said, once each. */
    List<String> said() {
        return said;
    }

    /** What it costs to form the group that was planned last. */
    double formingNs() {
        return Costs.FORMING_NS + (isProbed ? Costs.PROBING_NS : 0);
    }

    /**
     * Tells what a step took.
     *
     * @param step its number
     * @param nowNs when it was done
     */
    Change after(long step, SimulatedGroup formation, double stepNs, double nowNs) {
        plans.stepped(step, measured(formation));
        plans.took((long) formation.summed(), (long) stepNs);
        Map<WorkerId, String> out = plans.sitsOut(step);
        plans.tries(step).forEach((worker, share) -> plans.tried(worker, alone(worker, share)));
        Map<WorkerId, String> back = plans.comesBack(step);
        String why = plans.wish(step);
        if (out.isEmpty() && back.isEmpty() && why == null) {
            remember(step);
            return Change.NONE;
        }
        List<Integer> before = ranks;
        StrategySpec with = strategy();
        ranks = present(out, back);
        group = group(group.epoch() + 1);
        this.nowNs = nowNs;
        shares = form(step);
        remember(step);
        boolean isSame = ranks.equals(before) && strategy().equals(with) && !isProbed;
        return isSame ? Change.SHARES : Change.GROUP;
    }

    private Map<WorkerId, Measured> measured(SimulatedGroup formation) {
        Map<WorkerId, Measured> measured = new HashMap<>();
        for (int member = 0; member < ranks.size(); member++) {
            SimulatedWorker worker = formation.workers().get(member);
            measured.put(
                    worker(ranks.get(member)),
                    new Measured(
                            formation.taken(member),
                            (long) worker.computeNs(),
                            0,
                            (long) worker.exchangeNs(),
                            formation.sentBytes(member)));
        }
        return measured;
    }

    /** One that sits out tries a share by itself; what disturbs it is not simulated meanwhile. */
    private Measured alone(WorkerId worker, int share) {
        return tried(times.get(worker.value() - 1), share);
    }

    private List<Integer> present(Map<WorkerId, String> out, Map<WorkerId, String> back) {
        return IntStream.range(0, whole.size())
                .filter(
                        rank ->
                                back.containsKey(worker(rank))
                                        || (ranks.contains(rank) && !out.containsKey(worker(rank))))
                .boxed()
                .toList();
    }

    /** Plans for the group, which then says what it knows of its ways. */
    private List<Integer> form(long step) {
        List<Integer> planned = plans.plan(group, ++version, step).shares();
        Survey by = survey;
        isProbed = by != null && plans.probesAnew();
        if (by != null) {
            if (isProbed) {
                by.forget(ranks);
            }
            LinkReport report = by.report(group, ranks, nowNs);
            if (report != null) {
                plans.knows(Survey.profile(group, report));
                plans.surveyed(report);
            }
        }
        return planned;
    }

    private void remember(long step) {
        String remark = plans.remark();
        if (remark != null) {
            said.add("step %d: %s".formatted(step, remark));
        }
    }

    /** The time of a share for a single worker. */
    static Measured tried(StepTime time, int share) {
        return Measured.alone(share, (long) time.predictNs(share));
    }

    private static WorkerId worker(int rank) {
        return new WorkerId(rank + 1);
    }

    private Group group(int epoch) {
        List<Member> members = new ArrayList<>();
        for (int rank : ranks) {
            String site = whole.kind(rank).machine().site();
            String host = "simulated-" + rank;
            members.add(new Member(worker(rank), host, site, "simulated", 1, "simulated"));
        }
        return new Group(epoch, members);
    }
}
