package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.profile.cluster.Prices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class PriceFileTest {
    @TempDir Path folder;

    @Test
    void shouldReadPricesByMachineType() {
        Prices prices =
                read("currency: EUR\nmachines: {small: 0.04, large: 1}\negress_per_gb: 0.02\n");
        Map<String, Double> perHour = Map.of("small", 0.04, "large", 1.0);
        assertThat(prices)
                .isEqualTo(
                        new Prices("EUR", perHour, 0.02, folder.resolve("prices.yaml") + ":2:1"));
    }

    @Test
    void shouldGuessMisspeltKeysAndSayEverythingAtOnce() {
        assertThatThrownBy(
                        () ->
                                read(
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
        assertThatThrownBy(() -> read(""))
                .hasMessageEndingWith(
                        "prices.yaml:1:1: a mapping with the keys currency, machines,"
                                + " egress_per_gb");
        assertThatThrownBy(() -> read("currency: EUR\n"))
                .hasMessageContaining("machines: a price an hour for each type");
    }

    private Prices read(String text) {
        try {
            return PriceFile.read(Files.writeString(folder.resolve("prices.yaml"), text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
