package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.StepTag;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.SpanHash;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.bucket.LowRankSum;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Samples with random classes, which a small network can only learn by heart: of those that it has
 * not seen it knows nothing, so who does not exchange keeps a large loss over all of them, and
 * larger the better it knows its own.
 */
public final class ByHeart {
    public static final int SAMPLES = 128;

    private ByHeart() {}

    /**
     * How what members learn travels.
     *
     * @param fragments one after another; 0 where all of it goes at once
     * @param columns of factors that go in its place; 0 where it goes as it is
     */
    public record Way(int fragments, int columns) {
        static final Way WHOLE = new Way(0, 0);

        private long factorBytes(Replica replica) {
            return columns == 0 ? 0 : LowRankSum.bytes(replica.layout(), columns);
        }

        private @Nullable LowRankSum factors(
                Replica replica, Collective collective, ExchangeLayout layout) {
            return columns == 0
                    ? null
                    : new LowRankSum(collective, layout, replica.layout(), columns, 1);
        }
    }

    /** How a worker ended: equal on all workers. */
    private record End(double loss, String hash) {}

    public static Batch rows(int from, int to) {
        return Samples.of(TargetKind.CLASSES, SAMPLES, 1).rows(from, to);
    }

    /** The loss of the untrained network. */
    public static double before() {
        try (Replica replica = replica()) {
            return loss(replica);
        }
    }

    /**
     * Losses of one process that takes these batches in turn, without a strategy or an exchange.
     *
     * @param steps after which it is asked for its loss, ascending
     */
    public static List<Double> alone(OptimizerSpec rule, List<Batch> batches, int... steps) {
        List<Double> losses = new ArrayList<>();
        try (Replica replica = replica();
                Optimizer optimizer = replica.optimizer(rule)) {
            int done = 0;
            for (int until : steps) {
                for (; done < until; done++) {
                    Batch batch = batches.get(done % batches.size());
                    replica.zeroGradients();
                    StepLoss loss = replica.forwardBackward(batch, 1, ReadyListener.NONE);
                    new GradientUpdate(replica, optimizer, loss.weight(), 0, 1).run();
                }
                losses.add(loss(replica));
            }
        }
        return losses;
    }

    /**
     * The loss that the members of a group have in common after so many rounds, or steps.
     *
     * @param own batches by rank, which each takes in every round
     */
    public static double together(
            RanksOnThreads ranks,
            List<List<Batch>> own,
            int rounds,
            Function<Replica, Strategy> maker)
            throws Exception {
        return together(ranks, own, rounds, Way.WHOLE, maker);
    }

    /** The same where what they learn travels so. */
    public static double together(
            RanksOnThreads ranks,
            List<List<Batch>> own,
            int rounds,
            Way way,
            Function<Replica, Strategy> maker)
            throws Exception {
        List<End> ends = ranks.play(1, 1 << 16, each -> learn(each, own, rounds, way, maker));
        assertThat(ends).as("equal everywhere").hasSameSizeAs(own).containsOnly(ends.get(0));
        return ends.get(0).loss();
    }

    private static End learn(
            Collective collective,
            List<List<Batch>> own,
            int rounds,
            Way way,
            Function<Replica, Strategy> maker) {
        LowRankSum lowRank = null;
        try (Replica replica = replica();
                Strategy strategy = maker.apply(replica)) {
            ExchangeLayout layout =
                    new ExchangeLayout(
                            replica.layout().type(),
                            replica.layout().gradientBytes(),
                            0,
                            collective.size(),
                            0,
                            way.fragments(),
                            way.factorBytes(replica));
            replica.bindGradients(collective.buffer().slice(0, layout.gradientBytes()));
            lowRank = way.factors(replica, collective, layout);
            Buckets buckets = new Buckets(replica, collective, layout, 512, 0, lowRank);
            List<Integer> counts = own.stream().map(List::size).toList();
            int rank = collective.rank();
            for (int step = 1; step <= rounds; step++) {
                buckets.begin(new StepTag(1, step, 1));
                Part part = new Part(step, rank, 0, counts, SAMPLES, i -> 1);
                StepLoss loss = strategy.compute(part, new Given(own.get(rank)), buckets);
                assertThat(loss).isNotNull();
                buckets.conclude(loss, 0);
                assertThat(buckets.finish()).isNull();
                strategy.update(part, buckets.tail()).run();
                buckets.applied();
            }
            return new End(loss(replica), SpanHash.of(List.of(replica.parameters())));
        } finally {
            if (lowRank != null) {
                lowRank.close();
            }
        }
    }

    public static Replica replica() {
        return Samples.replica(TargetKind.CLASSES, 1, Precision.FP32);
    }

    /** Over all samples. */
    public static double loss(Replica replica) {
        replica.zeroGradients();
        StepLoss loss = replica.forwardBackward(rows(0, SAMPLES), 1, ReadyListener.NONE);
        return loss.lossSum() / loss.weight();
    }

    /** A round's batches. */
    private static final class Given implements Feed {
        private final Iterator<Batch> left;

        Given(List<Batch> batches) {
            left = batches.iterator();
        }

        @Override
        public Batch next() {
            return left.next();
        }

        @Override
        public boolean isWanted() {
            return true;
        }
    }
}
