package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.ClassWeights;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ClassWeightsTest {
    private static final Target TWO = new Target(TargetKind.BINARY, 1, List.of("no", "yes"));

    @Test
    void balancedClassesShouldWeighAlikeInAll() {
        // As scikit-learn's class_weight="balanced": samples / (classes x samples of the class).
        assertThat(ClassWeights.BALANCED.of(TWO, List.of(60L, 20L)).values())
                .containsExactly(80 / 120.0, 2.0);
        assertThat(ClassWeights.NONE.of(TWO, List.of(60L, 20L)).values()).isEmpty();
    }

    @Test
    void namedClassesShouldWeighWhatIsSaidAndOthersOne() {
        assertThat(given("yes", 3.5).of(TWO, List.of()).values()).containsExactly(1.0, 3.5);
    }

    @Test
    void whatCannotBeShouldBeRefused() {
        assertThatThrownBy(() -> given("yess", 2).of(TWO, List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'yes'?")
                .hasMessageContaining("no, yes");
        ClassWeights nothing = new ClassWeights(false, Map.of("yes", 0.0, "no", 0.0), List.of());
        assertThatThrownBy(() -> nothing.of(TWO, List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("all classes weigh 0");
        assertThat(given("yes", 0).of(TWO, List.of()).values()).containsExactly(1.0, 0.0);
        assertThatThrownBy(() -> given("yes", Double.NaN)).isInstanceOf(ConfigException.class);
        assertThatThrownBy(
                        () ->
                                ClassWeights.BALANCED.of(
                                        new Target(TargetKind.VALUE, 1, List.of()), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no classes");
        assertThatThrownBy(() -> ClassWeights.BALANCED.of(TWO, List.of()))
                .isInstanceOf(ConfigException.class);
    }

    private static ClassWeights given(String name, double weight) {
        return new ClassWeights(false, Map.of(name, weight), List.of());
    }
}
