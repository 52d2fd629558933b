package dev.medley.training.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.metric.Metrics;
import dev.medley.inference.report.ReportParts;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.Replica;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Evaluations of real models over a real exchange. */
@Tag("property")
class GroupEvaluatorTest {
    private static final long OFFSET_BYTES = 192;
    private static final int SAMPLES = 613;
    private static final int BLOCK = 40;
    private static final ThresholdSpec F1 = ThresholdSpec.of(ThresholdSpec.Maximise.F1);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static Stream<Arguments> targetsAndRanks() {
        return Stream.of(TargetKind.values())
                .filter(kind -> kind != TargetKind.GRADE) // No network ranks.
                .filter(kind -> kind != TargetKind.NONE) // No replica has it.
                .flatMap(kind -> Stream.of(1, 2, 3, 7).map(ranks -> Arguments.of(kind, ranks)));
    }

    @ParameterizedTest
    @MethodSource("targetsAndRanks")
    void anyNumberOfWorkersShouldFindTheSameBits(TargetKind kind, int ranks) throws Exception {
        Batch all = Samples.of(kind, SAMPLES, 5);
        Target target = Samples.signature(kind).target();
        EvaluationBlocks blocks =
                new EvaluationBlocks(
                        SAMPLES,
                        BLOCK,
                        target,
                        metrics(kind),
                        ReportParts.choosing(Samples.signature(kind), SAMPLES, F1));
        AtomicIntegerArray reads = new AtomicIntegerArray(SAMPLES);
        GroupEvaluator evaluator =
                new GroupEvaluator(
                        blocks,
                        kind,
                        (from, to) -> {
                            for (int i = (int) from; i < to; i++) {
                                reads.incrementAndGet(i);
                            }
                            return all.rows((int) from, (int) to);
                        });
        try (Replica replica = Samples.replica(kind, 3, Precision.FP32);
                RanksOnThreads group = new RanksOnThreads(ranks)) {
            Evaluation alone = evaluator.evaluate(replica);
            requireEach(reads, 1);
            BlockOwners owners = uneven(blocks, ranks);
            long bytes = OFFSET_BYTES + blocks.values() * Double.BYTES;
            List<GroupEvaluator.Result> results =
                    group.play(
                            1,
                            bytes,
                            rank -> {
                                GroupEvaluator.Result first =
                                        evaluator.evaluate(
                                                replica,
                                                rank,
                                                owners,
                                                new StepTag(1, 1, 1),
                                                OFFSET_BYTES);
                                assertThat(first).isInstanceOf(GroupEvaluator.Result.Done.class);
                                return evaluator.evaluate(
                                        replica, rank, owners, new StepTag(1, 2, 1), OFFSET_BYTES);
                            });
            requireEach(reads, 3);
            assertThat(alone.figures()).hasSize(blocks.metrics().size());
            assertThat(alone.figures().values()).allMatch(Double::isFinite);
            assertThat(alone.trouble()).isNull();
            EvaluationReport report = ReportParts.report(alone, target, "all");
            assertThat(report.sections()).hasSize(sections(kind));
            for (GroupEvaluator.Result result : results) {
                Evaluation found = ((GroupEvaluator.Result.Done) result).evaluation();
                assertThat(ReportParts.report(found, target, "all")).isEqualTo(report);
                assertThat(found)
                        .usingRecursiveComparison()
                        .ignoringFields("sections")
                        .isEqualTo(alone);
            }
        }
    }

