package dev.medley.training.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.StepTag;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.GradientUpdate;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Passes;
import java.nio.DoubleBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rounds of one worker, or of two on threads, step by step against what a round should do. */
@Tag("unit")
class LocalStepsTest {
    private static final double RATE = 0.05;
    private static final RoundSpec DILOCO = RoundSpec.defaults(StrategySpec.Kind.DILOCO);
    private static final RoundSpec AVERAGE = RoundSpec.defaults(StrategySpec.Kind.LOCAL_SGD);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void averagingOneWorkerShouldBeItsOwnSteps() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            double[] alone = steps(3, OptimizerSpec.Kind.ADAMW);
            one.play(
                    1,
                    1 << 16,
                    rank -> {
                        try (Rank worker = new Rank(rank, OptimizerSpec.Kind.ADAMW, AVERAGE)) {
                            worker.round(1, batches(3), 0, List.of(3));
                            assertClose(worker.parameters(), alone, 1e-12);
                            return true;
                        }
                    });
        }
    }

    @Test
    void theCommonStepShouldBeNesterovs() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            one.play(1, 1 << 16, rank -> nesterov(rank));
        }
    }

    /** Two rounds by the formulas u = mu u + D, theta = theta - eta (D + mu u). */
    private static boolean nesterov(Collective collective) {
        try (Rank worker = new Rank(collective, OptimizerSpec.Kind.SGD, DILOCO);
                Rank alone = new Rank(collective, OptimizerSpec.Kind.SGD, AVERAGE)) {
            double[] u = new double[worker.parameters().length];
            for (int step = 1; step <= 2; step++) {
                double[] theta = worker.parameters();
                alone.replica.parameters().copyFrom(worker.replica.parameters());
                alone.bind();
                alone.round(step, batches(2), 0, List.of(2));
                double[] moved = alone.parameters();
                worker.bind();
                worker.round(step, batches(2), 0, List.of(2));
                for (int i = 0; i < theta.length; i++) {
                    double d = theta[i] - moved[i];
                    u[i] = 0.9 * u[i] + d;
                    theta[i] -= 0.7 * (d + 0.9 * u[i]);
                }
                assertClose(worker.parameters(), theta, 1e-12);
            }
            return true;
        }
    }

    @Test
    void theCommonStepShouldBeAdamsWhereTheRoundSaysSo() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            one.play(1, 1 << 16, rank -> adams(rank));
        }
    }

    /**
     * Three rounds by m = mu m + (1 - mu) D, v = 0.95 v + 0.05 D^2, both freed of their zero
     * beginning, and theta = theta - eta m / (sqrt(v) + 0.1).
     */
    private static boolean adams(Collective collective) {
        RoundSpec adam = DILOCO.outer(RoundSpec.Outer.ADAM, 0.1, 0.8);
        try (Rank worker = new Rank(collective, OptimizerSpec.Kind.SGD, adam);
                Rank alone = new Rank(collective, OptimizerSpec.Kind.SGD, AVERAGE)) {
            double[] m = new double[worker.parameters().length];
            double[] v = new double[m.length];
            for (int step = 1; step <= 3; step++) {
                double[] theta = worker.parameters();
                alone.replica.parameters().copyFrom(worker.replica.parameters());
                alone.bind();
                alone.round(step, batches(2), 0, List.of(2));
                double[] moved = alone.parameters();
                worker.bind();
                worker.round(step, batches(2), 0, List.of(2));
                for (int i = 0; i < theta.length; i++) {
                    double d = theta[i] - moved[i];
                    m[i] = 0.8 * m[i] + 0.2 * d;
                    v[i] = 0.95 * v[i] + 0.05 * d * d;
                    double mean = m[i] / (1 - Math.pow(0.8, step));
                    double spread = Math.sqrt(v[i] / (1 - Math.pow(0.95, step)));
                    theta[i] -= 0.1 * mean / (spread + 0.1);
                }
                assertClose(worker.parameters(), theta, 1e-12);
            }
            return true;
        }
    }

    @Test
    void unlikeNumbersOfStepsShouldBeNormalisedAndEndAlike() throws Exception {
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            List<List<String>> hashes =
                    two.play(
                            1,
                            1 << 16,
                            rank -> {
                                try (Rank worker =
                                        new Rank(rank, OptimizerSpec.Kind.ADAMW, DILOCO)) {
                                    int own = rank.rank() == 0 ? 5 : 2;
                                    for (int step = 1; step <= 3; step++) {
                                        long at = 8L * 5 * rank.rank();
                                        worker.round(step, batches(own), at, List.of(5, 2));
                                    }
                                    return worker.hashes();
                                }
                            });
            assertThat(hashes.get(1)).isEqualTo(hashes.get(0));
        }
    }

    @Test
    void aDiscardedRoundShouldLeaveNothingAndRepeatInANewGroup() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            one.play(1, 1 << 16, LocalStepsTest::repeats);
        }
    }

    private static boolean repeats(Collective collective) {
        try (Rank worker = new Rank(collective, OptimizerSpec.Kind.ADAMW, DILOCO)) {
            worker.round(1, batches(2), 0, List.of(2));
            List<String> before = worker.hashes();
            worker.local.formed(null);
            worker.compute(2, batches(3), 0, List.of(3));
            assertThat(worker.hashes()).as("inner steps move").isNotEqualTo(before);
            worker.local.discarded();
            assertThat(worker.hashes()).isEqualTo(before);
            worker.local.formed(null);
            worker.round(2, batches(3), 0, List.of(3));
            List<String> first = worker.hashes();
            try (Rank other = new Rank(collective, OptimizerSpec.Kind.ADAMW, DILOCO)) {
                other.round(1, batches(2), 0, List.of(2));
                other.local.formed(null);
                other.round(2, batches(3), 0, List.of(3));
                assertThat(other.hashes()).isEqualTo(first);
            }
            return true;
        }
    }

    @Test
    void momentsShouldStayWhereTheGroupGoesOnAndComeBackWithADiscardedRound() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            one.play(1, 1 << 16, LocalStepsTest::goesOn);
        }
    }

    private static boolean goesOn(Collective collective) {
        try (Rank worker = new Rank(collective, OptimizerSpec.Kind.ADAMW, DILOCO);
                Rank steady = new Rank(collective, OptimizerSpec.Kind.ADAMW, DILOCO);
                Rank anew = new Rank(collective, OptimizerSpec.Kind.ADAMW, DILOCO)) {
            for (Rank rank : List.of(steady, anew, worker)) {
                rank.bind();
                rank.round(1, batches(2), 0, List.of(2));
            }
            worker.compute(2, batches(3), 0, List.of(3));
            worker.local.discarded();
            worker.local.continued(null, null);
            worker.round(2, batches(3), 0, List.of(3));
            steady.bind();
            steady.round(2, batches(3), 0, List.of(3));
            assertThat(worker.hashes()).isEqualTo(steady.hashes());
            anew.bind();
            anew.local.formed(null);
            anew.round(2, batches(3), 0, List.of(3));
            assertThat(anew.hashes()).as("the moments matter").isNotEqualTo(steady.hashes());
            return true;
        }
    }

    @Test
    void shouldStopWhereNobodyNeedsTheRound() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            one.play(
                    1,
                    1 << 16,
                    rank -> {
                        try (Rank worker = new Rank(rank, OptimizerSpec.Kind.SGD, DILOCO)) {
                            List<String> before = worker.hashes();
                            worker.wantedBatches = 2;
                            assertThat(worker.compute(1, batches(5), 0, List.of(5))).isNull();
                            worker.local.discarded();
                            assertThat(worker.hashes()).isEqualTo(before);
                            return true;
                        }
                    });
        }
    }

    @Test
    void samplesWithoutWeightShouldMoveNothing() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            one.play(
                    1,
                    1 << 16,
                    rank -> {
                        try (Rank worker = new Rank(rank, OptimizerSpec.Kind.ADAMW, DILOCO)) {
                            List<String> before = worker.hashes();
                            Batch none = Samples.of(TargetKind.VALUE, 8, 1).rows(0, 0);
                            worker.round(1, List.of(none), 0, List.of(1));
                            assertThat(worker.hashes()).isEqualTo(before);
                            return true;
                        }
                    });
        }
    }

    /** What a single process makes of the same batches. */
    private static double[] steps(int count, OptimizerSpec.Kind kind) {
        try (Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
                var optimizer = replica.optimizer(optimizer(kind))) {
            long position = 0;
            Passes passes = new Passes(replica);
            for (Batch batch : batches(count)) {
                Part part = part(1, 0, 0, List.of(count));
                StepLoss loss = passes.of(batch, part, position, slot -> {});
                new GradientUpdate(replica, optimizer, loss.weight(), 0, 1).run();
                position += batch.samples();
            }
            return doubles(replica.parameters());
        }
    }

    private static OptimizerSpec optimizer(OptimizerSpec.Kind kind) {
        return OptimizerSpec.defaults(kind).withLearningRate(RATE);
    }

    private static List<Batch> batches(int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> Samples.of(TargetKind.VALUE, 8, i))
                .toList();
    }

    private static Part part(long step, int rank, long position, List<Integer> batches) {
        return new Part(step, rank, position, batches, 3, i -> 1);
    }

    private static double[] doubles(Span span) {
        DoubleBuffer buffer = span.buffer().asDoubleBuffer();
        double[] values = new double[buffer.remaining()];
        buffer.get(values);
        return values;
    }

    private static void assertClose(double[] actual, double[] expected, double tolerance) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], within(tolerance));
        }
    }

    /** A worker of a group, in double precision. */
    private static final class Rank implements AutoCloseable {
        final Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
        final LocalSteps local;
        private final Collective collective;
        private final ExchangeLayout layout;
        private final Buckets buckets;
        int wantedBatches = Integer.MAX_VALUE;

        Rank(Collective collective, OptimizerSpec.Kind kind, RoundSpec round) {
            this.collective = collective;
            local = new LocalSteps(replica, replica.optimizer(optimizer(kind)), round, 0);
            layout =
                    new ExchangeLayout(
                            replica.layout().type(),
                            replica.layout().gradientBytes(),
                            0,
                            collective.size(),
                            0);
            bind();
            buckets = new Buckets(replica, collective, layout, 256, 0);
        }

        void bind() {
            replica.bindGradients(collective.buffer().slice(0, layout.gradientBytes()));
        }

        StepLoss compute(long step, List<Batch> batches, long position, List<Integer> counts) {
            buckets.begin(new StepTag(1, step, 1));
            Part part = part(step, collective.rank(), position, counts);
            return local.compute(part, new Given(batches), buckets);
        }

        void round(long step, List<Batch> batches, long position, List<Integer> counts) {
            StepLoss loss = compute(step, batches, position, counts);
            buckets.conclude(loss, 0);
            assertThat(buckets.finish()).isNull();
            Part part = part(step, collective.rank(), position, counts);
            local.update(part, buckets.tail()).run();
        }

        double[] parameters() {
            return doubles(replica.parameters());
        }

        List<String> hashes() {
            List<Span> state = local.state().stream().map(NamedSpan::data).toList();
            return List.of(SpanHash.of(List.of(replica.parameters())), SpanHash.of(state));
        }

        @Override
        public void close() {
            local.close();
            replica.close();
        }

        private final class Given implements Feed {
            private final Deque<Batch> left;

            Given(List<Batch> batches) {
                left = new ArrayDeque<>(batches);
            }

            @Override
            public Batch next() {
                wantedBatches--;
                return left.removeFirst();
            }

            @Override
            public boolean isWanted() {
                return wantedBatches > 0;
            }
        }
    }
}
