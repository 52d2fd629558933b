package dev.medley.control.forecast;

import dev.medley.base.Group;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.base.route.SumCost;
import dev.medley.control.planner.GradientNoise;
import dev.medley.control.planner.PlanAround;
import dev.medley.control.planner.PlanSource;
import dev.medley.profile.cluster.ClusterProfile;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code compress: auto}: plans of another source, with the codec between sites that {@link
 * CodecPolicy} chooses. It begins with one that no training feels, learns from the steps what they
 * take, and wishes for another group when another codec is right. All members of a group have its
 * codec from its first step on, as they have its shares; a recorded plan says which.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class CodecPlan extends PlanAround {
    private static final double NS_PER_SECOND = 1e9;

    /** Parts of a float that stand for no codec, and for one that leaves nothing. */
    private static final double ALL = 0.999_999;

    private static final double NOTHING = 1e-9;

    private final Terms terms;
    private final CodecPolicy policy;
    private final ExposedTime exposed = new ExposedTime();
    private final int settleSteps;
    private final int considerEvery;

    private Compress present;
    private GradientNoise noise = GradientNoise.UNKNOWN;
    private @Nullable ClusterProfile measured;
    private @Nullable Group group;
    private CodecPolicy.@Nullable Decision wished;
    private double slowness = 1;
    private double elapsedNs;
    private long batch = 1;
    private int stepsOfPlan;
    private int considerAt;

    /**
     * What a choice rests on beside the steps.
     *
     * @param strategy of the job, which leaves the codec open
     * @param facts of the job
     * @param lastStep of the run; {@link Long#MAX_VALUE} where time alone ends it
     * @param ways machines of a group in order of rank, and what is known of the ways between them
     *     before any was measured
     */
    public record Terms(
            StrategySpec strategy,
            ModelFacts facts,
            long lastStep,
            Function<Group, ClusterProfile> ways) {
        boolean hasRounds() {
            return strategy.round().syncEvery() > 1;
        }

        /** Part of a step's compute behind which sums travel. */
        double hiddenPart() {
            int every = strategy.round().syncEvery();
            int flying =
                    strategy.round().stream().fragments() * strategy.round().stream().overlap();
            return hasRounds()
                    ? Math.min(1, (double) flying / every)
                    : Overlap.BACKWARD_PART * (1 - facts.lastBucketPart());
        }
    }

    /** Plans of {@code source}. */
    public CodecPlan(Terms terms, PlanSource source) {
        super(source);
        this.terms = terms;
        this.policy = CodecPolicy.of(terms.strategy().codec());
        this.present = policy.first();
        // The times of a round are means of many batches by themselves.
        this.settleSteps = terms.hasRounds() ? 3 : 20;
        this.considerEvery = terms.hasRounds() ? 1 : 5;
        this.considerAt = settleSteps;
    }

    @Override
    public Plan plan(Group next, int version, long committedStep) {
        Plan plan = source.plan(next, version, committedStep);
        CodecPolicy.Decision granted = wished;
        wished = null;
        group = next;
        stepsOfPlan = 0;
        considerAt = settleSteps;
        exposed.forget();
        if (granted == null) {
            return plan.with(plan.microBatch(), plan.why() + "; " + staying(next));
        }
        present = granted.codec();
        return plan.with(plan.microBatch(), granted.why() + "; " + plan.why());
    }

    private String staying(Group next) {
        return !isOverBorders(next)
                ? "no codec, since nothing crosses the border of a site"
                : "between sites as " + present.name().toLowerCase(Locale.ROOT);
    }

    /** Where all share memory, sites or not, nothing is coded. */
    private boolean isOverBorders(Group members) {
        boolean isShared =
                members.isOnOneHost()
                        && terms.strategy().transport() == StrategySpec.Transport.SHARED_MEMORY;
        return members.sites().size() > 1 && !isShared;
    }

    @Override
    public StrategySpec strategy() {
        return terms.strategy().with(present);
    }

    @Override
    public void knows(ClusterProfile cluster) {
        ClusterProfile before = measured;
        if (before == null || !bandwidths(before).equals(bandwidths(cluster))) {
            slowness = 1;
        }
        measured = cluster;
        super.knows(cluster);
    }

    private static Long bandwidths(ClusterProfile cluster) {
        return ClusterLinks.of(cluster).figures().betweenBytesPerSecond();
    }

    /** What topk leaves of a gradient's length says nothing of its noise. */
    @Override
    public void noised(NoiseSample sample) {
        if (present != Compress.TOPK) {
            noise = noise.after(sample);
        }
        super.noised(sample);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> byWorker) {
        stepsOfPlan++;
        exposed.stepped(byWorker.values());
        super.stepped(step, byWorker);
    }

    @Override
    public void took(long samples, long stepNs) {
        batch = Math.max(1, samples);
        elapsedNs += stepNs;
        super.took(samples, stepNs);
    }

    @Override
    public @Nullable String wish(long step) {
        if (wished != null) {
            return wished.why(); // Until it is granted: the group may take some steps more.
        }
        String other = source.wish(step);
        Group now = group;
        if (other != null || now == null || !isOverBorders(now) || stepsOfPlan < considerAt) {
            return other;
        }
        considerAt = stepsOfPlan + considerEvery;
        CodecPolicy.Decision decision = policy.decide(present, situation(now, step));
        wished = decision.codec() == present ? null : decision;
        return wished == null ? null : decision.why();
    }

    private CodecPolicy.Situation situation(Group now, long step) {
        ClusterLinks links = ClusterLinks.of(cluster(now));
        double restNs = sumNs(links, NOTHING);
        double wholeNs = sumNs(links, ALL) - restNs;
        double predictedNs =
                restNs + wholeNs * Coarseness.of(present, terms.strategy().codec()).part();
        slowness = exposed.slowness(slowness, predictedNs, terms.hiddenPart());
        return new CodecPolicy.Situation(
                exposed.hiddenNs(terms.hiddenPart()),
                slowness * wholeNs,
                slowness * restNs,
                progress(step),
                noise());
    }

    private double sumNs(ClusterLinks links, double part) {
        return SumCost.of(terms.facts().parameterBytes(), part, links.sites(), links.figures())
                .ns();
    }

    /** What was measured, if it is of these sites. */
    private ClusterProfile cluster(Group now) {
        ClusterProfile known = measured;
        return known != null && known.sites().size() == now.sites().size()
                ? known
                : terms.ways().apply(now);
    }

    private double progress(long step) {
        double ofSteps = (double) step / terms.lastStep();
        double seconds = terms.facts().budget().seconds();
        double ofTime = seconds > 0 ? elapsedNs / NS_PER_SECOND / seconds : 0;
        return Math.min(1, Math.max(ofSteps, ofTime));
    }

    private double noise() {
        return noise.isKnown() ? noise.scale().least() / batch : Double.POSITIVE_INFINITY;
    }
}
