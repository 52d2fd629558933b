package dev.medley.profile.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PricesTest {
    private static final Machine SMALL = new Machine("a", "aws", "small", 1 << 30, null);
    private static final Machine LARGE = new Machine("b", "gcp", "large", 1 << 30, null);
    private static final Machine OWN = new Machine("c", "gcp", "unheard-of", 1 << 30, 3.0);

    private final Prices prices = new Prices("EUR", Map.of("small", 0.1, "large", 0.4), 0.02);

    @Test
    void shouldAddHoursOfMachinesAndBytesBetweenSites() {
        assertThat(prices.of(List.of(SMALL, LARGE), 7200, 5e9)).isEqualTo(1.0 + 0.1);
    }

    @Test
    void shouldPreferTheMachinesOwnPrice() {
        assertThat(prices.of(List.of(OWN), 3600, 0)).isEqualTo(3.0);
    }

    @Test
    void shouldNameEveryTypeWithoutAPrice() {
        Machine gpu = new Machine("d", "gcp", "gpu", 1 << 30, null);
        Machine arm = new Machine("e", "gcp", "arm", 1 << 30, null);

        assertThatThrownBy(() -> prices.requireFor(List.of(SMALL, gpu, OWN, arm)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "prices: no price for machines of type arm, gpu; there are those of large,"
                                + " small: add the missing ones");
    }

    @Test
    void shouldRefuseNegativePrices() {
        assertThatThrownBy(() -> new Prices("EUR", Map.of("small", -1.0), 0))
                .hasMessageContaining("small");
        assertThatThrownBy(() -> new Prices("EUR", Map.of(), -0.1))
                .hasMessageContaining("egress_per_gb");
    }
}
