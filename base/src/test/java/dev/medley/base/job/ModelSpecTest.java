package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ModelSpecTest {
    @Test
    void recordsOfEarlierVersionsShouldBePlainLayers() {
        String written =
                "{\"family\":\"mlp\",\"hidden\":[256,64],\"activation\":\"RELU\",\"dropout\":0.0}";
        ModelSpec read = Json.parse(written, ModelSpec.class);
        assertThat(read).isEqualTo(ModelSpec.Mlp.plain());
        assertThat(((ModelSpec.Mlp) read).isPlain()).isTrue();
        assertThat(ModelSpec.Mlp.defaults().isPlain()).isFalse();
        assertThat(Json.parse(Json.line(ModelSpec.Mlp.defaults()), ModelSpec.class))
                .isEqualTo(ModelSpec.Mlp.defaults());
    }

    @Test
    void lossesOfEarlierVersionsShouldNotSmooth() {
        TrainSpec.LossSpec read =
                Json.parse("{\"kind\":\"AUTO\",\"custom\":null}", TrainSpec.LossSpec.class);
        assertThat(read).isEqualTo(TrainSpec.LossSpec.auto());
        assertThatThrownBy(() -> read.smoothing(1))
                .isInstanceOf(ConfigException.class)
                .hasMessage("train.label_smoothing=1.0: from 0 to below 1");
    }

    @Test
    void anEnsembleShouldHaveMembersAndALayerToShare() {
        assertThatThrownBy(() -> ensemble(List.of(8), 1))
                .isInstanceOf(ConfigException.class)
                .hasMessage("model.ensemble=1: at least 2 networks, or false for one");
        assertThatThrownBy(() -> ensemble(List.of(), 4))
                .isInstanceOf(ConfigException.class)
                .hasMessage("model.ensemble=4: needs a hidden layer that the networks share");
    }

    private static ModelSpec ensemble(List<Integer> hidden, int members) {
        return new ModelSpec.Mlp(
                hidden, ModelSpec.Activation.RELU, 0, ModelSpec.Numeric.PLAIN, 0, false, members);
    }
}
