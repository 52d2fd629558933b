package dev.medley.training.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.RoundSpec.Outer;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.strategy.AsyncRank;
import dev.medley.training.strategy.Gate;
import dev.medley.training.strategy.Part.Patience;
import dev.medley.training.strategy.QuorumRank;
import dev.medley.training.strategy.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rounds that end without a worker, of ranks on threads with a real exchange between them. Who is
 * late waits at a gate in one of its batches until the others have ended the round: did they wait
 * for it, nobody would go on.
 */
@Tag("real")
class QuorumStepsTest {
    private static final int MEMORY_BYTES = 1 << 16;
    private static final OptimizerSpec RULE = AsyncRank.optimizer(OptimizerSpec.Kind.ADAMW, 0.02);
    private static final RoundSpec DILOCO = RoundSpec.defaults(Kind.DILOCO).outer(0.7, 0.5);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static Function<Replica, Strategy> steps(RoundSpec round, double quorum) {
        QuorumSpec waiting = QuorumSpec.of(quorum).waiting(0).gating(0.25, 4);
        return replica ->
                new QuorumSteps(replica, replica.optimizer(RULE), round.waitingFor(waiting), 0);
    }

    private static <T> List<T> play(
            RanksOnThreads ranks,
            Function<Replica, Strategy> strategy,
            Function<QuorumRank, Function<Collective, T>> role)
            throws Exception {
        Group group = ranks.group(1);
        return ranks.playWithPosts(
                1,
                MEMORY_BYTES,
                collective -> {
                    try (QuorumRank worker = new QuorumRank(group, collective, strategy)) {
                        return role.apply(worker).apply(collective);
                    }
                });
    }

