package dev.medley.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.OnnxModel.Precision;
import dev.medley.onnx.given.GivenTable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model whose weights are kept in eight bits answers nearly as in single precision. */
@Tag("real")
class Int8ExportTest {
    private static final List<Integer> HIDDEN = List.of(256, 128);

    @TempDir private Path folder;

    @Test
    void shouldAnswerNearlyTheSameFromAFileOfAQuarter() throws Exception {
        ModelSpec model = new ModelSpec.Mlp(HIDDEN, ModelSpec.Activation.RELU, 0);
        GivenTable table = GivenTable.in(folder, "income", model);
        try (LoadedModel loaded = table.trained(null)) {
            OnnxModel single = OnnxModel.of(loaded);
            OnnxModel bytes = OnnxModel.of(loaded, Precision.INT8);
            assertThat(bytes.bytes()).isLessThan(single.bytes() / 3);
            float[] expected = shares(single, table);
            float[] found = shares(bytes, table);
            assertThat(found).hasSameSizeAs(expected);
            for (int i = 0; i < found.length; i++) {
                assertThat(found[i]).isCloseTo(expected[i], within(0.05f));
            }
            assertThat(found).isNotEqualTo(expected);
        }
    }

    private float[] shares(OnnxModel model, GivenTable table) throws Exception {
        try (OnnxSession session = OnnxSession.of(model, folder)) {
            return session.with(table.arrays()).floats("probability");
        }
    }

    @Test
    void shouldRefuseAModelWithoutMatrices() throws Exception {
        ModelSpec model = new ModelSpec.Boosting(3, 0.3, TreeSpec.ofBoosting());
        GivenTable table = GivenTable.in(folder, "income", model);
        try (LoadedModel loaded = table.trained(null)) {
            assertThatThrownBy(() -> OnnxModel.of(loaded, Precision.INT8))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("no matrix of weights")
                    .hasMessageContaining("boosting");
        }
    }
}
