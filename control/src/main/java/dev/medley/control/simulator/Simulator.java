package dev.medley.control.simulator;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.Seeds;
import dev.medley.base.job.AsyncSpec;
import dev.medley.base.job.RoundSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Simulates some dozens of steps, until their mean is known to half a per cent, and extrapolates.
 * The same arguments give the same result.
 *
 * <p>Machines compute their shares, buckets leave while backward goes on, links fill in the order
 * of messages, and a step ends on a machine when it has all sums. What lies within a round is
 * {@link Within}'s. Shares are cut and changed by the classes that do so in a run ({@link Shares}).
 */
public final class Simulator {
    private static final int WARM_STEPS = 2;
    private static final int LEAST_STEPS = 6;
    private static final int MOST_STEPS = 60;
    private static final int MOST_STEPS_OF_MANY = 16;
    private static final int MANY_MACHINES = 256;
    private static final double SURE_PART = 0.005;

    private final SimulatedCluster cluster;
    private final StrategySpec strategy;
    private final int batch;
    private final EventQueue events = new EventQueue();
    private final Fabric fabric;
    private final StepShape shape;
    private final Sums sums;
    private final @Nullable Within within;
    private final List<Worker> workers = new ArrayList<>();
    private final Shares shares;
    private final List<Double> stepsNs = new ArrayList<>();
    private double computeNs;
    private double samples;

    private Simulator(
            SimulatedCluster cluster,
            TrainingLoad load,
            StrategySpec strategy,
            int batch,
            long seed) {
        this.cluster = cluster;
        this.strategy = strategy;
        this.batch = batch;
        fabric = new Fabric(cluster, seed);
        shape = StepShape.of(load, strategy, fabric.size(), batch);
        sums = LinkSums.of(events, fabric, shape.slices(), strategy, this::summed);
        within = within(load, seed);
        for (int rank = 0; rank < fabric.size(); rank++) {
            workers.add(new Worker(events, fabric, sums, shape, rank, Seeds.of(seed, 1), within));
        }
        shares = Shares.of(strategy, batch, shape.innerBatch(), fabric, workers);
    }

    /**
     * What a strategy does.
     *
     * @param batch samples of one batch over all machines, at least one for each
     * @param seed of everything that is drawn
     */
    public static SimulatedRun run(
            SimulatedCluster cluster,
            TrainingLoad load,
            StrategySpec strategy,
            int batch,
            long seed) {
        check(
                batch >= cluster.size(),
                "train.batch=%d: every one of %d machines needs a sample in each step; raise the"
                        + " batch or simulate fewer machines",
                batch,
                cluster.size());
        check(
                (long) strategy.round().syncEvery() * batch <= Integer.MAX_VALUE,
                "strategy.sync_every=%d, a batch of %d: more than 2,147,483,647 samples between two"
                        + " exchanges; simulate fewer machines, or a batch that stays",
                strategy.round().syncEvery(),
                batch);
        return new Simulator(cluster, load, strategy, batch, seed).simulated(seed);
    }

    /** What workers do within a round; null for nothing. */
    private @Nullable Within within(TrainingLoad load, long seed) {
        RoundSpec round = strategy.round();
        double bytes = load.gradientBytes();
        return switch (strategy.kind()) {
            case HYBRID ->
                    new SiteSteps(events, fabric, load, shape.innerBatch(), Seeds.of(seed, 2));
            case PARAMETER_SERVER -> pushes(bytes, round);
            case GOSSIP ->
                    new GossipLetters(
                            events, fabric, bytes, strategy.async().mixEvery(), Seeds.of(seed, 3));
            case LOCAL_SGD -> quorum(round);
            case DILOCO ->
                    round.stream().isNone()
                            ? quorum(round)
                            : new Streaming(events, fabric, sums, shape, round);
            default -> null;
        };
    }

    /** Of one site servers per site are those for all. */
    private Within pushes(double bytes, RoundSpec round) {
        AsyncSpec spec = strategy.async();
        if (spec.servers() == AsyncSpec.Servers.ALL || fabric.sites().sites() == 1) {
            return new ServerPushes(events, fabric, bytes, spec, round.syncEvery());
        }
        return new SitePushes(
                events,
                fabric,
                new SitePushes.Parameters(bytes, Costs.codedPart(strategy)),
                spec,
                round.syncEvery(),
                shape.innerBatch());
    }

