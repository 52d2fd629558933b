package dev.medley.training.rounds;

import static dev.medley.training.strategy.AsyncRank.batches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Group;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.round.FragmentSchedule;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.BucketRanges.Range;
import dev.medley.training.bucket.Fragments;
import dev.medley.training.strategy.AsyncRank;
import dev.medley.training.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rounds whose change travels in fragments, step by step against what they should do. */
@Tag("unit")
class StreamedStepsTest {
    private static final RoundSpec DILOCO = RoundSpec.defaults(StrategySpec.Kind.DILOCO);
    private static final RoundSpec AVERAGE = RoundSpec.defaults(StrategySpec.Kind.LOCAL_SGD);
    private static final OptimizerSpec ADAMW = AsyncRank.optimizer(OptimizerSpec.Kind.ADAMW, 0.05);
    private static final OptimizerSpec INNER = AsyncRank.optimizer(OptimizerSpec.Kind.ADAMW, 0.003);
    private static final int ROUNDS = 30;
    private static final OptimizerSpec SGD = AsyncRank.optimizer(OptimizerSpec.Kind.SGD, 0.05);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void oneFragmentWithoutOverlapShouldBeLocalStepsBitByBit() throws Exception {
        List<List<String>> plain =
                hashesOfTwo(0, r -> new LocalSteps(r, r.optimizer(ADAMW), DILOCO, 0));
        List<List<String>> streamed = hashesOfTwo(1, streamed(DILOCO, ADAMW, StreamSpec.NONE));
        assertThat(streamed).isEqualTo(plain);
    }

    @ParameterizedTest
    @CsvSource({"4, 0", "4, 2", "1, 3", "3, 3", "6, 1"})
    void membersShouldHoldEqualBitsAfterEachRound(int fragments, int overlap) throws Exception {
        StreamSpec stream = new StreamSpec(fragments, overlap);
        List<List<String>> hashes = hashesOfTwo(fragments, streamed(DILOCO, ADAMW, stream));
        assertThat(hashes.get(1)).isEqualTo(hashes.get(0));
        assertThat(hashes.get(0)).doesNotHaveDuplicates();
        assertThat(hashesOfTwo(fragments, streamed(DILOCO, ADAMW, stream))).isEqualTo(hashes);
    }

