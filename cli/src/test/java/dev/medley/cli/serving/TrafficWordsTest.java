package dev.medley.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shares, ranges and sizes are read as people write them, and what could mean two things is none.
 */
@Tag("unit")
class TrafficWordsTest {
    @Test
    void shouldReadSharesInPercentAndAsParts() {
        assertThat(TrafficWords.share("--share", "5%")).isEqualTo(0.05);
        assertThat(TrafficWords.share("--share", " 12.5 % ")).isEqualTo(0.125);
        assertThat(TrafficWords.share("--share", "0.05")).isEqualTo(0.05);
        assertThat(TrafficWords.shares(List.of("2=90%", "3=0.1"), Integer::parseInt))
                .isEqualTo(Map.of(2, 0.9, 3, 0.1));
        assertThat(TrafficWords.range("-1..100")).containsExactly(-1, 100);
        assertThat(TrafficWords.bytes("--memory", "2GiB")).isEqualTo(2L << 30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "", "%", "five", "5%%", "NaN", "Infinity", "0x1p3"})
    void shouldRefuseSharesThatAreNone(String text) {
        assertThatThrownBy(() -> TrafficWords.share("--share", text))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("--share ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "=5%", "2=", "2=5", "2=50% 2=50%"})
    void shouldRefuseSplitsThatAreNone(String text) {
        assertThatThrownBy(() -> TrafficWords.shares(List.of(text.split(" ")), Integer::parseInt))
                .isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "..", "0..", "a..b", "0..1..2", "0-1"})
    void shouldRefuseRangesThatAreNone(String text) {
        assertThatThrownBy(() -> TrafficWords.range(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("--range " + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2 QB", "-1", "1e99TB", "lots"})
    void shouldRefuseSizesThatAreNone(String text) {
        assertThatThrownBy(
                        () ->
                                dev.medley.serving.host.MemoryBudget.of(
                                        TrafficWords.bytes("--memory", text)))
                .isInstanceOf(ConfigException.class);
    }
}
