package dev.medley.kubernetes.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.kubernetes.resource.Flavor;
import io.fabric8.kubernetes.api.model.Quantity;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kinds of machines from words of the command line. */
@Tag("unit")
class FlavorWordsTest {
    @Test
    void shouldReadAllThatAKindHas() {
        Flavor flavor =
                FlavorWords.parse("gpu,min=2,max=8,cpu=4,memory=8Gi,gpu=1,site=east,node.disk=ssd");
        assertThat(flavor.min()).isEqualTo(2);
        assertThat(flavor.max()).isEqualTo(8);
        assertThat(flavor.site()).isEqualTo("east");
        assertThat(flavor.nodeSelector()).containsEntry("disk", "ssd");
        assertThat(flavor.resources().getRequests()).containsEntry("cpu", new Quantity("4"));
        assertThat(flavor.resources().getLimits())
                .containsEntry("memory", new Quantity("8Gi"))
                .containsEntry("nvidia.com/gpu", new Quantity("1"))
                .doesNotContainKey("cpu");
        assertThat(FlavorWords.parse("cpu,min=3").max()).isEqualTo(3);
        assertThat(FlavorWords.parse("cpu").resources()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    CPU               | its name is of a-z
                    cpu,min           | has no value
                    cpu,min=two       | is no whole number
                    cpu,min=5,max=2   | min is more than max
                    cpu,memory=lots   | is no quantity
                    cpu,cpu=-1        | more than 0
                    cpu,disk=ssd      | nothing is known of
                    """)
    void shouldSayWhatCannotBeRead(String words, String why) {
        assertThatThrownBy(() -> FlavorWords.parse(words))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--flavor " + words)
                .hasMessageContaining(why);
    }
}
