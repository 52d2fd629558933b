package dev.medley.plan.simulator.step;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.simulator.sum.Sums;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The slices of a step in the order in which they leave, and when each does as a part of computing.
 * With local steps a step is a round, and everything leaves at its end, except fragments that
 * travel during it.
 *
 * @param slices buckets, running statistics, tail
 * @param readyParts of computing after which each leaves, ascending; the last ones 1
 * @param fragmentEnds after the last slice of each fragment; empty where none travel meanwhile
 * @param innerBatch samples of a step that a worker takes by itself; 0 where all take each together
 */
public record StepShape(
        List<Sums.Slice> slices,
        List<Double> readyParts,
        List<Integer> fragmentEnds,
        int innerBatch) {
    /** Doubles that each rank says of itself at the end of a step, as {@code Tail} has them. */
    private static final int TAIL_FIELDS = 5;

    /** Doubles behind each fragment, as {@code FragmentSums} has them. */
    private static final int FRAGMENT_FIELDS = 2;

    /** The shape of a step of {@code machines} that share {@code batch} samples. */
    public static StepShape of(TrainingLoad load, StrategySpec strategy, int machines, int batch) {
        boolean isLocal = strategy.algorithm().hasRounds();
        StepShape shape = new StepShape(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), 0);
        if (strategy.round().stream().isNone()) {
            shape.addBuckets(load, isLocal);
        } else {
            shape.addFragments(load.inFragments(strategy.round().stream().fragments()));
        }
        if (load.statisticBytes() > 0) {
            shape.addAtTheEnd(load.statisticBytes(), false);
        }
        shape.addAtTheEnd((double) TAIL_FIELDS * Double.BYTES * machines, false);
        int asked = strategy.round().innerBatch();
        int inner = asked > 0 ? asked : Math.max(1, batch / machines);
        return new StepShape(
                List.copyOf(shape.slices),
                List.copyOf(shape.readyParts),
                List.copyOf(shape.fragmentEnds),
                isLocal ? inner : 0);
    }

    /** The same with other steps that a worker takes by itself. */
    public StepShape inStepsOf(int samples) {
        return new StepShape(slices, readyParts, fragmentEnds, innerBatch == 0 ? 0 : samples);
    }

    private void addBuckets(TrainingLoad load, boolean isLocal) {
        for (TrainingLoad.Bucket bucket : load.buckets()) {
            slices.add(new Sums.Slice(bucket.bytes(), true));
            double backward = (1 - SimulatedWorker.FORWARD_PART) * bucket.readyPart();
            readyParts.add(isLocal ? 1.0 : SimulatedWorker.FORWARD_PART + backward);
        }
    }

    private void addFragments(List<List<Long>> fragments) {
        for (List<Long> buckets : fragments) {
            buckets.forEach(bytes -> addAtTheEnd(bytes, true));
            addAtTheEnd((double) FRAGMENT_FIELDS * Double.BYTES, false);
            fragmentEnds.add(slices.size());
        }
    }

    private void addAtTheEnd(double bytes, boolean isCoded) {
        slices.add(new Sums.Slice(bytes, isCoded));
        readyParts.add(1.0);
    }

    double readyPart(int slice) {
        return readyParts.get(slice);
    }

    /** Slices that belong to fragments; they are the first ones. */
    public int fragmentSlices() {
        return fragmentEnds.isEmpty() ? 0 : fragmentEnds.get(fragmentEnds.size() - 1);
    }

    /** Steps that a worker takes by itself for a share. */
    public double innerSteps(int share) {
        return innerBatch == 0 ? 1 : Math.ceil((double) share / innerBatch);
    }

    /** The line of a share between two exchanges: each inner step costs an alpha. */
    public StepTime time(StepTime ofAStep) {
        return innerBatch == 0
                ? ofAStep
                : new StepTime(0, ofAStep.betaNs() + ofAStep.alphaNs() / innerBatch);
    }
}
