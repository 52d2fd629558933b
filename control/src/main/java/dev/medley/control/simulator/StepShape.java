package dev.medley.control.simulator;

import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Kind;
import dev.medley.base.job.StreamSpec;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a step is made of: the slices in the order in which they leave, and when each does as a part
 * of computing. With local steps a step is a round, and everything leaves at its end.
 *
 * @param slices buckets, running statistics, tail
 * @param readyParts of computing after which each leaves, ascending; the last ones 1
 * @param innerBatch samples of a step that a worker takes by itself; 0 where all take each together
 */
record StepShape(List<Sums.Slice> slices, List<Double> readyParts, int innerBatch) {
    /** Doubles that each rank says of itself at the end of a step, as {@code Tail} has them. */
    private static final int TAIL_FIELDS = 5;

    static StepShape of(TrainingLoad load, StrategySpec strategy, int machines, int batch) {
        boolean isLocal = strategy.kind() != Kind.DATA_PARALLEL;
        List<Sums.Slice> slices = new ArrayList<>();
        List<Double> parts = new ArrayList<>();
        for (TrainingLoad.Bucket bucket : leaving(load, strategy.round().stream())) {
            slices.add(new Sums.Slice(bucket.bytes(), true));
            double backward = (1 - Worker.FORWARD_PART) * bucket.readyPart();
            parts.add(isLocal ? 1.0 : Worker.FORWARD_PART + backward);
        }
        if (load.statisticBytes() > 0) {
            slices.add(new Sums.Slice(load.statisticBytes(), false));
            parts.add(1.0);
        }
        slices.add(new Sums.Slice((double) TAIL_FIELDS * Double.BYTES * machines, false));
        parts.add(1.0);
        int asked = strategy.round().innerBatch();
        int inner = asked > 0 ? asked : Math.max(1, batch / machines);
        return new StepShape(slices, parts, isLocal ? inner : 0);
    }

    /** Buckets, or as many fragments, taken for equally long, as a change travels in. */
    private static List<TrainingLoad.Bucket> leaving(TrainingLoad load, StreamSpec stream) {
        long bytes = (load.gradientBytes() + stream.fragments() - 1) / stream.fragments();
        return stream.isNone()
                ? load.buckets()
                : Collections.nCopies(stream.fragments(), new TrainingLoad.Bucket(bytes, 1));
    }

    double readyPart(int slice) {
        return readyParts.get(slice);
    }

    /** Steps that a worker takes by itself for a share. */
    double innerSteps(int share) {
        return innerBatch == 0 ? 1 : Math.ceil((double) share / innerBatch);
    }

    /** The line of a share between two exchanges: each inner step costs an alpha. */
    StepTime time(StepTime ofAStep) {
        return innerBatch == 0
                ? ofAStep
                : new StepTime(0, ofAStep.betaNs() + ofAStep.alphaNs() / innerBatch);
    }
}