    /** Where all are waited for nobody can be late, and there is nothing to tell. */
    private @Nullable Within quorum(RoundSpec round) {
        return hasQuorum()
                ? new QuorumRounds(events, fabric, round.quorum(), shape.innerBatch())
                : null;
    }

    private boolean hasQuorum() {
        return strategy.round().quorum().workers(fabric.size()) < fabric.size();
    }

    private void summed(int rank, int slice) {
        workers.get(rank).hasSum();
        if (within != null) {
            within.summed(rank, slice);
        }
    }

    private SimulatedRun simulated(long seed) {
        for (int step = 1; !isEnough(); step++) {
            step(step);
        }
        List<Double> counted = stepsNs.subList(WARM_STEPS, stepsNs.size());
        double stepNs = counted.stream().mapToDouble(ns -> ns).average().orElse(0);
        double perSecond = samplesOfAStep() / stepNs * 1e9;
        double kept = SpotLosses.keptPart(cluster, stepNs, seed);
        return new SimulatedRun(
                fabric.size(),
                batch,
                shares.now(),
                counted.size(),
                stepNs,
                computeNs / counted.size(),
                perSecond * kept,
                ownSamplesPerSecond(),
                borders(),
                fabric.movedInside() / stepsNs.size() / samplesOfAStep());
    }

    private void step(int number) {
        double before = latestNs();
        sums.begin();
        if (within != null) {
            within.begin(shares.now());
        }
        for (int rank = 0; rank < workers.size(); rank++) {
            workers.get(rank).begin(shares.now().get(rank));
        }
        events.run();
        stepsNs.add(latestNs() - before);
        double ofShares = shares.samples();
        if (within != null) {
            within.end();
        }
        if (stepsNs.size() > WARM_STEPS) {
            samples += within == null ? ofShares : within.summed(ofShares);
            computeNs += workers.stream().mapToDouble(Worker::computeNs).max().orElse(0);
        }
        if (shares.after(number, this::taken)) {
            workers.forEach(worker -> worker.pause(Costs.FORMING_NS));
        }
    }

    private int taken(int rank, int share) {
        return within == null ? share : within.taken(rank, share);
    }

    /** In the mean of those that count. */
    private double samplesOfAStep() {
        return samples / (stepsNs.size() - WARM_STEPS);
    }

    private double latestNs() {
        return workers.stream().mapToDouble(Worker::endNs).max().orElse(0);
    }

    private boolean isEnough() {
        int counted = stepsNs.size() - WARM_STEPS;
        int most = fabric.size() > MANY_MACHINES ? MOST_STEPS_OF_MANY : MOST_STEPS;
        if (counted < 2 || counted >= most) {
            return counted >= most;
        }
        boolean isCalm = cluster.kinds().stream().allMatch(kind -> kind.unrest().isCalm());
        // A gossip deals its members anew in each round; what a quorum left behind comes later.
        boolean isAlike = strategy.kind() != Kind.GOSSIP && !hasQuorum();
        if (isCalm && cluster.links().areCalm() && isAlike) {
            return true; // No two steps differ.
        }
        List<Double> ns = stepsNs.subList(WARM_STEPS, stepsNs.size());
        double mean = ns.stream().mapToDouble(n -> n).average().orElse(0);
        double squares = ns.stream().mapToDouble(n -> (n - mean) * (n - mean)).sum();
        double errorNs = Math.sqrt(squares / (counted - 1) / counted);
        return counted >= LEAST_STEPS && errorNs < SURE_PART * mean;
    }

    private double ownSamplesPerSecond() {
        double perSecond = 0;
        for (int rank = 0; rank < workers.size(); rank++) {
            int share = Math.max(1, shares.now().get(rank));
            perSecond += workers.get(rank).time().samplesPerSecond(share);
        }
        return perSecond;
    }

    private List<SimulatedRun.Border> borders() {
        double steps = stepsNs.size();
        double samples = samplesOfAStep();
        return fabric.crossed().entrySet().stream()
                .sorted(Comparator.comparingDouble(this::bytesPerSecond))
                .map(
                        border ->
                                new SimulatedRun.Border(
                                        border.getKey().toString(),
                                        border.getValue() / steps,
                                        border.getValue() / steps / samples))
                .toList();
    }

    private double bytesPerSecond(Map.Entry<Links.Pair, Double> border) {
        Links.Pair pair = border.getKey();
        return cluster.links().between(pair.one(), pair.other()).way().bytesPerSecond();
    }
}
