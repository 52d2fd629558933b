package dev.medley.training.boosting;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.trees.TreeLearner;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the training rows of a worker's data, in file order, and tells where shares may begin. */
public final class TrainingRows implements BoostingRounds.Rows {
    private static final int AT_ONCE = 4096;

    private final TrainingData data;
    private final boolean areRanked;
    private final Map<Long, Long> borders = new HashMap<>();

    /** Those of this data, whose targets are of this kind. */
    public TrainingRows(TrainingData data, TargetKind kind) {
        this.data = data;
        this.areRanked = kind == TargetKind.GRADE;
    }

    @Override
    public long count() {
        return data.trainSamples();
    }

    /** A group belongs to the share in which it begins. */
    @Override
    public long border(long row) {
        return areRanked ? borders.computeIfAbsent(row, this::beginning) : row;
    }

    private long beginning(long row) {
        try (BatchStream stream = data.asItLies(row, count(), AT_ONCE)) {
            for (long at = row; at < count(); ) {
                Batch batch = stream.next();
                FloatBuffer targets = batch.target().data().buffer().asFloatBuffer();
                for (int i = 0; i < batch.samples(); i++, at++) {
                    if (targets.get(2 * i + 1) > 0) {
                        return at;
                    }
                }
            }
        }
        return count();
    }

    @Override
    public TreeLearner.Batches between(long from, long to) {
        return taker -> each(from, to, taker);
    }

    /** Hands all rows over, in file order. */
    public void each(Consumer<Batch> taker) {
        each(0, count(), taker);
    }

    private void each(long from, long to, Consumer<Batch> taker) {
        try (BatchStream stream = data.asItLies(from, to, AT_ONCE)) {
            for (long at = from; at < to; at += AT_ONCE) {
                taker.accept(stream.next());
            }
        }
    }
}
