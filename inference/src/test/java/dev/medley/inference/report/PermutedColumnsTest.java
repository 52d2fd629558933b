package dev.medley.inference.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.evaluation.Importance;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.ColumnPlace;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.metric.EvaluatedBlock;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.Evaluator.BlockSource;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.metric.Metrics;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A model that is known: twice the first column, ten where the embedded one is 1. */
@Tag("unit")
class PermutedColumnsTest {
    private static final int SAMPLES = 3000;
    private static final Path MODEL = Path.of("model");
    private static final TableEncoding TABLE =
            new TableEncoding(
                    List.of(
                            number("x"),
                            category("colour", false),
                            number("noise"),
                            category("town", true)),
                    LabelEncoding.ofNumber("y", Source.NUMBER, 0, 1),
                    List.of(),
                    null);
    private static final Metric RMSE =
            Metrics.of(MetricSpec.of(MetricKind.RMSE), new Target(TargetKind.VALUE, 1, List.of()));

    private static ColumnEncoding number(String name) {
        return new ColumnEncoding.Numeric(name, Source.NUMBER, 0, 1, 0, false);
    }

    private static ColumnEncoding category(String name, boolean isEmbedded) {
        return new ColumnEncoding.Category(name, List.of("a", "b"), false, isEmbedded);
    }

    @Test
    void columnsShouldHaveTheirPlacesInTheEncodedSample() {
        assertThat(ColumnPlace.of(TABLE))
                .containsExactly(
                        Map.entry("x", new ColumnPlace(0, 0, 1)),
                        Map.entry("colour", new ColumnPlace(0, 2, 2)),
                        Map.entry("noise", new ColumnPlace(0, 1, 1)),
                        Map.entry("town", new ColumnPlace(1, 0, 1)));
    }

    @Test
    void whatDecidesShouldMatterAndWhatDoesNotShouldNot() {
        Importance found = importance(new ImportanceOptions(List.of(), 5, 3));
        assertThat(found.value()).isZero();
        assertThat(found.metric()).isEqualTo("rmse");
        assertThat(found.columns())
                .extracting(Importance.Column::name)
                .startsWith("town", "x")
                .hasSize(4);
        // Two that are drawn independently differ by the root of twice the variance.
        assertThat(found.columns().get(0).mean()).isCloseTo(10 * Math.sqrt(0.5), within(0.2));
        assertThat(found.columns().get(1).mean()).isCloseTo(2 * Math.sqrt(2 / 12.0), within(0.03));
        assertThat(found.columns().get(1).deviation()).isBetween(1e-6, 0.05);
        assertThat(found.columns().subList(2, 4))
                .allMatch(column -> column.mean() == 0 && column.deviation() == 0);
    }

    @Test
    void shouldBeRepeatableAndTheSameForAColumnAlone() {
        Importance all = importance(new ImportanceOptions(List.of(), 2, 3));
        assertThat(importance(new ImportanceOptions(List.of(), 2, 3))).isEqualTo(all);
        assertThat(importance(new ImportanceOptions(List.of("x"), 2, 3)).columns())
                .containsExactly(all.columns().get(1));
        assertThat(importance(new ImportanceOptions(List.of("x"), 2, 4)).columns())
                .doesNotContain(all.columns().get(1));
    }

    @Test
    void aColumnThatIsNotThereShouldBeRefused() {
        ImportanceOptions misspelt = new ImportanceOptions(List.of("colur"), 1, 1);
        assertThatThrownBy(() -> PermutedColumns.of(MODEL, TABLE, misspelt))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'colur' is no input of model, did you mean 'colour'?")
                .hasMessageContaining("x, colour, noise, town");
        assertThatThrownBy(() -> new ImportanceOptions(List.of(), 0, 1))
                .hasMessageContaining("--repeats 0: at least 1");
    }

    @Test
    void moreSamplesThanCanBeDealtAnewShouldBeRefusedAtOnce() {
        Batch all = samples();
        PermutedColumns columns =
                PermutedColumns.of(MODEL, TABLE, new ImportanceOptions(List.of("x"), 1, 1));
        assertThatThrownBy(
                        () ->
                                columns.importance(
                                        1L << 30,
                                        RMSE,
                                        (from, to) -> all.rows((int) from, (int) to),
                                        source -> {
                                            throw new AssertionError("evaluated");
                                        },
                                        PreparationProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'x': 1,073,741,824 samples of 4 bytes each")
                .hasMessageContaining("at most 536,870,909 samples");
    }

    private static Importance importance(ImportanceOptions options) {
        Batch all = samples();
        return PermutedColumns.of(MODEL, TABLE, options)
                .importance(
                        SAMPLES,
                        RMSE,
                        (from, to) -> all.rows((int) from, (int) to),
                        PermutedColumnsTest::evaluate,
                        PreparationProgress.NONE);
    }

    /** In blocks that are not those in which columns are gathered. */
    private static Evaluation evaluate(BlockSource source) {
        List<double[]> blocks = new java.util.ArrayList<>();
        for (int from = 0; from < SAMPLES; from += 700) {
            Batch batch = source.read(from, Math.min(SAMPLES, from + 700));
            HostArray outputs = HostArray.allocate(ElementType.FLOAT32, batch.samples(), 1);
            for (int i = 0; i < batch.samples(); i++) {
                outputs.data().buffer().asFloatBuffer().put(i, said(batch, i));
            }
            blocks.add(
                    RMSE.values(
                            new EvaluatedBlock(
                                    outputs, batch.target(), 0, batch.samples(), batch.samples())));
        }
        return new Evaluation(Map.of("rmse", RMSE.figure(blocks)), 0, List.of(), 0, 0, SAMPLES);
    }

    private static float said(Batch batch, int i) {
        float x = batch.inputs().get(0).data().buffer().asFloatBuffer().get(4 * i);
        long town = batch.inputs().get(1).data().buffer().asLongBuffer().get(i);
        return 2 * x + 10 * town;
    }

    private static Batch samples() {
        RandomGenerator random = Seeds.generator(7);
        HostArray features = HostArray.allocate(ElementType.FLOAT32, SAMPLES, 4);
        HostArray codes = HostArray.allocate(ElementType.INT64, SAMPLES, 1);
        HostArray target = HostArray.allocate(ElementType.FLOAT32, SAMPLES);
        FloatBuffer numbers = features.data().buffer().asFloatBuffer();
        LongBuffer towns = codes.data().buffer().asLongBuffer();
        for (int i = 0; i < SAMPLES; i++) {
            int colour = random.nextInt(2);
            numbers.put(4 * i, random.nextFloat()).put(4 * i + 1, random.nextFloat());
            numbers.put(4 * i + 2 + colour, 1);
            towns.put(i, random.nextInt(2));
        }
        Batch batch = new Batch(List.of(features, codes), target, SAMPLES);
        for (int i = 0; i < SAMPLES; i++) {
            target.data().buffer().asFloatBuffer().put(i, said(batch, i));
        }
        return batch;
    }
}
