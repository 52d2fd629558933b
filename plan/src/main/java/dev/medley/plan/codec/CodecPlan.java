package dev.medley.plan.codec;

import dev.medley.base.Group;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.SiteMap;
import dev.medley.base.route.SumCost;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.plan.policy.GradientNoise;
import dev.medley.plan.source.PlanAround;
import dev.medley.plan.source.PlanSource;
import dev.medley.profile.cluster.ClusterProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds codecs between sites to the plans of another source, for {@code compress: auto}. {@link
 * BorderPolicy} chooses one for each border in each direction. The plan begins with a codec whose
 * error no training feels, learns from the steps how long they take, and wishes for another group
 * when another codec is right. All members of a group have its codecs from its first step on, as
 * they have its shares; the recorded plan names them.
 *
 * <p>Where a strategy names a codec, as one that {@code strategy: auto} has chosen for its bytes,
 * that codec is the first and the coarsest, and a finer one must cost no time at all.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class CodecPlan extends PlanAround {
    private static final double NS_PER_SECOND = 1e9;

    /** Parts of a float that stand for no codec, and for one that leaves nothing. */
    private static final double ALL = 0.999_999;

    private static final double NOTHING = 1e-9;

    private final Terms terms;
    private final BorderPolicy policy;
    private final Compress first;
    private final ExposedTime exposed = new ExposedTime();
    private final int settleSteps;
    private final int considerEvery;

    /** Of the borders of the present group, and of those before. */
    private final Map<Border, Compress> present = new HashMap<>();

    private List<Border> borders = List.of();
    private Compress coarsest;
    private GradientNoise noise = GradientNoise.UNKNOWN;
    private @Nullable ClusterProfile measured;
    private @Nullable Group group;
    private BorderPolicy.@Nullable Decision wished;
    private double slowness = 1;
    private double elapsedNs;
    private long batch = 1;
    private int stepsOfPlan;
    private int considerAt;

    /**
     * What a choice rests on beside the steps.
     *
     * @param strategy of the job, which leaves the codec open, or names the coarsest
     * @param facts of the job
     * @param lastStep of the run; {@link Long#MAX_VALUE} where time alone ends it
     * @param elapsedNs in which the run has trained so far
     * @param ways machines of a group in order of rank, and what is known of the ways between them
     *     before any was measured
     */
    public record Terms(
            StrategySpec strategy,
            ModelFacts facts,
            long lastStep,
            long elapsedNs,
            Function<Group, ClusterProfile> ways) {
        /** The codecs that may be. */
        private CodecSpec allowed() {
            CodecSpec spec = strategy.codec();
            if (strategy.hasOpenCodec()) {
                return spec;
            }
            double least = Coarseness.of(strategy.compress(), spec).part();
            return spec.choosingOf(
                    Stream.concat(
                                    spec.among().stream()
                                            .filter(c -> Coarseness.of(c, spec).part() > least),
                                    Stream.of(strategy.compress()))
                            .toArray(Compress[]::new));
        }

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
        CodecPolicy codecs = CodecPolicy.of(terms.allowed());
        StrategySpec strategy = terms.strategy();
        @Nullable Compress chosen = strategy.hasOpenCodec() ? null : strategy.compress();
        this.elapsedNs = terms.elapsedNs();
        this.policy = new BorderPolicy(codecs, chosen);
        this.first = chosen == null ? codecs.first() : chosen;
        this.coarsest = first;
        // The times of a round are means of many batches by themselves.
        this.settleSteps = terms.hasRounds() ? 3 : 20;
        this.considerEvery = terms.hasRounds() ? 1 : 5;
        this.considerAt = settleSteps;
    }

    @Override
    public Plan plan(Group next, int version, long committedStep) {
        Plan plan = source.plan(next, version, committedStep);
        BorderPolicy.Decision granted = wished;
        wished = null;
        group = next;
        stepsOfPlan = 0;
        considerAt = settleSteps;
        exposed.forget();
        if (granted != null) {
            present.putAll(granted.codecs());
        }
        isAt(next);
        if (granted == null) {
            return plan.with(plan.microBatch(), plan.why() + "; " + staying(next));
        }
        return plan.with(plan.microBatch(), granted.why() + "; " + plan.why());
    }

    private void isAt(Group next) {
        borders =
                next.sites().stream()
                        .flatMap(from -> next.sites().stream().map(to -> new Border(from, to)))
                        .filter(border -> !border.from().equals(border.to()))
                        .toList();
        coarsest =
                borders.stream()
                        .map(this::codec)
                        .max(Comparator.comparingInt(policy.codecs()::place))
                        .orElse(first);
    }

    private String staying(Group next) {
        if (!isOverBorders(next)) {
            return "no codec, since nothing crosses the border of a site";
        }
        String words = "between sites as " + CodecPolicy.word(coarsest);
        Map<Border, Compress> finer = new HashMap<>();
        finer().forEach(each -> finer.put(new Border(each.from(), each.to()), each.codec()));
        return finer.isEmpty() ? words : words + ", but " + Border.words(finer);
    }

    /** The borders that need no codec as coarse as the one that needs most. */
    private List<BorderCodec> finer() {
        return borders.stream()
                .filter(border -> codec(border) != coarsest)
                .map(border -> new BorderCodec(border.from(), border.to(), codec(border)))
                .toList();
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
        return terms.strategy().with(coarsest, terms.strategy().codec().at(finer()));
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

    private static Map<Border, Long> bandwidths(ClusterProfile cluster) {
        Map<Border, Long> carried = new HashMap<>();
        ClusterLinks.borders(cluster)
                .forEach((border, way) -> carried.put(border, way.betweenBytesPerSecond()));
        return carried;
    }

    /** What topk leaves of a gradient's length says nothing of its noise. */
    @Override
    public void noised(NoiseSample sample) {
        if (coarsest != Compress.TOPK) {
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
        BorderPolicy.Decision decision = policy.decide(crossings(cluster(now), step));
        boolean isAsItIs =
                decision.codecs().entrySet().stream()
                        .allMatch(each -> codec(each.getKey()) == each.getValue());
        wished = isAsItIs ? null : decision;
        return wished == null ? null : decision.why();
    }

    /** Of each border. Steps show how slow the slowest is; that holds for all of them. */
    private List<BorderPolicy.Crossing> crossings(ClusterProfile cluster, long step) {
        SiteMap sites = ClusterLinks.of(cluster).sites();
        Map<Border, LinkFigures> ways = ClusterLinks.borders(cluster);
        double predictedNs =
                ways.entrySet().stream()
                        .mapToDouble(way -> sumNs(sites, way.getValue(), part(way.getKey())))
                        .max()
                        .orElse(0);
        slowness = exposed.slowness(slowness, predictedNs, terms.hiddenPart());
        List<BorderPolicy.Crossing> all = new ArrayList<>();
        ways.forEach(
                (border, way) ->
                        all.add(
                                new BorderPolicy.Crossing(
                                        border, codec(border), situation(sites, way, step))));
        return all;
    }

    private CodecPolicy.Situation situation(SiteMap sites, LinkFigures way, long step) {
        double restNs = sumNs(sites, way, NOTHING);
        double wholeNs = sumNs(sites, way, ALL) - restNs;
        return new CodecPolicy.Situation(
                terms.strategy().hasOpenCodec()
                        ? exposed.hiddenNs(terms.hiddenPart())
                        : exposed.behindNs(terms.hiddenPart()),
                slowness * wholeNs,
                slowness * restNs,
                progress(step),
                noise());
    }

    private double sumNs(SiteMap sites, LinkFigures way, double part) {
        return SumCost.of(terms.facts().parameterBytes(), part, sites, way).ns();
    }

    private double part(Border border) {
        CodecSpec spec = terms.strategy().codec();
        return Math.min(ALL, Coarseness.of(codec(border), spec).part());
    }

    private Compress codec(Border border) {
        return present.getOrDefault(border, first);
    }

    /** What was measured, if it is of these sites. */
    private ClusterProfile cluster(Group now) {
        ClusterProfile known = measured;
        return known != null && Set.copyOf(known.sites()).equals(Set.copyOf(now.sites()))
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
