package dev.medley.api.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.run.SmallJob;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.plan.forecast.Forecast;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Prices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class CandidateTableTest {
    private static final ModelFacts FACTS =
            new ModelFacts(1_686_568, 421_642, 256, 128, 54_000, Budget.ofEpochs(8), true);
    private static final EfficiencyTable WORTH = EfficiencyTable.shipped().of("mlp");
    private static final EfficiencyTable OF_CNN = EfficiencyTable.shipped().of("cnn");
    private static final String CLUSTER =
            """
            {"machines": [
              {"name": "a1", "site": "aws", "type": "large", "memoryBytes": 1073741824},
              {"name": "g1", "site": "gcp", "type": "small", "memoryBytes": 1073741824}],
             "speeds": {"g1": 0.5}}
            """;

    @TempDir Path folder;

    @Test
    void shouldSayLineByLineWhatEachStrategyWouldDo() throws Exception {
        CandidateTable table =
                table(job(StrategySpec.defaults(Kind.AUTO)), read(CLUSTER), prices());
        assertThat(table.own()).isNull();
        List<String> lines = table.lines();
        assertThat(lines.get(0))
                .isEqualTo(
                        "candidates: for 2 machines (a1 at aws; g1 0.50x at gcp), ways between them"
                                + " assumed");
        assertThat(lines.get(1)).contains("samples/s", "efficiency", "between sites", "costs");
        assertThat(lines).anyMatch(l -> l.contains("data-parallel, int8 between sites"));
        assertThat(lines).anyMatch(l -> l.contains("diloco every 64 steps") && l.contains("EUR"));
        assertThat(lines).anyMatch(l -> l.contains(" guess "));
        assertThat(lines.get(lines.size() - 3))
                .startsWith("auto: ")
                .contains(", against data-parallel with ");
        assertThat(lines.get(lines.size() - 2))
                .matches("  aws to gcp: \\d+ bytes a sample, .+ for the budget");
        assertThat(lines.get(lines.size() - 1)).startsWith("  gcp to aws: ");
        assertThat(Json.pretty(table)).contains("betweenBytesPerSample", "\"GUESSED\"");
    }

    /** 39 batches an epoch. */
    @Test
    void shouldSayWhatAutoLeavesOutAndWhy() throws Exception {
        ModelFacts small =
                new ModelFacts(1_686_568, 421_642, 256, 128, 10_000, Budget.ofEpochs(8), true);
        CandidateTable table =
                CandidateTable.of(
                        job(StrategySpec.defaults(Kind.AUTO)),
                        small,
                        read(CLUSTER),
                        1e6,
                        WORTH,
                        null);
        assertThat(table.leftOut())
                .containsOnlyKeys("a round is longer than an epoch", "a run does not repeat");
        assertThat(table.leftOut().get("a round is longer than an epoch"))
                .contains("diloco every 64 steps", "diloco every 128 steps")
                .noneMatch(name -> name.startsWith("diloco every 32 steps"));
        assertThat(table.lines())
                .anyMatch(
                        line ->
                                line.startsWith(
                                                "  auto leaves out, since a run does not repeat:"
                                                        + " parameter-server, 4 clocks stale; ")
                                        && line.endsWith("; gossip after each batch"));
    }

    @Test
    void shouldMarkTheJobsOwnStrategy() throws Exception {
        StrategySpec own =
                StrategySpec.defaults(Kind.DILOCO).with(RoundSpec.defaults(Kind.DILOCO).every(100));
        CandidateTable table = table(job(own), read(CLUSTER), null);
        assertThat(table.own()).isEqualTo("diloco every 100 steps");
        assertThat(table.lines())
                .anyMatch(l -> l.contains("diloco every 100 steps *") && l.contains("guess"));
        assertThat(table.rows()).extracting(Forecast::name).doesNotHaveDuplicates();
        assertThat(table.lines().get(1)).doesNotContain("costs");
    }

    /**
     * Samples of a cnn are worth most to hybrid every 16 steps, which is no candidate of auto's.
     */
    @Test
    void autoShouldNotTakeTheJobsOwnStrategyWhereItIsNoCandidate() throws Exception {
        StrategySpec own =
                StrategySpec.defaults(Kind.HYBRID)
                        .with(RoundSpec.defaults(Kind.HYBRID).every(16))
                        .with(Compress.INT8);
        CandidateTable table = table(job(own), read(CLUSTER), null, OF_CNN);
        assertThat(table.own()).isEqualTo("hybrid every 16 steps, int8 between sites");
        double best =
                table.rows().stream()
                        .mapToDouble(Forecast::effectiveSamplesPerSecond)
                        .max()
                        .orElseThrow();
        assertThat(table.rows())
                .filteredOn(row -> row.name().equals(table.own()))
                .allMatch(row -> row.effectiveSamplesPerSecond() == best);
        assertThat(table.chosen()).isNotEqualTo(table.own()).startsWith("diloco every 16 steps");
    }

    /** The table has a server with four clocks of staleness, and diloco that waits for all. */
    @Test
    void whatWasMeasuredWithOtherSettingsShouldBeAGuess() throws Exception {
        RoundSpec quorum = RoundSpec.defaults(Kind.DILOCO).every(16).waitingFor(QuorumSpec.of(1));
        StrategySpec own = StrategySpec.defaults(Kind.DILOCO).with(quorum).with(Compress.INT8);
        CandidateTable table = table(job(own), read(CLUSTER), null, OF_CNN);
        assertThat(table.own()).isEqualTo("diloco every 16 steps, quorum 1, int8 between sites");
        assertThat(words(table, table.own())).contains("guess");
        assertThat(words(table, "parameter-server, 4 clocks stale")).doesNotContain("guess");
        assertThat(words(table, "parameter-server, 4 clocks stale, servers per site"))
                .contains("guess");
        assertThat(words(table, "gossip after each batch")).doesNotContain("guess");
    }

    private static String words(CandidateTable table, @Nullable String name) {
        return table.rows().stream()
                .filter(row -> row.name().equals(name))
                .map(row -> row.efficiency().words())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldSayWhatEachLinkCarriesUnderTheJobsOwnStrategy() throws Exception {
        CandidateTable table = table(job(StrategySpec.defaults()), read(CLUSTER), null);
        Forecast plain = table.rows().get(0);
        double onEach = plain.traffic().betweenBytesPerSample() / 2;
        List<String> lines = table.lines();
        int own = lines.indexOf("own: data-parallel; on each link");
        assertThat(lines.get(own + 1)).startsWith("  aws to gcp: %,.0f bytes".formatted(onEach));
        assertThat(lines.get(own + 2)).startsWith("  gcp to aws: %,.0f bytes".formatted(onEach));
        assertThat(lines.get(own + 3)).startsWith("auto: diloco ");
        assertThat(lines.get(own + 4))
                .startsWith("  aws to gcp: ")
                .isNotEqualTo(lines.get(own + 1));
        CandidateTable same =
                new CandidateTable(
                        "", table.ways(), table.rows(), Map.of(), plain.name(), "", plain.name());
        assertThat(same.lines())
                .as("said once")
                .filteredOn(line -> line.startsWith("  aws to gcp: "))
                .hasSize(1);
    }

    @Test
    void shouldSayWhatMovesInsideWhereThereIsOneSite() throws Exception {
        PlanCluster together = read(CLUSTER.replace("gcp", "aws"));
        List<String> lines = table(job(StrategySpec.defaults()), together, null).lines();
        assertThat(lines.get(1)).contains("inside the site").doesNotContain("between", "link");
        // There and back in every batch: 2 x 1,686,568 / 256.
        assertThat(lines.get(2)).contains("data-parallel *").contains(" 13,176 B ");
        assertThat(String.join("\n", lines)).doesNotContain("between sites", " to aws: ");
    }

    @Test
    void shouldTakeTheSpeedOfEachMachine() throws Exception {
        JobSpec job = job(StrategySpec.defaults());
        Forecast uneven = table(job, read(CLUSTER), null).rows().get(0);
        Forecast even = table(job, read(CLUSTER.replace("0.5", "1")), null).rows().get(0);
        assertThat(even.rate().computeNs() * 2)
                .isBetween(uneven.rate().computeNs() * 1.49, uneven.rate().computeNs() * 1.51);
    }

    @Test
    void shouldRefuseClustersAndPricesThatDoNotFit() throws Exception {
        assertThatThrownBy(() -> read(CLUSTER.replace("\"g1\": 0.5", "\"g2\": 0.5")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no machine called g2")
                .hasMessageContaining("a1, g1");
        assertThatThrownBy(() -> read(CLUSTER.replace("0.5", "0")))
                .hasMessageContaining("cluster.json: 0.0 times as fast");
        assertThatThrownBy(() -> read("{\"machines\": [], \"speed\": 1}"))
                .hasMessageContaining("speed");
        assertThatThrownBy(() -> read("{}")).hasMessageContaining("a cluster without machines");
        assertThatThrownBy(() -> PlanCluster.read(folder.resolve("no.json")))
                .hasMessageEndingWith("no.json: there is no such file");
        assertThatThrownBy(() -> read("{\"machines\": [null]}"))
                .hasMessageContaining("a machine or a speed is null");
        assertThatThrownBy(() -> new CandidateTable.Question(dear(), prices("USD")))
                .hasMessageContaining("prices in USD, but those of the cluster are in EUR");
        assertThat(new CandidateTable.Question(dear(), null).prices()).isEqualTo(dear().prices());
        Prices holes = new Prices("EUR", Map.of("large", 1.0), 0);
        PlanCluster cluster = read(CLUSTER);
        assertThatThrownBy(() -> table(job(StrategySpec.defaults()), cluster, holes))
                .hasMessageContaining("no price for machines of type small");
    }

    @Test
    void shouldPlanForAClusterFileToo() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("cluster.yaml"),
                        """
                        machines:
                          - {name: a, site: aws, count: 2, speed: 2000, price_per_hour: 0.5}
                          - {name: b, site: gcp, speed: 0.5x, price_per_hour: 0}
                          - {name: c, site: gcp, bandwidth: 80 Mbit/s, speed: 1x, price_per_hour: 0}
                        links:
                          inside: {latency: 1ms, bandwidth: 1 Gbit/s}
                          aws-gcp: {latency: 20ms, bandwidth: 100 Mbit/s}
                        currency: EUR
                        """);
        PlanCluster cluster = PlanCluster.read(file);
        CandidateTable table = table(job(StrategySpec.defaults(Kind.AUTO)), cluster, null);
        assertThat(table.machines())
                .isEqualTo("4 machines (2 x a 2,000/s at aws; b 0.50x, c at gcp)");
        assertThat(table.ways()).isEqualTo(Origin.DECLARED);
        // A sample takes this machine 1 ms: 2000, 2000, 500 and 1000 samples a second.
        assertThat(table.rows().get(0).rate().computeNs())
                .isBetween(0.999 * 256e9 / 5500, 1.001 * 256e9 / 5500);
        assertThat(cluster.profile().way(0, 1))
                .isEqualTo(new LinkPath(1_000_000, 125e6, Origin.DECLARED));
        assertThat(cluster.profile().way(1, 2))
                .isEqualTo(new LinkPath(20_000_000, 12.5e6, Origin.DECLARED));
        assertThat(cluster.profile().way(3, 0))
                .isEqualTo(new LinkPath(20_000_000, 10e6, Origin.DECLARED));
        assertThat(cluster.prices()).isEqualTo(new Prices("EUR", Map.of(), 0));
    }

    @Test
    void shouldReadTheExamples() {
        assertThat(PlanCluster.read(Path.of("../examples/plan/cluster.yaml")).machines())
                .hasSize(4);
        assertThat(PlanCluster.read(Path.of("../examples/simulate/three-clouds.yaml")).prices())
                .isNull();
    }

    private JobSpec job(StrategySpec strategy) throws Exception {
        return SmallJob.in(folder, 2, 100).strategy(strategy).job();
    }

    private PlanCluster read(String json) throws Exception {
        return PlanCluster.read(Files.writeString(folder.resolve("cluster.json"), json));
    }

    private static PlanCluster dear() {
        PlanCluster cluster = PlanCluster.joining(1, new Machine("a", "", "t", 1, 1.0));
        return new PlanCluster(cluster.profile(), cluster.speeds(), prices("EUR"));
    }

    private static Prices prices() {
        return prices("EUR");
    }

    private static Prices prices(String currency) {
        return new Prices(currency, Map.of("large", 1.0, "small", 0.5), 0.02);
    }

    private static CandidateTable table(JobSpec job, PlanCluster cluster, @Nullable Prices prices) {
        return table(job, cluster, prices, WORTH);
    }

    private static CandidateTable table(
            JobSpec job, PlanCluster cluster, @Nullable Prices prices, EfficiencyTable worth) {
        return CandidateTable.of(job, FACTS, cluster, 1e6, worth, prices);
    }
}
