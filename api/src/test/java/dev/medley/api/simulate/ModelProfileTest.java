package dev.medley.api.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.plan.simulator.step.TrainingLoad;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Profiles hold what their sources say. */
@Tag("unit")
class ModelProfileTest {
    @ParameterizedTest
    @CsvSource({"resnet50-imagenet, 25557032, 161", "transformer-xl-wikitext103, 191950298, 182"})
    void shouldHaveTheParametersOfTheModel(String name, long parameters, int slots) {
        ModelProfile profile = ModelProfile.of(name);
        assertThat(profile.slotElements()).hasSize(slots);
        TrainingLoad load = SimulatedModel.of(profile, 4 << 20).load();
        assertThat(load.parameters()).isEqualTo(parameters);
        assertThat(load.gradientBytes()).isBetween(4 * parameters, 4 * parameters + 64L * slots);
        TrainingLoad.Bucket last = load.buckets().get(load.buckets().size() - 1);
        assertThat(last.readyPart()).isEqualTo(1);
        assertThat(profile.sources()).isNotEmpty().allMatch(s -> s.url().startsWith("https://"));
    }

    @Test
    void shouldMakeThePublishedSpeeds() {
        // Images a second of an A100, mixed precision; tokens of a V100 with 16 and 32 sequences.
        assertThat(ModelProfile.of("resnet50-imagenet").times().get("a100-80gb"))
                .satisfies(t -> assertThat(t.samplesPerSecond(256)).isCloseTo(2470, within(0.1)));
        assertThat(ModelProfile.of("transformer-xl-wikitext103").times().get("v100-16gb"))
                .satisfies(
                        t -> {
                            assertThat(192 * t.samplesPerSecond(16)).isCloseTo(26639, within(1.0));
                            assertThat(192 * t.samplesPerSecond(32)).isCloseTo(36692, within(1.0));
                        });
    }

    @Test
    void shouldTrainAsLongAsItsSourcesDid() {
        assertThat(ModelProfile.of("resnet50-imagenet").samples()).isEqualTo(90L * 1_281_167);
        assertThat(ModelProfile.of("transformer-xl-wikitext103").samples())
                .isEqualTo(40_000L * 256);
    }

    @Test
    void shouldRefuseAnUnknownName() {
        assertThatThrownBy(() -> ModelProfile.of("resnet50"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean resnet50-imagenet?");
    }
}
