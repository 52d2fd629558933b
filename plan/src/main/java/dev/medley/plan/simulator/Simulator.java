package dev.medley.plan.simulator;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedLinks;
import dev.medley.plan.simulator.step.StepShape;
import dev.medley.plan.simulator.step.TrainingLoad;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Simulates some dozens of steps, until their mean is known to half a per cent, and extrapolates.
 * Equal arguments give equal results.
 *
 * <p>Machines compute their shares, buckets leave while backward goes on, links fill in the order
 * of messages, and a step ends on a machine when it has all sums ({@link SimulatedGroup}). What
 * lies within a round is {@link dev.medley.plan.simulator.fabric.RoundActivity}'s. Shares are cut
 * and changed, machines left out and codecs chosen by the classes that do so in a run ({@link
 * Shares}).
 *
 * <p>Where the codec is chosen while a run goes on, some steps are simulated in each fifth of it,
 * once its choice stands; where connections are slow for a while, all steps until that is over and
 * everybody is back.
 */
public final class Simulator {
    private static final int LEAST_STEPS = 6;
    private static final int MOST_STEPS = 60;
    private static final int MOST_STEPS_OF_MANY = 16;
    private static final int MANY_MACHINES = 256;
    private static final int MOST_STEPS_OF_SPELLS = 3000;

    /** Parts of a run with an open codec, in whose middle it is looked at. */
    private static final int STRETCHES = 5;

    /** After so many steps of a group without a wish its codec stands: {@code CodecPlan}'s own. */
    private static final int SETTLING_STEPS = 31;

    private static final int SETTLING_ROUNDS = 6;

    /** A choice that goes to and fro is taken as it comes. */
    private static final int MOST_SETTLING = 5;

    private final SimulatedCluster cluster;
    private final StrategySpec strategy;
    private final int batch;
    private final long seed;
    private final EventQueue events = new EventQueue();
    private final Fabric fabric;
    private final StepShape shape;
    private final TrainingLoad load;
    private final Shares shares;
    private SimulatedGroup formation;
    private int groups;
    private int steps;
    private int stepsOfGroup;
    private int stepsAfterSpells;

    /** When the group began that takes the next step, with the time in which it formed. */
    private double beganNs;

    private Simulator(
            SimulatedCluster cluster,
            TrainingLoad load,
            StrategySpec strategy,
            int batch,
            long seed) {
        this.cluster = cluster;
        this.strategy = strategy;
        this.batch = batch;
        this.seed = seed;
        this.load = load;
        fabric = new Fabric(cluster, seed);
        shape = StepShape.of(load, strategy, fabric.size(), batch);
        List<StepTime> times =
                IntStream.range(0, fabric.size())
                        .mapToObj(rank -> shape.time(fabric.kind(rank).time()))
                        .toList();
        shares =
                new Shares(new Plans.Job(strategy, load, batch, shape.innerBatch()), fabric, times);
        formation = new SimulatedGroup(events, fabric, task(), 0, seed);
    }

    private SimulatedGroup.Task task() {
        return new SimulatedGroup.Task(load, shares.strategy(), batch, shape.innerBatch());
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
        return new Simulator(cluster, load, strategy, batch, seed).simulated();
    }

    private SimulatedRun simulated() {
        List<Tally.Mean> means = new ArrayList<>();
        int stretches = strategy.hasOpenCodec() ? STRETCHES : 1;
        for (int stretch = 0; stretch < stretches; stretch++) {
            means.add(stretch(stretches == 1 ? 0 : (stretch + 0.5) / stretches));
        }
        Tally.Mean mean = Tally.Mean.of(means);
        double perSecond = mean.samples() / mean.stepNs() * 1e9;
        double kept = SpotLosses.keptPart(cluster, mean.stepNs(), seed);
        return new SimulatedRun(
                fabric.size(),
                batch,
                shares.now(),
                mean.steps(),
                mean.stepNs(),
                mean.computeNs(),
                perSecond * kept,
                ownSamplesPerSecond(),
                borders(mean),
                mean.insideBytes() / mean.samples(),
                shares.said());
    }

