package dev.medley.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.HostArray;
import dev.medley.base.model.KMeansSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenTable;
import dev.medley.onnx.stage.InputStage;
import dev.medley.onnx.stage.OutputStage;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What ONNX Runtime says of raw rows is what a prediction says of the file that has them. */
@Tag("real")
class TableExportTest {
    private static final double CLOSE = 1e-4;

    @TempDir private Path folder;

    static Stream<Arguments> families() {
        ModelSpec plain = new ModelSpec.Mlp(List.of(12, 8), ModelSpec.Activation.GELU, 0.1);
        ModelSpec wide = mlp(ModelSpec.Activation.RELU, ModelSpec.Numeric.PIECEWISE, 3, true, 0);
        ModelSpec many = mlp(ModelSpec.Activation.TANH, ModelSpec.Numeric.PERIODIC, 0, true, 4);
        ModelSpec boosting = new ModelSpec.Boosting(12, 0.3, TreeSpec.ofBoosting());
        ModelSpec forest = new ModelSpec.Forest(6, TreeSpec.ofForest());
        return Stream.concat(
                Stream.of(
                        Arguments.of(plain, "kind"),
                        Arguments.of(wide, "income"),
                        Arguments.of(ModelSpec.Factorization.defaults(), "hours")),
                Stream.of(new ModelSpec.Linear(), many, boosting, forest)
                        .flatMap(
                                model ->
                                        Stream.of("income", "kind", "hours")
                                                .map(label -> Arguments.of(model, label))));
    }

    private static ModelSpec mlp(
            ModelSpec.Activation activation,
            ModelSpec.Numeric numeric,
            int embed,
            boolean isWide,
            int ensemble) {
        return new ModelSpec.Mlp(List.of(12, 8), activation, 0, numeric, embed, isWide, ensemble);
    }

    @ParameterizedTest
    @MethodSource("families")
    void rowsShouldGetTheAnswersOfAPrediction(ModelSpec model, String label) throws Exception {
        GivenTable table = GivenTable.in(folder, label, model);
        try (LoadedModel loaded = table.trained(null)) {
            requireEqual(loaded, table);
        }
    }

    static Stream<ModelSpec> rates() {
        return Stream.of(
                new ModelSpec.Linear(), new ModelSpec.Boosting(12, 0.3, TreeSpec.ofBoosting()));
    }

    @ParameterizedTest
    @MethodSource("rates")
    void ratesShouldBeInTheirOwnUnits(ModelSpec model) throws Exception {
        GivenTable table = GivenTable.ofCounts(folder, model);
        try (LoadedModel loaded = table.trained(null)) {
            requireEqual(loaded, table);
        }
    }

    @Test
    void rowsShouldGetTheClustersOfAPrediction() throws Exception {
        ModelSpec model = new ModelSpec.KMeans(40, KMeansSpec.defaults());
        GivenTable table = GivenTable.in(folder, "", model);
        try (LoadedModel loaded = table.trained(null);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            session.with(table.arrays());
            FloatBuffer expected = table.predicted(loaded).data().buffer().asFloatBuffer();
            long[] clusters = session.wholes("cluster");
            float[] distances = session.floats("distance");
            assertThat(clusters).hasSize(expected.remaining() / 2);
            assertThat(Arrays.stream(clusters).distinct().count()).isGreaterThan(8);
            for (int i = 0; i < clusters.length; i++) {
                assertThat(clusters[i]).isEqualTo((long) expected.get(2 * i));
                assertThat(distances[i])
                        .isCloseTo(expected.get(2 * i + 1), withinPercentage(100 * CLOSE));
            }
        }
    }

