package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.model.FactorSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages name what stands there, and never what is not there. */
@Tag("unit")
class FactorRulesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "who | | model.user=who stands alone: name model.item, too, or neither",
                " | what | model.item=what stands alone: name model.user, too, or neither",
            })
    void oneColumnAloneShouldBeNamed(String user, String item, String message) {
        FactorSpec whole = FactorSpec.defaults();
        assertThatThrownBy(() -> whole.of(user, item))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(message);
    }
}
