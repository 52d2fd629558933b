package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.profile.cluster.Prices;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PriceFileTest {
    @Test
    void shouldReadPricesByMachineType() {
        Prices prices =
                PriceFile.parse(
                        "prices.yaml",
                        "currency: EUR\nmachines: {small: 0.04, large: 1}\negress_per_gb: 0.02\n");
        Map<String, Double> perHour = Map.of("small", 0.04, "large", 1.0);
        assertThat(prices).isEqualTo(new Prices("EUR", perHour, 0.02, "prices.yaml:2:1"));
    }

    @Test
    void shouldGuessMisspeltKeysAndSayEverythingAtOnce() {
        assertThatThrownBy(
                        () ->
                                PriceFile.parse(
                                        "prices.yaml",
                                        "curency: EUR\nmachines: {small: cheap}\n"
                                                + "egress_per_gb: -1\nfoo: 1\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("prices.yaml:1:1: curency is no key of prices; did you mean")
                .hasMessageContaining("currency: which one is meant?")
                .hasMessageContaining("prices.yaml:2:19: machines.small: found \"cheap\"")
                .hasMessageContaining("egress_per_gb: found -1, expected a number")
                .hasMessageContaining("foo is no key of prices; it has currency, machines");
    }

    @Test
    void shouldRefuseWhatIsNoMapping() {
        assertThatThrownBy(() -> PriceFile.parse("prices.yaml", ""))
                .hasMessage(
                        "prices.yaml:1:1: a mapping with the keys currency, machines,"
                                + " egress_per_gb");
        assertThatThrownBy(() -> PriceFile.parse("prices.yaml", "currency: EUR\n"))
                .hasMessageContaining("machines: a price an hour for each type");
    }
}
