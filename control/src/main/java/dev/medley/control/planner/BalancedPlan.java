package dev.medley.control.planner;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.profile.speed.SpeedTracker;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeFit;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shares that follow measured speed: learns what each worker's steps take, wishes for another plan
 * when {@link Balance} says that it pays, and cuts the batch of every new group by what it knows. A
 * worker that is new is taken for as fast as the mean of those that are known.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class BalancedPlan implements PlanSource {
    /** What a plan is judged by at least: two observations of each worker. */
    private static final int SETTLE_STEPS = 6;

    private final SharePlan even;
    private final Balance policy;
    private final long lastStep;
    private final Map<WorkerId, SpeedTracker> speeds = new HashMap<>();

    private List<WorkerId> ranks = List.of();
    private List<Integer> shares = List.of();
    private double exchangeNs;
    private Balance.@Nullable Decision wished;
    private int stepsOfPlan;

    /**
     * Nothing is known yet.
     *
     * @param even cuts the batch as long as no speed is known
     * @param policy decides whether shares change
     * @param lastStep of the run
     */
    public BalancedPlan(SharePlan even, Balance policy, long lastStep) {
        this.even = even;
        this.policy = policy;
        this.lastStep = lastStep;
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        List<WorkerId> members = group.members().stream().map(Member::worker).toList();
        if (!members.equals(ranks)) {
            wished = null; // It was meant for others.
        }
        ranks = members;
        Plan plan = even.plan(group, version, committedStep);
        if (ranks.stream().anyMatch(worker -> fit(worker).isKnown())) {
            plan = measured(version);
        }
        shares = plan.shares();
        wished = null;
        stepsOfPlan = 0;
        return plan;
    }

    @Override
    public void joins(WorkerId worker, List<Measured> tried) {
        SpeedTracker guess = SpeedTracker.unknown();
        for (Measured share : tried) {
            guess = guess.tried(share.share(), (double) share.computeNs());
        }
        speeds.put(worker, guess);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        stepsOfPlan++;
        byWorker.forEach(
                (worker, measured) ->
                        speeds.put(
                                worker,
                                speeds.getOrDefault(worker, SpeedTracker.unknown())
                                        .after(measured.share(), (double) measured.computeNs())));
        double least = byWorker.values().stream().mapToDouble(Measured::exchangeNs).min().orElse(0);
        exchangeNs = exchangeNs == 0 ? least : 0.9 * exchangeNs + 0.1 * least;
    }

    @Override
    public @Nullable String wish(long step) {
        if (wished != null) {
            return wished.why(); // Until it is granted: the group may take some steps more.
        }
        if (stepsOfPlan < SETTLE_STEPS
                || !ranks.stream().allMatch(worker -> fit(worker).isSettled())) {
            return null;
        }
        Balance.Decision decision =
                policy.decide(
                        new Balance.Measured(
                                ranks.stream().map(WorkerId::toString).toList(),
                                shares,
                                times(),
                                Collections.nCopies(ranks.size(), even.batch()),
                                errorNs(),
                                exchangeNs,
                                lastStep - step));
        wished = decision.isChange() ? decision : null;
        return decision.isChange() ? decision.why() : null;
    }

    /** As was wished, unless somebody came or left meanwhile. */
    private Plan measured(int version) {
        if (wished != null) {
            return even.cut(version, wished.shares(), wished.why());
        }
        int least = even.batch() >= ranks.size() ? 1 : 0;
        List<Integer> best =
                WaterFilling.split(
                        even.batch(),
                        times().stream()
                                .map(t -> new WaterFilling.Vessel(t, least, even.batch()))
                                .toList());
        String reason =
                "%s %d is cut into %s by measured speed".formatted(even.what(), even.batch(), best);
        return even.cut(version, best, reason);
    }

    private List<StepTime> times() {
        List<StepTime> known =
                ranks.stream()
                        .map(this::fit)
                        .filter(StepTimeFit::isKnown)
                        .map(StepTimeFit::line)
                        .toList();
        StepTime usual =
                new StepTime(
                        known.stream().mapToDouble(StepTime::alphaNs).average().orElse(0),
                        known.stream().mapToDouble(StepTime::betaNs).average().orElse(1));
        return ranks.stream()
                .map(this::fit)
                .map(fit -> fit.isKnown() ? fit.line() : usual)
                .toList();
    }

    /** What is gained is a difference between workers, and each of them may be misjudged. */
    private double errorNs() {
        double squares =
                ranks.stream()
                        .mapToDouble(worker -> fit(worker).errorNs())
                        .map(error -> error * error)
                        .sum();
        return Math.sqrt(squares);
    }

    private StepTimeFit fit(WorkerId worker) {
        return speeds.getOrDefault(worker, SpeedTracker.unknown()).fit();
    }
}