    @Test
    void aQuorumOfAllShouldBeARoundThatWaitsForAllBitByBit() throws Exception {
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            List<Integer> counts = List.of(5, 2);
            Function<Replica, Strategy> plain =
                    replica -> new LocalSteps(replica, replica.optimizer(RULE), DILOCO, 0);
            List<String> expected = new ArrayList<>();
            List<String> actual = new ArrayList<>();
            for (Function<Replica, Strategy> each : List.of(plain, steps(DILOCO, 2))) {
                List<String> hashes = each == plain ? expected : actual;
                hashes.addAll(
                        two.playWithPosts(
                                hashes == expected ? 1 : 2,
                                MEMORY_BYTES,
                                collective -> threeRounds(two, collective, each, counts)));
            }
            assertThat(actual).isEqualTo(expected).containsOnly(expected.get(0));
        }
    }

    private static String threeRounds(
            RanksOnThreads ranks,
            Collective collective,
            Function<Replica, Strategy> strategy,
            List<Integer> counts) {
        int rank = collective.rank();
        try (QuorumRank worker = new QuorumRank(ranks.group(1), collective, strategy)) {
            for (int step = 1; step <= 3; step++) {
                worker.round(step, Patience.ALL, counts, Gate.own(rank));
            }
            return worker.hash();
        }
    }

    @Test
    void theOthersShouldNotWaitForAWorkerInABatchAndItsWorkShouldCountInTheNextRound()
            throws Exception {
        Gate gate = new Gate(2);
        List<Integer> counts = List.of(3, 3, 3);
        try (RanksOnThreads three = new RanksOnThreads(3)) {
            List<String> hashes =
                    play(
                            three,
                            steps(DILOCO, 2),
                            worker ->
                                    collective -> {
                                        int rank = collective.rank();
                                        boolean isSlow = rank == 2;
                                        RoundTable first =
                                                worker.round(
                                                        1,
                                                        Patience.NONE,
                                                        counts,
                                                        isSlow
                                                                ? gate.slow(rank, 1)
                                                                : gate.fast(rank, 2));
                                        assertThat(first.row(2).isLate()).isTrue();
                                        assertThat(worker.weight(2)).isZero();
                                        gate.passed();
                                        String before = worker.hash();
                                        RoundTable second =
                                                worker.round(
                                                        2, Patience.ALL, counts, Gate.own(rank));
                                        assertThat(second.row(2).takenBefore())
                                                .as("two batches of the first round")
                                                .isEqualTo(2L * AsyncRank.SAMPLES);
                                        assertThat(second.row(2).taken())
                                                .isEqualTo(3L * AsyncRank.SAMPLES);
                                        assertThat(worker.weight(2))
                                                .isEqualTo(5.0 * AsyncRank.SAMPLES);
                                        return before + worker.hash();
                                    });
            assertThat(hashes).hasSize(3).containsOnly(hashes.get(0));
        }
    }

    /** Parameters, moments and the common step are as if the round had never been. */
    @Test
    void aDiscardedRoundShouldLeaveNoTrace() throws Exception {
        List<Integer> counts = List.of(5, 2);
        List<String> hashes = new ArrayList<>();
        for (boolean isInVain : new boolean[] {false, true}) {
            try (RanksOnThreads two = new RanksOnThreads(2)) {
                hashes.addAll(
                        play(
                                two,
                                steps(DILOCO, 2),
                                worker ->
                                        collective -> {
                                            int rank = collective.rank();
                                            worker.round(1, Patience.ALL, counts, Gate.own(rank));
                                            if (isInVain) {
                                                worker.inVain(2, counts, Gate.own(7 + rank));
                                            }
                                            worker.round(2, Patience.ALL, counts, Gate.own(rank));
                                            return worker.hash();
                                        }));
            }
        }
        assertThat(hashes).hasSize(4).containsOnly(hashes.get(0));
    }

    /** The moments go on with the same members; those of another group begin anew. */
    @Test
    void momentsShouldGoOnWithTheGroup() throws Exception {
        String once = twoRounds(Going.AT_ONCE);
        assertThat(twoRounds(Going.CONTINUED)).isEqualTo(once);
        assertThat(twoRounds(Going.FORMED)).isNotEqualTo(once);
    }

    private enum Going {
        AT_ONCE,
        CONTINUED,
        FORMED
    }

    private static String twoRounds(Going going) throws Exception {
        List<Integer> counts = List.of(5, 2);
        List<QuorumRank> workers = Collections.synchronizedList(new ArrayList<>());
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            Group first = two.group(1);
            two.playWithPosts(
                    1,
                    MEMORY_BYTES,
                    collective -> {
                        int rank = collective.rank();
                        QuorumRank worker = new QuorumRank(first, collective, steps(DILOCO, 2));
                        workers.add(worker);
                        worker.round(1, Patience.ALL, counts, Gate.own(rank));
                        if (going == Going.AT_ONCE) {
                            worker.round(2, Patience.ALL, counts, Gate.own(rank));
                        }
                        worker.rank = rank;
                        return true;
                    });
            if (going != Going.AT_ONCE) {
                Group second = two.group(2);
                two.playWithPosts(
                        2,
                        MEMORY_BYTES,
                        collective -> {
                            int rank = collective.rank();
                            QuorumRank worker =
                                    workers.stream()
                                            .filter(each -> each.rank == rank)
                                            .findFirst()
                                            .orElseThrow();
                            if (going == Going.CONTINUED) {
                                worker.continueIn(second, collective);
                            } else {
                                worker.formIn(second, collective);
                            }
                            worker.round(2, Patience.ALL, counts, Gate.own(rank));
                            return true;
                        });
            }
            return workers.get(0).hash();
        } finally {
            workers.forEach(QuorumRank::close);
        }
    }

    /** Samples of a round that was missed are dealt anew: what was done of them is void. */
    @Test
    void whatWasLateShouldBeDroppedWhereTheGroupGoesOnUnderAnotherPlan() throws Exception {
        Gate gate = new Gate(2);
        List<Integer> counts = List.of(3, 3, 3);
        try (RanksOnThreads three = new RanksOnThreads(3)) {
            List<String> hashes =
                    play(
                            three,
                            steps(DILOCO, 2),
                            worker ->
                                    collective -> {
                                        int rank = collective.rank();
                                        worker.round(
                                                1,
                                                Patience.NONE,
                                                counts,
                                                rank == 2
                                                        ? gate.slow(rank, 1)
                                                        : gate.fast(rank, 2));
                                        gate.passed();
                                        worker.continueIn(three.group(1), collective);
                                        RoundTable second =
                                                worker.round(
                                                        2, Patience.ALL, counts, Gate.own(rank));
                                        assertThat(second.row(2).takenBefore()).isZero();
                                        assertThat(second.row(2).ofLateWork()).isZero();
                                        assertThat(worker.weight(2))
                                                .isEqualTo(3.0 * AsyncRank.SAMPLES);
                                        return worker.hash();
                                    });
            assertThat(hashes).hasSize(3).containsOnly(hashes.get(0));
        }
    }

    /** It has so many batches that it cannot end but by stopping. */
    @Test
    void aSlowWorkerShouldHandOverWhatItHasDoneInTheSameRound() throws Exception {
        int endless = Integer.MAX_VALUE;
        List<Integer> counts = List.of(3, 3, endless);
        try (RanksOnThreads three = new RanksOnThreads(3)) {
            List<String> hashes =
                    play(
                            three,
                            steps(DILOCO, 2),
                            worker ->
                                    collective -> {
                                        int rank = collective.rank();
                                        RoundTable table =
                                                worker.round(
                                                        1, Patience.BATCH, counts, Gate.own(rank));
                                        RoundTable.Row slow = table.row(2);
                                        assertThat(slow.isLate()).isFalse();
                                        assertThat(worker.weight(2)).isEqualTo(slow.taken());
                                        if (rank == 2) {
                                            assertThat(slow.taken())
                                                    .isEqualTo(
                                                            (long) AsyncRank.SAMPLES
                                                                    * worker.taken.get(0));
                                        }
                                        return worker.hash();
                                    });
            assertThat(hashes).hasSize(3).containsOnly(hashes.get(0));
        }
    }

    /** One of four misses every second round: 5 % of the loss that there was before. */
    @ParameterizedTest
    @EnumSource(Outer.class)
    void shouldLearnAboutWhatOneProcessLearnsThoughOneIsLate(Outer outer) throws Exception {
        List<Integer> counts = List.of(4, 4, 4, 4);
        List<Batch> samples = AsyncRank.all(counts);
        int rounds = 30;
        RoundSpec round = outer == Outer.ADAM ? DILOCO.outer(outer, 0.1, 0.9) : DILOCO;
        try (AsyncRank.Alone alone = new AsyncRank.Alone(RULE);
                RanksOnThreads four = new RanksOnThreads(4)) {
            double before = AsyncRank.loss(alone.replica, samples);
            for (int i = 0; i < rounds * 4; i++) {
                alone.step(samples.subList(i % 4 * 4, i % 4 * 4 + 4));
            }
            double expected = AsyncRank.loss(alone.replica, samples);
            assertThat(expected).isLessThan(before / 2);
            List<Gate> gates =
                    Collections.nCopies(rounds, 0).stream().map(none -> new Gate(3)).toList();
            List<String> hashes = Collections.synchronizedList(new ArrayList<>());
            List<Double> losses =
                    play(
                            four,
                            steps(round, 0.75),
                            worker ->
                                    collective -> {
                                        everySecondLate(worker, collective, gates, counts);
                                        hashes.add(worker.hash());
                                        return AsyncRank.loss(worker.replica, samples);
                                    });
            assertThat(hashes).hasSize(4).containsOnly(hashes.get(0));
            assertThat(losses.get(0)).isLessThan(expected + 0.05 * before);
        }
    }

    private static void everySecondLate(
            QuorumRank worker, Collective collective, List<Gate> gates, List<Integer> counts) {
        int rank = collective.rank();
        for (int step = 1; step <= gates.size(); step++) {
            Gate gate = gates.get(step - 1);
            boolean isMissed = step % 2 == 1;
            RoundTable table =
                    worker.round(
                            step,
                            isMissed ? Patience.NONE : Patience.ALL,
                            counts,
                            isMissed ? late(gate, rank) : Gate.own(rank));
            assertThat(table.row(3).isLate()).isEqualTo(isMissed);
            gate.passed();
        }
    }

    /** The batches of a rank of which the last comes too late for a round. */
    private static IntFunction<Batch> late(Gate gate, int rank) {
        return rank == 3 ? gate.slow(rank, 3) : gate.fast(rank, 3);
    }
}