    /** Some steps when so much of the run is done. */
    private Tally.Mean stretch(double progress) {
        long number = (long) (progress * Plans.STEPS_OF_RUN);
        if (strategy.hasOpenCodec()) {
            number = settled(number);
        }
        Tally tally = new Tally(fabric);
        while (!isEnough(tally)) {
            step(++number, tally);
            stepsAfterSpells += isAfterSpells() ? 1 : 0;
        }
        return tally.mean();
    }

    /** The number of the last step after which the codec stands. */
    private long settled(long before) {
        int enough = strategy.round().syncEvery() > 1 ? SETTLING_ROUNDS : SETTLING_STEPS;
        long number = before;
        stepsOfGroup = 0;
        while (stepsOfGroup < enough && number - before < (long) MOST_SETTLING * enough) {
            step(++number, new Tally(fabric));
        }
        return number;
    }

    /** Takes a step, and follows what is planned then. */
    private void step(long number, Tally tally) {
        formation.step(shares.now());
        double nowNs = formation.latestNs();
        double stepNs = nowNs - beganNs;
        tally.add(stepNs, formation.computeNs(), formation.summed());
        steps++;
        stepsOfGroup++;
        switch (shares.after(number, formation, stepNs, nowNs)) {
            case NONE -> beganNs = nowNs;
            case SHARES -> {
                formation.formAnew(Costs.FORMING_NS);
                beganNs = formation.latestNs();
            }
            case GROUP -> {
                beganNs = nowNs;
                stepsOfGroup = 0;
                long drawn = Seeds.of(seed, 4, ++groups);
                Fabric members = fabric.of(shares.ranks());
                long owed = formation.behind();
                formation = new SimulatedGroup(events, members, task(), owed, drawn);
                formation.beginLater(nowNs + shares.formingNs());
            }
        }
    }

    private boolean isEnough(Tally tally) {
        int most = fabric.size() > MANY_MACHINES ? MOST_STEPS_OF_MANY : MOST_STEPS;
        if (!areSpellsOver()) {
            return false;
        }
        if (!tally.isAny() || tally.counted() >= most) {
            return tally.counted() >= most;
        }
        boolean isCalm = cluster.kinds().stream().allMatch(kind -> kind.unrest().isCalm());
        return (isCalm && cluster.links().areCalm() && formation.isEven()) || tally.isSure();
    }

    private boolean areSpellsOver() {
        return cluster.spells().isEmpty()
                || stepsAfterSpells >= LEAST_STEPS
                || steps >= MOST_STEPS_OF_SPELLS;
    }

    /** Whether nothing is slow any more, and all take part. */
    private boolean isAfterSpells() {
        return shares.ranks().size() == fabric.size()
                && cluster.spells().stream().allMatch(spell -> spell.untilNs() <= beganNs);
    }

    private double ownSamplesPerSecond() {
        double perSecond = 0;
        for (int rank = 0; rank < shares.ranks().size(); rank++) {
            int share = Math.max(1, shares.now().get(rank));
            perSecond += formation.workers().get(rank).time().samplesPerSecond(share);
        }
        return perSecond;
    }

    private List<SimulatedRun.Border> borders(Tally.Mean mean) {
        return mean.crossed().entrySet().stream()
                .sorted(Comparator.comparingDouble(this::bytesPerSecond))
                .map(
                        border ->
                                new SimulatedRun.Border(
                                        border.getKey().toString(),
                                        border.getValue(),
                                        border.getValue() / mean.samples()))
                .toList();
    }

    private double bytesPerSecond(Map.Entry<SimulatedLinks.Pair, Double> border) {
        SimulatedLinks.Pair pair = border.getKey();
        return cluster.links().between(pair.one(), pair.other()).way().bytesPerSecond();
    }
}