    private static int sections(TargetKind kind) {
        return switch (kind) {
            case BINARY -> 3; // Classes, curves, calibration.
            case CLASSES -> 3; // Classes, their curves, calibration.
            case VALUE, VALUES -> 1;
            case GRADE, TOKENS, NONE -> 0;
        };
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"GRADE", "NONE"})
    void shouldFindWhatOnePassOverAllSamplesFinds(TargetKind kind) {
        Batch all = Samples.of(kind, SAMPLES, 6);
        GroupEvaluator evaluator =
                new GroupEvaluator(
                        new EvaluationBlocks(
                                SAMPLES, BLOCK, Samples.signature(kind).target(), metrics(kind)),
                        kind,
                        (from, to) -> all.rows((int) from, (int) to));
        try (Replica replica = Samples.replica(kind, 4, Precision.FP32)) {
            Map<String, Double> figures = evaluator.evaluate(replica).figures();
            BlockLoss whole = replica.evaluate(all);
            assertThat(figures.get("loss"))
                    .isCloseTo(whole.lossSum() / whole.weight(), within(1e-5));
            switch (kind) {
                case VALUE ->
                        assertThat(figures.get("rmse"))
                                .isCloseTo(Math.sqrt(figures.get("loss")), within(1e-5));
                case VALUES ->
                        assertThat(figures.get("mse")).isCloseTo(figures.get("loss"), within(1e-5));
                case TOKENS ->
                        assertThat(figures.get("perplexity"))
                                .isCloseTo(Math.exp(figures.get("loss")), within(1e-5));
                case BINARY, CLASSES ->
                        assertThat(figures.get("log_loss"))
                                .isCloseTo(figures.get("loss"), within(1e-5));
                case NONE -> throw new AssertionError("no replica has it");
            }
        }
    }

    /** As after an update that diverged. */
    @ParameterizedTest
    @MethodSource("targetsAndRanks")
    void noMetricShouldBeComputedOfOutputsThatAreNotNumbers(TargetKind kind, int ranks)
            throws Exception {
        Batch all = Samples.of(kind, SAMPLES, 5);
        EvaluationBlocks blocks =
                new EvaluationBlocks(
                        SAMPLES, BLOCK, Samples.signature(kind).target(), metrics(kind));
        GroupEvaluator evaluator =
                new GroupEvaluator(blocks, kind, (from, to) -> all.rows((int) from, (int) to));
        try (Replica replica = Samples.replica(kind, 3, Precision.FP32);
                RanksOnThreads group = new RanksOnThreads(ranks)) {
            for (ByteBuffer chunk : replica.parameters().buffers()) {
                FloatBuffer parameters = chunk.asFloatBuffer();
                while (parameters.hasRemaining()) {
                    parameters.put(Float.NaN);
                }
            }
            BlockOwners owners = uneven(blocks, ranks);
            long bytes = OFFSET_BYTES + blocks.values() * Double.BYTES;
            List<GroupEvaluator.Result> results =
                    group.play(
                            1,
                            bytes,
                            rank ->
                                    evaluator.evaluate(
                                            replica,
                                            rank,
                                            owners,
                                            new StepTag(1, 1, 1),
                                            OFFSET_BYTES));
            for (GroupEvaluator.Result result : results) {
                Evaluation evaluation = ((GroupEvaluator.Result.Done) result).evaluation();
                assertThat(evaluation.figures()).hasSize(blocks.metrics().size());
                assertThat(evaluation.figures().values()).allMatch(v -> v.isNaN());
                assertThat(evaluation.unsound()).isEqualTo(SAMPLES);
                assertThat(evaluation.trouble())
                        .contains("613 of 613 samples", "the first is sample 1:");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TargetKind.class,
            names = {"VALUE", "BINARY"})
    void aSampleBeyondAllShouldBeNamed(TargetKind kind) {
        Batch all = Samples.of(kind, SAMPLES, 5);
        spoil(all, 123);
        spoil(all, 456);
        GroupEvaluator evaluator =
                new GroupEvaluator(
                        new EvaluationBlocks(
                                SAMPLES, BLOCK, Samples.signature(kind).target(), metrics(kind)),
                        kind,
                        (from, to) -> all.rows((int) from, (int) to));
        try (Replica replica = Samples.replica(kind, 4, Precision.FP32)) {
            Evaluation evaluation = evaluator.evaluate(replica);
            assertThat(evaluation)
                    .extracting(Evaluation::unsound, Evaluation::firstUnsound)
                    .containsExactly(2L, 123L);
            assertThat(evaluation.figures().values()).allMatch(v -> v.isNaN());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"GRADE", "NONE"})
    void blocksShouldCoverTheSamplesAndKeepValuesApart(TargetKind kind) {
        for (long samples : new long[] {0, 1, 499, 500, 501, 1234}) {
            EvaluationBlocks blocks =
                    EvaluationBlocks.of(samples, Samples.signature(kind), metrics(kind), List.of());
            long at = 0;
            long values = 0;
            for (int block = 0; block < blocks.count(); block++) {
                assertThat(blocks.from(block)).isEqualTo(at);
                assertThat(blocks.offset(block)).isEqualTo(values);
                at = blocks.to(block);
                values += blocks.valuesOf(block);
            }
            assertThat(at).isEqualTo(samples);
            assertThat(blocks.values()).isEqualTo(values);
        }
    }

    /** The second rank has no share, where there are several. */
    private static BlockOwners uneven(EvaluationBlocks blocks, int ranks) {
        List<WorkerId> members = IntStream.range(0, ranks).mapToObj(WorkerId::new).toList();
        List<Integer> shares =
                IntStream.range(0, ranks).mapToObj(r -> r == 1 ? 0 : 10 * (r + 1)).toList();
        return BlockOwners.of(blocks, members, shares);
    }

    private static void spoil(Batch all, int sample) {
        all.inputs()
                .get(0)
                .rows(sample, sample + 1)
                .data()
                .buffer()
                .asFloatBuffer()
                .put(0, Float.NaN);
    }

    private static void requireEach(AtomicIntegerArray reads, int times) {
        for (int i = 0; i < reads.length(); i++) {
            assertThat(reads.get(i)).as("reads of sample %d", i).isEqualTo(times);
        }
    }

    private static List<Metric> metrics(TargetKind kind) {
        String names =
                switch (kind) {
                    case BINARY -> "auc accuracy log_loss loss pr_auc precision recall f1";
                    case CLASSES -> "log_loss accuracy loss precision recall f1 top_2_accuracy";
                    case VALUE -> "rmse loss mae r2";
                    case VALUES -> "mse loss mae rmse r2";
                    case GRADE -> "ndcg@3 ndcg loss";
                    case TOKENS -> "loss perplexity accuracy top_3_accuracy";
                    case NONE -> "loss inertia";
                };
        return Stream.of(names.split(" "))
                .map(name -> Metrics.of(MetricSpec.named(name), Samples.signature(kind).target()))
                .toList();
    }
}