    /** What each of two ranks, of which one takes more steps, holds after each of four rounds. */
    private static List<List<String>> hashesOfTwo(int fragments, Function<Replica, Strategy> maker)
            throws Exception {
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            return two.play(
                    1,
                    1 << 16,
                    collective -> {
                        try (AsyncRank worker =
                                new AsyncRank(two.group(1), collective, maker, fragments)) {
                            int rank = collective.rank();
                            List<String> hashes = new ArrayList<>();
                            for (int step = 1; step <= 4; step++) {
                                List<Batch> own = batches(rank, rank == 0 ? 9 : 4);
                                worker.round(step, own, 9, List.of(9, 4));
                                hashes.add(hash(worker));
                            }
                            return hashes;
                        }
                    });
        }
    }

    /**
     * With one worker and the plain average theta is where the worker was when a fragment landed,
     * and it goes its way as if it were alone: nothing that it learns is lost or counted twice.
     */
    @Test
    void averagingOneWorkerShouldBeItsOwnSteps() throws Exception {
        alone(
                (collective, group) -> {
                    StreamSpec stream = new StreamSpec(3, 0);
                    try (AsyncRank worker =
                            new AsyncRank(group, collective, streamed(AVERAGE, ADAMW, stream), 3)) {
                        List<double[]> path = path(4 * 7);
                        List<Range> fragments = Fragments.of(worker.replica.layout(), 3);
                        FragmentSchedule schedule = FragmentSchedule.of(7, 7, stream);
                        for (int round = 0; round < 4; round++) {
                            worker.round(round + 1, ofPath(round * 7, 7), 7, List.of(7));
                            double[] theta = worker.parameters();
                            for (int p = 0; p < 3; p++) {
                                int steps = round * 7 + schedule.lands().get(p);
                                assertEqual(theta, path.get(steps), fragments.get(p), 1e-9);
                            }
                        }
                    }
                });
    }

    @Test
    void eachFragmentShouldTakeNesterovsStepAndTheWorkerGoOnFromThere() throws Exception {
        alone(
                (collective, group) -> {
                    StreamSpec stream = new StreamSpec(2, 1);
                    try (AsyncRank worker =
                            new AsyncRank(group, collective, streamed(DILOCO, SGD, stream), 2)) {
                        ByHand hand = new ByHand(worker.parameters(), worker.replica);
                        for (int round = 0; round < 3; round++) {
                            worker.round(round + 1, ofPath(round * 4, 4), 4, List.of(4));
                            hand.round(ofPath(round * 4, 4));
                            Range all = new Range(0, worker.replica.parameters().bytes(), 0, 0);
                            assertEqual(worker.parameters(), hand.theta, all, 1e-12);
                        }
                    }
                });
    }

    /** Rounds of four steps in two fragments that travel for one, by the formulas. */
    private static final class ByHand {
        final double[] theta;
        private final double[] local;
        private final double[] u;
        private final List<Range> fragments;

        ByHand(double[] theta, Replica replica) {
            this.theta = theta;
            this.local = theta.clone();
            this.u = new double[theta.length];
            this.fragments = Fragments.of(replica.layout(), 2);
        }

        void round(List<Batch> batches) {
            double[] left = theta;
            for (int done = 1; done <= 4; done++) {
                move(batches.get(done - 1));
                if (done == 1 || done == 3) {
                    left = local.clone();
                } else {
                    land(fragments.get(done / 2 - 1), left);
                }
            }
        }

        private void land(Range fragment, double[] left) {
            int from = (int) fragment.offsetBytes() / Double.BYTES;
            for (int i = from; i < from + fragment.bytes() / Double.BYTES; i++) {
                double d = theta[i] - left[i];
                u[i] = 0.9 * u[i] + d;
                theta[i] -= 0.7 * (d + 0.9 * u[i]);
                local[i] = theta[i] + 0.5 * (local[i] - theta[i]);
            }
        }

        private void move(Batch batch) {
            try (AsyncRank.Alone alone = new AsyncRank.Alone(SGD)) {
                alone.replica.parameters().buffer().asDoubleBuffer().put(local);
                alone.step(List.of(batch));
                System.arraycopy(AsyncRank.doubles(alone.replica), 0, local, 0, local.length);
            }
        }
    }

    @Test
    void aDiscardedRoundShouldLeaveNothingWhereverItEnded() throws Exception {
        alone(
                (collective, group) -> {
                    var maker = streamed(DILOCO, ADAMW, new StreamSpec(3, 1));
                    try (AsyncRank worker = new AsyncRank(group, collective, maker, 3);
                            AsyncRank steady = new AsyncRank(group, collective, maker, 3)) {
                        for (AsyncRank rank : List.of(steady, worker)) {
                            rank.bind();
                            rank.round(1, ofPath(0, 6), 6, List.of(6));
                        }
                        String before = hash(worker);
                        for (int batches = 1; batches <= 6; batches++) {
                            worker.wantedBatches = batches;
                            var loss = worker.compute(2, ofPath(6, 6), 6, List.of(6));
                            assertThat(loss == null).isEqualTo(batches < 6);
                            worker.strategy.discarded();
                            assertThat(hash(worker)).isEqualTo(before);
                        }
                        worker.wantedBatches = Integer.MAX_VALUE;
                        worker.strategy.continued(group, collective);
                        for (AsyncRank rank : List.of(worker, steady)) {
                            rank.bind();
                            rank.round(2, ofPath(6, 6), 6, List.of(6));
                            rank.round(3, ofPath(12, 6), 6, List.of(6));
                        }
                        assertThat(hash(worker)).isEqualTo(hash(steady)).isNotEqualTo(before);
                    }
                });
    }

    /** With its moments, and with what it has counted since a fragment left. */
    @Test
    void whatAWorkerIsAheadShouldEndWithItsGroup() throws Exception {
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            two.play(1, 1 << 16, collective -> ahead(two.group(1), collective));
        }
    }

    private static boolean ahead(Group group, Collective collective) {
        var maker = streamed(DILOCO, ADAMW, new StreamSpec(2, 1));
        List<Integer> batches = List.of(4, 2);
        int own = batches.get(collective.rank());
        try (AsyncRank ahead = new AsyncRank(group, collective, maker, 2);
                AsyncRank formed = new AsyncRank(group, collective, maker, 2);
                AsyncRank copied = new AsyncRank(group, collective, maker, 2)) {
            for (AsyncRank rank : List.of(ahead, formed)) {
                rank.bind();
                rank.round(1, ofPath(0, own), 4, batches);
            }
            copy(formed, copied);
            formed.strategy.formed(group, collective);
            copied.strategy.formed(group, collective);
            for (AsyncRank rank : List.of(ahead, formed, copied)) {
                rank.bind();
                rank.round(2, ofPath(4, own), 4, batches);
            }
            assertThat(hash(copied)).isEqualTo(hash(formed));
            assertThat(hash(ahead)).as("it matters").isNotEqualTo(hash(formed));
            return true;
        }
    }

    private static void copy(AsyncRank from, AsyncRank to) {
        to.replica.parameters().copyFrom(from.replica.parameters());
        for (int i = 0; i < from.strategy.state().size(); i++) {
            to.strategy.state().get(i).data().copyFrom(from.strategy.state().get(i).data());
        }
    }

    @Test
    void samplesWithoutWeightShouldMoveNothing() throws Exception {
        alone(
                (collective, group) -> {
                    var maker = streamed(DILOCO, ADAMW, new StreamSpec(2, 1));
                    try (AsyncRank worker = new AsyncRank(group, collective, maker, 2)) {
                        String before = hash(worker);
                        Batch none = Samples.of(TargetKind.VALUE, 8, 1).rows(0, 0);
                        worker.round(1, List.of(none, none), 2, List.of(2));
                        assertThat(hash(worker)).isEqualTo(before);
                    }
                });
    }

    @Test
    void aLossThatIsNoNumberShouldBeBlamedOnItsRankAndBeUndone() throws Exception {
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            two.play(
                    1,
                    1 << 16,
                    collective -> {
                        var maker = streamed(DILOCO, SGD, new StreamSpec(3, 1));
                        try (AsyncRank worker = new AsyncRank(two.group(1), collective, maker, 3)) {
                            String before = hash(worker);
                            List<Batch> own = new ArrayList<>(batches(collective.rank(), 6));
                            if (collective.rank() == 1) {
                                own.set(1, extreme());
                            }
                            var tail = worker.round(1, own, 6, List.of(6, 6));
                            assertThat(tail.firstUnsoundRank()).isEqualTo(1);
                            worker.strategy.discarded();
                            assertThat(hash(worker)).isEqualTo(before);
                            return true;
                        }
                    });
        }
    }

    /** A batch with a feature that is no number. */
    private static Batch extreme() {
        Batch batch = Samples.of(TargetKind.VALUE, 8, 1);
        batch.inputs().get(0).data().buffer().asFloatBuffer().put(0, Float.NaN);
        return batch;
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "1, 4", "4, 0", "4, 2"})
    void shouldLearnAboutWhatOneProcessLearns(int fragments, int overlap) throws Exception {
        double alone = lossOfOne();
        StreamSpec stream = new StreamSpec(fragments, overlap);
        var maker = streamed(DILOCO, INNER, stream);
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            List<Double> losses =
                    two.play(1, 1 << 16, collective -> lossOf(two, collective, maker, fragments));
            assertThat(losses.get(0)).isLessThan(1.15 * alone).isEqualTo(losses.get(1));
        }
    }

    private static double lossOf(
            RanksOnThreads two,
            Collective collective,
            Function<Replica, Strategy> maker,
            int fragments) {
        try (AsyncRank worker = new AsyncRank(two.group(1), collective, maker, fragments)) {
            for (int step = 1; step <= ROUNDS; step++) {
                List<Batch> own = batches(collective.rank(), 8);
                worker.round(step, own, 8, List.of(8, 8));
            }
            return AsyncRank.loss(worker.replica, AsyncRank.all(List.of(8, 8)));
        }
    }

    /** The loss of one process that takes the batches of both in turn, as often as they do. */
    private static double lossOfOne() {
        List<Batch> all = AsyncRank.all(List.of(8, 8));
        try (AsyncRank.Alone alone = new AsyncRank.Alone(INNER)) {
            double before = AsyncRank.loss(alone.replica, all);
            for (int step = 0; step < ROUNDS * 8; step++) {
                alone.step(List.of(all.get(step % 8), all.get(8 + step % 8)));
            }
            double after = AsyncRank.loss(alone.replica, all);
            assertThat(after).isLessThan(0.5 * before);
            return after;
        }
    }

    /** What one member of a group does. */
    private interface Play {
        void with(Collective collective, Group group);
    }

    private static void alone(Play play) throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            one.play(
                    1,
                    1 << 16,
                    collective -> {
                        play.with(collective, one.group(1));
                        return true;
                    });
        }
    }

    private static Function<Replica, Strategy> streamed(
            RoundSpec round, OptimizerSpec inner, StreamSpec stream) {
        return replica ->
                new StreamedSteps(replica, replica.optimizer(inner), round.streaming(stream), 0);
    }

    /** So many of one worker's batches, all unlike, from one on. */
    private static List<Batch> ofPath(int from, int count) {
        return batches(0, from + count).subList(from, from + count);
    }

    /** Where a single process stands after so many steps over those batches. */
    private static List<double[]> path(int steps) {
        List<double[]> path = new ArrayList<>();
        try (AsyncRank.Alone alone = new AsyncRank.Alone(ADAMW)) {
            path.add(AsyncRank.doubles(alone.replica));
            for (Batch batch : ofPath(0, steps)) {
                alone.step(List.of(batch));
                path.add(AsyncRank.doubles(alone.replica));
            }
        }
        return path;
    }

    private static void assertEqual(
            double[] actual, double[] expected, Range where, double tolerance) {
        int from = (int) where.offsetBytes() / Double.BYTES;
        for (int i = from; i < from + where.bytes() / Double.BYTES; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], within(tolerance));
        }
    }

    private static String hash(AsyncRank rank) {
        List<Span> all = new ArrayList<>(List.of(rank.replica.parameters()));
        all.addAll(rank.strategy.state().stream().map(NamedSpan::data).toList());
        return SpanHash.of(all);
    }
}