    /** Nothing is worth a split. */
    @Test
    void treesOfOneLeafShouldBeTold() throws Exception {
        TreeSpec usual = TreeSpec.ofBoosting();
        TreeSpec stumps =
                new TreeSpec(
                        usual.depth(),
                        usual.leaves(),
                        usual.minChildWeight(),
                        1e12,
                        usual.l1(),
                        usual.l2(),
                        usual.subsample(),
                        usual.colsample(),
                        usual.bins(),
                        usual.monotone());
        ModelSpec model = new ModelSpec.Boosting(3, 0.3, stumps);
        GivenTable table = GivenTable.in(folder, "hours", model);
        try (LoadedModel loaded = table.trained(null)) {
            requireEqual(loaded, table);
        }
    }

    @Test
    void anOutputShouldNotTakeTheNameOfAColumn() {
        Graph graph = new Graph();
        TableEncoding encoding =
                new TableEncoding(
                        List.of(
                                new ColumnEncoding.Numeric(
                                        "prediction", Source.NUMBER, 0, 1, 0, false)),
                        LabelEncoding.ofNumber("y", Source.NUMBER, 0, 1),
                        List.of(),
                        null);
        InputStage input = InputStage.of(encoding, graph);
        new OutputStage(encoding.label().target(), null, graph).add(input.arrays().get(0), input);
        assertThat(graph.inputs()).extracting(Port::name).containsExactly("prediction");
        assertThat(graph.outputs()).extracting(Port::name).containsExactly("prediction_");
    }

    @Test
    void aThresholdShouldDecide() throws Exception {
        GivenTable table = GivenTable.in(folder, "income", new ModelSpec.Linear());
        DecisionThreshold low =
                new DecisionThreshold(0.05, ThresholdSpec.of(ThresholdSpec.Maximise.F1), 0.5);
        try (LoadedModel loaded = table.trained(low)) {
            requireEqual(loaded, table);
        }
    }

    private void requireEqual(LoadedModel loaded, GivenTable table) throws Exception {
        Target target = loaded.description().signature().target();
        try (OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            session.with(table.arrays());
            HostArray predicted = table.predicted(loaded);
            float[] outputs = new float[(int) predicted.count()];
            predicted.data().buffer().asFloatBuffer().get(outputs);
            if (target.kind() == TargetKind.VALUE) {
                assertThat(session.floats("prediction")).hasSize(outputs.length);
                float[] numbers = session.floats("prediction");
                for (int i = 0; i < outputs.length; i++) {
                    assertThat((double) numbers[i])
                            .isCloseTo(outputs[i], within(CLOSE * target.deviation()));
                }
                return;
            }
            String[] labels = session.texts("prediction");
            float[] shares = session.floats("probability");
            int classes = target.labels().size();
            assertThat(shares).hasSize(classes * labels.length);
            for (int row = 0; row < labels.length; row++) {
                double[] expected = probabilities(outputs, row, target);
                for (int c = 0; c < classes; c++) {
                    assertThat((double) shares[row * classes + c])
                            .isCloseTo(expected[c], within(CLOSE));
                }
                double said = expected[target.labels().indexOf(labels[row])];
                DecisionThreshold threshold = loaded.description().threshold();
                if (threshold == null) {
                    double most = Arrays.stream(expected).max().orElseThrow();
                    assertThat(said).isCloseTo(most, within(1e-6)); // Of equal ones any.
                } else {
                    int decided = threshold.decide(expected[1]);
                    assertThat(labels[row]).isEqualTo(target.labels().get(decided));
                }
            }
        }
    }

    private static double[] probabilities(float[] outputs, int row, Target target) {
        if (target.kind() == TargetKind.BINARY) {
            double second = 1 / (1 + Math.exp(-outputs[row]));
            return new double[] {1 - second, second};
        }
        double[] shares = new double[target.outputs()];
        double sum = 0;
        for (int c = 0; c < shares.length; c++) {
            shares[c] = Math.exp(outputs[row * shares.length + c]);
            sum += shares[c];
        }
        for (int c = 0; c < shares.length; c++) {
            shares[c] /= sum;
        }
        return shares;
    }
}
