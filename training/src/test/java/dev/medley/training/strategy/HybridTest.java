package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rounds in which the workers of a site take inner steps as one, on threads. */
@Tag("unit")
class HybridTest {
    private static final List<String> SITES = List.of("east", "west", "east", "east");
    private static final List<Integer> EAST = List.of(0, 2, 3);
    private static final long BYTES = 1 << 16;
    private static final int SAMPLES = HybridRank.SAMPLES;
    private static final int ROUNDS = 40;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** East takes four steps in a round, west three. */
    private static List<Integer> steps() {
        return List.of(4, 3, 4, 4);
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void matesShouldStayEqualInInnerStepsAndAllAfterTheCommonOne(Transport transport)
            throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(SITES, transport)) {
            Group group = ranks.group(1);
            List<HybridRank.Seen> seen =
                    ranks.play(
                            1,
                            BYTES,
                            each -> {
                                try (HybridRank rank =
                                        new HybridRank(each, group, OptimizerSpec.Kind.ADAMW)) {
                                    for (int step = 1; step <= 3; step++) {
                                        rank.round(step, rank.batches(4, 8), steps());
                                    }
                                    return rank.seen();
                                }
                            });
            HybridRank.Seen east = seen.get(0);
            assertThat(east.before()).hasSize(12).doesNotHaveDuplicates();
            for (int mate : EAST) {
                assertThat(seen.get(mate).before()).isEqualTo(east.before());
            }
            assertThat(seen.get(1).before()).hasSize(9);
            assertThat(seen.get(1).before().get(1)).as("west").isNotEqualTo(east.before().get(1));
            assertThat(seen).extracting(HybridRank.Seen::state).containsOnly(east.state());
        }
    }

    /** A site is one worker of DiLoCo, whose batches are those of its workers together. */
    @Test
    void aSiteShouldBeOneWorkerOfDiLoCo() throws Exception {
        List<String> sites = List.of("east", "west", "east");
        double[] hybrid;
        try (RanksOnThreads ranks = new RanksOnThreads(sites, Transport.TCP)) {
            Group group = ranks.group(1);
            hybrid =
                    ranks.play(
                                    1,
                                    BYTES,
                                    each -> {
                                        int half = each.rank() == 1 ? 0 : 4;
                                        int from = each.rank() == 2 ? 4 : 0;
                                        return train(each, group, half, from);
                                    })
                            .get(0);
        }
        try (RanksOnThreads ranks = new RanksOnThreads(List.of("east", "west"), Transport.TCP)) {
            Group group = ranks.group(1);
            double[] diloco = ranks.play(1, BYTES, each -> train(each, group, 0, 0)).get(0);
            assertThat(hybrid).hasSameSizeAs(diloco);
            for (int i = 0; i < diloco.length; i++) {
                assertThat(hybrid[i]).isCloseTo(diloco[i], within(1e-11));
            }
        }
    }

    /**
     * Three rounds of one site's worker.
     *
     * @param part of each batch of eight that it takes; 0 for all
     */
    private static double[] train(Collective each, Group group, int part, int from) {
        int site = each.rank() % 2;
        List<Integer> steps = each.size() == 3 ? List.of(5, 2, 5) : List.of(5, 2);
        try (HybridRank rank = new HybridRank(each, group, OptimizerSpec.Kind.SGD)) {
            for (int step = 1; step <= 3; step++) {
                List<Batch> batches = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    Batch whole = Samples.of(TargetKind.VALUE, 8, 100L * site + 10 * step + i);
                    batches.add(part == 0 ? whole : whole.rows(from, from + part));
                }
                rank.round(step, batches, steps);
            }
            return rank.parameters();
        }
    }

    @Test
    void whereNoSiteHasTwoWorkersItShouldBeDiLoCoBitForBit() throws Exception {
        List<String> ends = new ArrayList<>();
        for (boolean isHybrid : new boolean[] {true, false}) {
            try (RanksOnThreads ranks = new RanksOnThreads(List.of("a", "b"), Transport.TCP)) {
                Group group = ranks.group(1);
                ends.addAll(ranks.play(1, BYTES, each -> twoRounds(each, group, isHybrid)));
            }
        }
        assertThat(ends).hasSize(4).containsOnly(ends.get(0));
    }

    private static String twoRounds(Collective each, Group group, boolean isHybrid) {
        try (HybridRank rank = new HybridRank(each, group, OptimizerSpec.Kind.ADAMW, isHybrid)) {
            for (int step = 1; step <= 2; step++) {
                rank.round(step, rank.batches(4, 8), List.of(4, 3));
            }
            return rank.state();
        }
    }

    @Test
    void matesThatAreOthersShouldBeginTheirMomentsAnew() throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(SITES, Transport.TCP)) {
            Group group = ranks.group(1);
            ranks.play(1, BYTES, each -> goOn(each, group));
        }
    }

    private static boolean goOn(Collective each, Group group) {
        try (HybridRank rank = new HybridRank(each, group, OptimizerSpec.Kind.ADAMW)) {
            rank.round(1, rank.batches(4, 8), steps());
            String moments = rank.moments();
            rank.hybrid.continued(group, each);
            assertThat(rank.moments()).isEqualTo(moments);
            rank.hybrid.continued(group, withOtherMates(each));
            assertThat(rank.moments()).isNotEqualTo(moments);
            return true;
        }
    }

    private static Collective withOtherMates(Collective of) {
        InvocationHandler mates =
                (proxy, method, arguments) ->
                        method.getName().equals("mates")
                                ? List.of(0, 1)
                                : method.invoke(of, arguments);
        ClassLoader loader = Collective.class.getClassLoader();
        return (Collective)
                Proxy.newProxyInstance(loader, new Class<?>[] {Collective.class}, mates);
    }

    /** The worker is gone in the second of its inner steps; what the others did is undone. */
    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void aMateThatIsLostInARoundShouldCostTheRoundAndNothingElse(Transport transport)
            throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(SITES, transport)) {
            Group group = ranks.group(1);
            List<String> ends =
                    ranks.play(
                            1,
                            BYTES,
                            each -> {
                                try (HybridRank rank =
                                        new HybridRank(each, group, OptimizerSpec.Kind.ADAMW)) {
                                    rank.round(1, rank.batches(4, 8), steps());
                                    return loseOne(rank, each);
                                }
                            });
            assertThat(ends).containsOnly(ends.get(0));
        }
    }

    private static String loseOne(HybridRank rank, Collective each) {
        String before = rank.state();
        String moments = rank.moments();
        rank.leavesAt = each.rank() == 2 ? rank.taken + 2 : Integer.MAX_VALUE;
        StepLoss loss = rank.compute(2, rank.batches(4, 8), steps());
        if (each.rank() == 2) {
            assertThat(loss).isNull();
            each.close();
        } else {
            assertThat(loss == null || each.rank() == 1).as("east sees it in the round").isTrue();
            Fault fault = loss == null ? each.ended() : rank.finish(loss);
            assertThat(fault).isNotNull().extracting(Fault::who).isEqualTo("worker-2");
        }
        if (EAST.contains(each.rank())) {
            assertThat(rank.state()).as("inner steps move").isNotEqualTo(before);
        }
        rank.hybrid.discarded();
        assertThat(rank.moments()).isEqualTo(moments);
        return rank.state();
    }

    @Test
    void aLossThatIsNoNumberShouldBeTheFaultOfWhoHasIt() throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(SITES, Transport.TCP)) {
            Group group = ranks.group(1);
            List<Integer> unsound =
                    ranks.play(
                            1,
                            BYTES,
                            each -> {
                                try (HybridRank rank =
                                        new HybridRank(each, group, OptimizerSpec.Kind.SGD)) {
                                    List<Batch> batches = rank.batches(4, 8);
                                    if (each.rank() == 3) {
                                        batches.get(1)
                                                .inputs()
                                                .get(0)
                                                .data()
                                                .buffer()
                                                .putFloat(0, Float.NaN);
                                    }
                                    rank.sum(1, batches, steps());
                                    return rank.buckets.tail().firstUnsoundRank();
                                }
                            });
            assertThat(unsound).containsOnly(3);
        }
    }

    /** Four workers at two sites learn in as many steps what one process learns. */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "INT8"})
    void shouldLearnAboutWhatOneProcessLearns(Compress codec) throws Exception {
        double alone = alone(ROUNDS * 4);
        try (RanksOnThreads ranks = new RanksOnThreads(SITES, codec, CodecSpec.DEFAULT)) {
            Group group = ranks.group(1);
            List<Double> losses = ranks.play(1, BYTES, each -> together(each, group));
            assertThat(losses).as("equal everywhere").containsOnly(losses.get(0));
            assertThat(alone).as("it learns").isLessThan(0.5 * before());
            assertThat(losses.get(0)).isLessThan(1.15 * alone);
        }
    }

    private static double together(Collective each, Group group) {
        try (HybridRank rank = new HybridRank(each, group, OptimizerSpec.Kind.ADAMW)) {
            for (int step = 1; step <= ROUNDS; step++) {
                int first = 1000 * each.rank() + 10 * step;
                List<Batch> batches =
                        IntStream.range(0, 4).mapToObj(i -> learnable(first + i)).toList();
                rank.round(step, batches, steps());
                each.applied();
            }
            return loss(rank.replica);
        }
    }

    private static double alone(int steps) {
        try (Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
                Optimizer optimizer =
                        replica.optimizer(HybridRank.optimizer(OptimizerSpec.Kind.ADAMW))) {
            Passes passes = new Passes(replica);
            Part part = new Part(1, 0, 0, List.of(1), 4 * SAMPLES, i -> 1);
            for (int step = 0; step < steps; step++) {
                StepLoss loss = passes.of(learnable(step, 4 * SAMPLES), part, 0, slot -> {});
                new GradientUpdate(replica, optimizer, loss.weight(), 0, 1).run();
            }
            return loss(replica);
        }
    }

    private static double before() {
        try (Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64)) {
            return loss(replica);
        }
    }

    /** The mean over samples from which nobody learned. */
    private static double loss(Replica replica) {
        Part part = new Part(1, 0, 0, List.of(1), SAMPLES, i -> 1);
        StepLoss sum = StepLoss.NONE;
        for (int i = 0; i < 20; i++) {
            sum = sum.plus(new Passes(replica).of(learnable(-1 - i), part, 0, slot -> {}));
        }
        return sum.lossSum() / sum.weight();
    }

    /** Samples whose target is the sum of three of their features, and noise. */
    private static Batch learnable(int seed) {
        return learnable(seed, SAMPLES);
    }

    private static Batch learnable(int seed, int samples) {
        Batch batch = Samples.of(TargetKind.VALUE, samples, seed);
        FloatBuffer features = batch.inputs().get(0).data().buffer().asFloatBuffer();
        FloatBuffer targets = batch.target().data().buffer().asFloatBuffer();
        int each = features.remaining() / samples;
        for (int i = 0; i < samples; i++) {
            float sum = features.get(each * i) + features.get(each * i + 1);
            targets.put(i, sum - features.get(each * i + 2) + targets.get(i));
        }
        return batch;
    }
}
