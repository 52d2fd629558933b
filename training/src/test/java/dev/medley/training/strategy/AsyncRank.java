package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.SpanHash;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.bucket.Tail;
import java.nio.DoubleBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A member of a group with any strategy, in double precision; and a single process. */
public final class AsyncRank implements AutoCloseable {
    public static final int SAMPLES = 8;

    public final Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
    public final Strategy strategy;
    private Collective collective;
    private Buckets buckets;
    public int wantedBatches = Integer.MAX_VALUE;

    /** Hears of each batch that this rank is about to begin, from 0. */
    public IntConsumer atBatch = index -> {};

    public AsyncRank(Group group, Collective collective, Function<Replica, Strategy> maker) {
        this(group, collective, maker, 0);
    }

    public AsyncRank(
            Group group, Collective collective, Function<Replica, Strategy> maker, int fragments) {
        strategy = maker.apply(replica);
        join(group, collective, fragments);
    }

    /** Becomes a member of another group, with what it holds. */
    public void join(Group group, Collective with, int fragments) {
        collective = with;
        ExchangeLayout layout =
                new ExchangeLayout(
                        replica.layout().type(),
                        replica.layout().gradientBytes(),
                        0,
                        collective.size(),
                        0,
                        fragments,
                        0);
        bind();
        buckets = new Buckets(replica, collective, layout, 256, 0);
        strategy.formed(group, collective);
    }

    /** This rank, and no other that has the same collective, exchanges from now on. */
    public void bind() {
        long bytes = replica.layout().gradientBytes();
        replica.bindGradients(collective.buffer().slice(0, bytes));
    }

    @Nullable
    public StepLoss compute(long step, List<Batch> batches, int clocks, List<Integer> counts) {
        buckets.begin(new StepTag(1, step, 1));
        return strategy.compute(part(step, clocks, counts), new Given(batches), buckets);
    }

    /** A round that all end; what all said of it. */
    public Tail round(long step, List<Batch> batches, int clocks, List<Integer> counts) {
        StepLoss loss = compute(step, batches, clocks, counts);
        finish(loss, new Given(List.of()), null);
        if (buckets.tail().firstUnsoundRank() < 0) {
            strategy.update(part(step, clocks, counts), buckets.tail()).run();
        }
        return buckets.tail();
    }

    /**
     * A round of batches that come one after another, some of which may be taken in the round
     * before.
     */
    public Tail round(long step, Feed feed, List<Integer> counts) {
        return round(step, feed, counts, part(step + 1, 4, counts));
    }

    /** The same, where no round follows. */
    public Tail lastRound(long step, Feed feed, List<Integer> counts) {
        return round(step, feed, counts, null);
    }

    private Tail round(long step, Feed feed, List<Integer> counts, @Nullable Part next) {
        buckets.begin(new StepTag(1, step, 1));
        Part part = part(step, 4, counts);
        StepLoss loss = strategy.compute(part, feed, buckets);
        finish(loss, feed, next);
        if (buckets.tail().firstUnsoundRank() < 0) {
            strategy.update(part, buckets.tail()).run();
        } else {
            strategy.discarded();
        }
        return buckets.tail();
    }

    private void finish(@Nullable StepLoss loss, Feed feed, @Nullable Part next) {
        assertThat(loss).as("%s", collective.ended()).isNotNull();
        buckets.conclude(loss, 0);
        assertThat(strategy.whileSummed(() -> next, feed, buckets)).isTrue();
        assertThat(buckets.finish()).isNull();
    }

    public String hash() {
        return SpanHash.of(List.of(replica.parameters()));
    }

    public double[] parameters() {
        return doubles(replica);
    }

    private Part part(long step, int clocks, List<Integer> counts) {
        return new Part(step, collective.rank(), 0, counts, 3, clocks, i -> 1);
    }

    @Override
    public void close() {
        strategy.close();
        replica.close();
    }

    public static OptimizerSpec optimizer(OptimizerSpec.Kind kind, double rate) {
        return OptimizerSpec.defaults(kind).withLearningRate(rate);
    }

    /** The batch of a rank at a clock; the same in every round. */
    public static Batch batch(int rank, int index) {
        return Samples.of(TargetKind.VALUE, SAMPLES, 100L * rank + index);
    }

    public static List<Batch> batches(int rank, int count) {
        return IntStream.range(0, count).mapToObj(i -> batch(rank, i)).toList();
    }

    public static double[] doubles(Replica replica) {
        DoubleBuffer buffer = replica.parameters().buffer().asDoubleBuffer();
        double[] values = new double[buffer.remaining()];
        buffer.get(values);
        return values;
    }

    /** What one process makes of the same samples: at each clock a batch of those that are due. */
    public static final class Alone implements AutoCloseable {
        public final Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
        private final dev.medley.tensor.optimizer.Optimizer optimizer;

        public Alone(OptimizerSpec rule) {
            optimizer = replica.optimizer(rule);
        }

        public void step(List<Batch> batches) {
            replica.zeroGradients();
            StepLoss sum = StepLoss.NONE;
            for (Batch batch : batches) {
                sum = sum.plus(replica.forwardBackward(batch, 1, slot -> {}));
            }
            new GradientUpdate(replica, optimizer, sum.weight(), 0, 1).run();
        }

        @Override
        public void close() {
            optimizer.close();
            replica.close();
        }
    }

    /** Mean loss of a model over batches. */
    public static double loss(Replica replica, List<Batch> batches) {
        StepLoss sum = StepLoss.NONE;
        for (Batch batch : batches) {
            replica.zeroGradients();
            sum = sum.plus(replica.forwardBackward(batch, 1, slot -> {}));
        }
        return sum.lossSum() / sum.weight();
    }

    /** All batches of all ranks, each with so many. */
    public static List<Batch> all(List<Integer> counts) {
        List<Batch> all = new ArrayList<>();
        for (int rank = 0; rank < counts.size(); rank++) {
            all.addAll(batches(rank, counts.get(rank)));
        }
        return all;
    }

    private final class Given implements Feed {
        private final Deque<Batch> left;
        private int taken;

        Given(List<Batch> batches) {
            left = new ArrayDeque<>(batches);
        }

        @Override
        public Batch next() {
            atBatch.accept(taken++);
            wantedBatches--;
            return left.removeFirst();
        }

        @Override
        public boolean isWanted() {
            return wantedBatches > 0;
        }
    }
}
