package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.simulate.ModelProfile;
import dev.medley.base.ConfigException;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedLink;
import dev.medley.plan.simulator.fabric.SimulatedLinks.Pair;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import dev.medley.plan.simulator.fabric.SlowSpell;
import dev.medley.profile.cluster.Prices;
import dev.medley.profile.speed.StepTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class ClusterFileTest {
    private static final String WHOLE =
            """
            machines:
              - {name: a, site: aws, count: 2, type: big, speed: 2000, price_per_hour: 0.5}
              - name: b
                site: gcp
                speed: {alpha_ms: 2, beta_ms: 1.5}
                memory: 8 GiB
                bandwidth: 200 Mbit/s
                price_per_hour: 0.1
                variation: 0.05
                quota: 0.25
                quota_period: 20ms
                pause: {every: 1m, length: 500ms}
                lost: {every: 10h, for: 5m}
                slow: {from: 2m, for: 30s, times: 12.5}
            links:
              inside: {latency: 0.2 ms, bandwidth: 1 Gbit/s}
              gcp-aws: {latency: 20 ms, bandwidth: 12.5 MB/s, jitter: 2 ms, loss: 0.0001}
            currency: EUR
            egress_per_gb: 0.02
            """;

    private static final String SMALL =
            """
            machines:
              - {name: a, site: aws, speed: 10}
              - {name: b, site: gcp, speed: 20}
            links:
              between: {latency: 20ms, bandwidth: 100 Mbit/s}
            """;

    @Test
    void shouldReadMachinesLinksAndPrices() {
        ClusterFile file = read(WHOLE);
        SimulatedCluster cluster = file.cluster();
        assertThat(cluster.size()).isEqualTo(3);
        assertThat(cluster.sites()).containsExactly("aws", "gcp");
        SimulatedMachine a = cluster.kinds().get(0);
        assertThat(a.time()).isEqualTo(new StepTime(0, 5e5));
        assertThat(a.bytesPerSecond()).isEqualTo(125e6);
        assertThat(a.machine().type()).isEqualTo("big");
        SimulatedMachine b = cluster.kinds().get(1);
        assertThat(b.time()).isEqualTo(new StepTime(2e6, 1.5e6));
        assertThat(b.bytesPerSecond()).isEqualTo(25e6);
        assertThat(b.machine().memoryBytes()).isEqualTo(8L << 30);
        assertThat(b.unrest().quota()).isEqualTo(0.25);
        assertThat(b.unrest().periodNs()).isEqualTo(20_000_000);
        assertThat(b.unrest().pauseEveryNs()).isEqualTo(60_000_000_000L);
        assertThat(b.unrest().lostEveryNs()).isEqualTo(36_000_000_000_000L);
        assertThat(cluster.spells()).containsExactly(new SlowSpell("b", 120e9, 30e9, 12.5));
        assertThat(cluster.links().pairs()).containsOnlyKeys(new Pair("aws", "gcp"));
        SimulatedLink link = cluster.links().between("aws", "gcp");
        assertThat(link.way().bytesPerSecond()).isEqualTo(12.5e6);
        assertThat(link.jitterNs()).isEqualTo(2e6);
        assertThat(link.loss()).isEqualTo(1e-4);
        assertThat(file.prices()).isEqualTo(new Prices("EUR", Map.of(), 0.02));
        assertThat(read(SMALL).prices()).isNull();
    }

    @Test
    void shouldTakeSpeedsOfTypesThatAreKnown() {
        String text = SMALL.replace("speed: 10", "type: v100");
        ClusterFile file = ClusterFile.parse("c", text, Map.of("v100", new StepTime(7, 8)));
        assertThat(file.cluster().kinds().get(0).time()).isEqualTo(new StepTime(7, 8));
        assertThatThrownBy(() -> ClusterFile.parse("c", text, Map.of("a100", new StepTime(1, 1))))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("c:2:6: a has no speed")
                .hasMessageEndingWith(": a100");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    speed: 10| sped: 10| c.yaml:2:26: unknown key machines[0].sped; did you
                    machines:| machine:| did you mean machines?
                    speed: 10| speed: -1| c.yaml:2:33: machines[0].speed: found the number -1
                    speed: 10| speed: {alpha_ms: 1}| c.yaml:2:26: machines[0].speed: either
                    , speed: 20| ''| c.yaml:3:6: b has no speed
                    speed: 10| speed: 0.5x| c.yaml:2:26: 0.5x is beside the machine that plans
                    speed: 10| speed: 0x| c.yaml:2:33: machines[0].speed: found the text '0x'
                    name: b| name: a| machines[1].name: a is the name of machines[0] too
                    between:| aws-azure:| links.aws-azure: no two sites with machines
                    between:| betwen:| did you mean between?
                    100 Mbit| 0 Mbit| links.between.bandwidth: 0 moves nothing
                    100 Mbit/s| fast| expected a bandwidth such as 100 Mbit/s
                    20ms| soon| expected a duration
                    speed: 20| 'speed: 20, price_per_hour: 1'| a has no price_per_hour
                    speed: 20| 'speed: 20, quota: 2'| quota: found the number 2, expected at most
                    20ms| '20ms, loss: 1'| links.between.loss: found the number 1
                    speed: 20| 'speed: 20, count: 0'| machines[1].count: found the number 0
                    """)
    void shouldSayWhatIsWrongAndWhere(String instead, String written, String message) {
        String text = SMALL.replace(instead, written);
        assertThat(text).isNotEqualTo(SMALL);
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldReadTheExamples() throws IOException {
        Map<String, StepTime> types = ModelProfile.of("resnet50-imagenet").times();
        try (Stream<Path> files = Files.list(Path.of("../examples/simulate"))) {
            List<Path> examples = files.filter(f -> f.toString().endsWith(".yaml")).toList();
            assertThat(examples).hasSize(4);
            for (Path example : examples) {
                assertThat(ClusterFile.read(example, types).cluster().size()).isBetween(4, 8);
            }
        }
    }

    @Test
    void shouldRefuseAFileWithoutAnything() {
        assertThatThrownBy(() -> read("")).hasMessageContaining("a cluster has machines:");
        assertThatThrownBy(() -> read("- 1")).hasMessageContaining("machines: and links:");
    }

    private static ClusterFile read(String text) {
        return ClusterFile.parse("c.yaml", text, Map.of());
    }
}
