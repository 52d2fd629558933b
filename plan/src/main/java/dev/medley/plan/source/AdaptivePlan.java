package dev.medley.plan.source;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.BatchPolicy;
import dev.medley.plan.policy.GradientNoise;
import dev.medley.plan.policy.MachineKind;
import dev.medley.profile.speed.StepTimeGuess;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes the batch follow the gradient's noise. It learns the noise from the steps, wishes for
 * another batch when {@link BatchPolicy} says that it pays, and lets another source cut the batch.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class AdaptivePlan implements PlanSource {
    /** A plan is kept for so long at least: what follows a change has to be measured first. */
    private static final int SETTLE_STEPS = 20;

    /** Noise and speed are means over many steps: to ask after each of them gains nothing. */
    private static final int CONSIDER_EVERY = 5;

    private final IntFunction<PlanSource> cut;
    private final Speeds speeds;
    private final boolean isEven;
    private final BatchPolicy policy;
    private final ToIntFunction<List<WorkerId>> room;

    private List<Before> before = List.of(); // Empty once the first group has formed.
    private PlanSource source;
    private int batch;
    private double learningRateScale = 1;
    private GradientNoise noise = GradientNoise.UNKNOWN;
    private @Nullable Group group;
    private BatchPolicy.@Nullable Decision wished;
    private int stepsOfPlan;
    private int considerAt = SETTLE_STEPS;

    /**
     * Begins with the policy's first batch.
     *
     * @param room the largest batch for which these workers have memory
     */
    private AdaptivePlan(
            IntFunction<PlanSource> cut,
            Speeds speeds,
            boolean isEven,
            BatchPolicy policy,
            ToIntFunction<List<WorkerId>> room) {
        this.room = room;
        this.cut = cut;
        this.speeds = speeds;
        this.isEven = isEven;
        this.policy = policy;
        this.batch = policy.first();
        this.source = cut.apply(batch);
    }

    /** Shares as {@code even} cuts them. */
    public static AdaptivePlan of(SharePlan even, BatchPolicy policy) {
        return new AdaptivePlan(even::of, new Speeds(), true, policy, any -> Integer.MAX_VALUE);
    }

    /** Shares that follow speed, of a batch for which the machines have memory. */
    public static AdaptivePlan of(BalancedPlan balanced, BatchPolicy policy) {
        return new AdaptivePlan(
                balanced::of, balanced.speeds(), false, policy, balanced::mostSamples);
    }

    /**
     * A plan that a run had before it is gone on with.
     *
     * @param fromStep the first step under it
     */
    public record Before(long fromStep, int batch, double learningRateScale) {}

    /**
     * Goes on with the batch and the learning rate of the step after which the first group forms. A
     * machine may hold a later state than what was saved.
     *
     * @param plans in order of steps
     * @param savedStep after which it is thought to form
     */
    public AdaptivePlan goingOn(List<Before> plans, long savedStep) {
        before = List.copyOf(plans);
        goOnAfter(savedStep);
        return this;
    }

    private void goOnAfter(long step) {
        for (Before plan : before) {
            if (plan.fromStep() <= step) {
                batch = Math.max(policy.first(), Math.min(policy.largest(), plan.batch()));
                learningRateScale = plan.learningRateScale();
            }
        }
        source = cut.apply(batch);
    }

    @Override
    public Plan plan(Group next, int version, long committedStep) {
        if (!before.isEmpty()) {
            goOnAfter(committedStep);
            before = List.of();
        }
        group = next;
        stepsOfPlan = 0;
        considerAt = SETTLE_STEPS;
        BatchPolicy.Decision granted = wished;
        wished = null;
        if (granted == null) {
            Plan plan = source.plan(next, version, committedStep);
            String rate = String.format(Locale.ROOT, "; learning rate x %.2f", learningRateScale);
            String why = learningRateScale == 1 ? plan.why() : plan.why() + rate;
            return plan.scaled(learningRateScale, why + unmeasured(next, plan));
        }
        batch = granted.batch();
        learningRateScale = granted.learningRateScale();
        source = cut.apply(batch);
        Plan plan = source.plan(next, version, committedStep);
        return plan.scaled(learningRateScale, granted.why() + "; " + plan.why());
    }

    private static String unmeasured(Group group, Plan plan) {
        return group.size() > 1 || plan.microBatch() < plan.globalBatch()
                ? ""
                : "; a single worker that computes its batch at once cannot measure the gradient's"
                        + " noise, so the batch stays (train.accumulate: 2 would do)";
    }

    @Override
    public TrialScope comes(WorkerId worker, MachineKind machine) {
        return source.comes(worker, machine);
    }

    @Override
    public @Nullable String outOfMemory(String machine) {
        return source.outOfMemory(machine);
    }

    @Override
    public void guessed(WorkerId worker, StepTimeGuess guess) {
        source.guessed(worker, guess);
        if (isEven) {
            speeds.guessed(worker, guess);
        }
    }

    @Override
    public void joins(WorkerId worker, List<Measured> tried) {
        source.joins(worker, tried);
        if (isEven) {
            speeds.joins(worker, tried);
        }
    }

    @Override
    public @Nullable String resized(WorkerId worker, MachineKind machine, double faster) {
        if (isEven) {
            speeds.resized(worker, faster);
        }
        return source.resized(worker, machine, faster);
    }

    @Override
    public void noised(NoiseSample sample) {
        noise = noise.after(sample);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        stepsOfPlan++;
        source.stepped(step, byWorker);
        if (isEven) {
            speeds.stepped(byWorker);
        }
    }

    @Override
    public @Nullable String wish(long step) {
        if (wished != null) {
            return wished.why(); // Until it is granted: the group may take some steps more.
        }
        String other = source.wish(step);
        if (other != null || stepsOfPlan < considerAt || !noise.isKnown()) {
            return other;
        }
        considerAt = stepsOfPlan + CONSIDER_EVERY;
        List<WorkerId> ranks = ranks();
        if (!ranks.stream().allMatch(worker -> speeds.fit(worker).isSettled())) {
            return null;
        }
        BatchPolicy.Decision decision =
                policy.atMost(room.applyAsInt(ranks))
                        .decide(
                                batch,
                                noise.scale(),
                                samples -> speeds.stepNs(ranks, shares(samples)));
        wished = decision.isChange() ? decision : null;
        return decision.isChange() ? decision.why() : null;
    }

    private List<WorkerId> ranks() {
        Group present = group;
        return present == null
                ? List.of()
                : present.members().stream().map(Member::worker).toList();
    }

    /** As a step of so many samples would be cut. */
    private List<Integer> shares(int samples) {
        Group present = group;
        return present == null ? List.of() : cut.apply(samples).plan(present, 0, 0).shares();
    }
}
