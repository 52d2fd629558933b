package dev.medley.training.worker;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.order.SampleRange;
import dev.medley.training.boosting.BoostingRounds;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Reads the training rows of a worker's data, in file order, and tells where shares may begin. */
final class TrainingRows implements BoostingRounds.Rows {
    private static final int AT_ONCE = 4096;

    private final TrainingData data;
    private final boolean areRanked;
    private final Map<Long, Long> borders = new HashMap<>();

    /** Those of this data, whose targets are of this kind. */
    TrainingRows(TrainingData data, TargetKind kind) {
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
    public void between(long from, long to, Consumer<Batch> taker) {
        give(data.asItLies(from, to, AT_ONCE), to - from, taker);
    }

    /** Hands all rows over, in file order. */
    void each(Consumer<Batch> taker) {
        between(0, count(), taker);
    }

    /** The first samples of the first epoch, the same on all workers. */
    void ofFirstEpoch(long samples, Consumer<Batch> taker) {
        LongFunction<SampleRange> ranges =
                batch ->
                        new SampleRange(
                                0,
                                Math.min(samples, (batch - 1) * AT_ONCE),
                                Math.min(samples, batch * AT_ONCE));
        give(data.train(ranges, 1, 1), samples, taker);
    }

    private static void give(BatchStream from, long samples, Consumer<Batch> taker) {
        try (from) {
            for (long at = 0; at < samples; at += AT_ONCE) {
                taker.accept(from.next());
            }
        }
    }
}
