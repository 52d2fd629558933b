package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import dev.medley.base.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class SimulateCommandTest {
    private static final String CLUSTER =
            """
            machines:
              - {name: big, site: east, count: 2, type: a100-80gb, price_per_hour: 3}
              - {name: small, site: west, count: 2, speed: 600, price_per_hour: 1}
            links:
              inside: {latency: 100us, bandwidth: 10 Gbit/s}
              between: {latency: 15ms, bandwidth: 1 Gbit/s}
            egress_per_gb: 0.05
            """;

    private static final String OWN = "class: java.lang.String";
    private static final String PROFILE = "--model=resnet50-imagenet";

    @TempDir private Path folder;
    private String cluster = "";

    @BeforeEach
    void writeCluster() throws IOException {
        cluster = Files.writeString(folder.resolve("c.yaml"), CLUSTER).toString();
    }

    @Test
    void shouldPrintATableOfEachStrategy() {
        Said said = Said.when("simulate", cluster, PROFILE, "--machines", "4,1,4");
        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("model: resnet50-imagenet, 25,557,032 parameters")
                .contains("data-parallel int8", "local-sgd/16", "diloco/64", "hybrid/64 int8")
                .contains("parameter-server/32 stale 4", "gossip/32")
                .contains("cost, USD")
                .contains("east-west");
        assertThat(said.out().lines().filter(line -> line.matches(" +[14] .*"))).hasSize(18);
    }

    @Test
    void shouldSayWhatMovesInsideWhereThereIsOneSite() throws IOException {
        Files.writeString(Path.of(cluster), CLUSTER.replace("west", "east"));
        String said = Said.when("simulate", cluster, PROFILE, "--machines=4", "--json").out();
        JsonNode row = Json.parse(said, JsonNode.class).path("rows").get(0);
        assertThat(row.path("betweenBytes").doubleValue()).isZero();
        double inside = row.path("insideBytes").doubleValue();
        assertThat(inside).isPositive();
        assertThat(Said.when("simulate", cluster, PROFILE, "--machines=4").out())
                .containsPattern(" +4 .* " + Units.bytes(inside) + " +- ");
    }

    @Test
    void shouldSayTheSameAsJsonEachTime() {
        String[] command = {"simulate", cluster, PROFILE, "--machines", "1,4", "--json"};
        Said said = Said.when(command);
        JsonNode rows = Json.parse(said.out(), JsonNode.class).path("rows");
        assertThat(rows).hasSize(18);
        assertThat(rows.get(0).path("speedUp").doubleValue()).isCloseTo(1, within(1e-9));
        assertThat(rows.get(1).path("batch").intValue()).isEqualTo(4 * 256);
        double perHour = 2 * 3 + 2 * 1;
        double between = rows.get(1).path("betweenBytes").doubleValue();
        double hours = rows.get(1).path("hours").doubleValue();
        assertThat(rows.get(1).path("cost").doubleValue())
                .isCloseTo(perHour * hours + 0.05 * between / 1e9, within(1e-6));
        // 90 epochs in batches of 1,024: 102 MB of gradients, both ways, and as much in each site.
        assertThat(between).isBetween(22.5e12, 23.5e12);
        assertThat(rows.get(1).path("insideBytes").doubleValue()).isBetween(45e12, 47e12);
        assertThat(rows.get(0).path("insideBytes").doubleValue()).isZero();
        assertThat(Said.when(command).out()).isEqualTo(said.out());
        assertThat(Said.when(Arrays.copyOf(command, command.length - 1)).out())
                .contains("efficiency  hours  ", " bytes  bytes/sample between sites")
                .containsPattern(" 4 +1,024 .* " + Units.bytes(between) + " +[\\d,]+ east-west");
    }

    @Test
    void shouldSayWhatOfTheJobIsNotSimulated() throws IOException {
        assertThat(simulated("kind: data-parallel, compress: powersgd").out())
                .contains("compress: powersgd is not simulated");
    }

    /** What is said of four machines. */
    private Said simulated(String strategy) throws IOException {
        Files.writeString(folder.resolve("t.csv"), "a,y\n" + "1,0\n2,1\n".repeat(20));
        Path job =
                Files.writeString(
                        folder.resolve("job.yaml"),
                        """
                        data: {train: t.csv, label: y, split: 0.5}
                        model: {family: mlp, hidden: [4]}
                        train: {epochs: 1, batch: 4}
                        strategy: {%s}
                        cluster: {workers: 4}
                        """
                                .formatted(strategy));
        Files.writeString(Path.of(cluster), CLUSTER.replace("type: a100-80gb", "speed: 900"));
        Said said = Said.when("simulate", cluster, job.toString(), "--machines", "4");
        assertThat(said.exitCode()).as(said.err()).isZero();
        return said;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    kind: diloco, quorum: 0.5| diloco/64 quorum 0.5
                    kind: parameter-server, servers: per-site| parameter-server/32 stale 4 per site
                    kind: data-parallel, stragglers: leave| data-parallel leave
                    kind: data-parallel, compress: auto| data-parallel auto
                    kind: data-parallel, borders: [{from: east,to: west,codec: int8}]| data-parallel by border
                    """)
    void shouldShowTheStrategyOfTheJobBesideTheUsualOnes(String strategy, String name)
            throws IOException {
        Said said = simulated(strategy);
        assertThat(said.out())
                .contains("\n" + name + "  machines")
                .doesNotContain("not simulated:");
        assertThat(said.out()).contains("\ndata-parallel  machines", "\ndiloco/64  machines");
    }

    @Test
    void shouldSayWhatIsWrongWithARunInPlaceOfACluster() {
        Said none = Said.when("simulate", folder.toString());
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).contains("is not the folder of a run");
        Said more = Said.when("simulate", folder.toString(), PROFILE);
        assertThat(more.exitCode()).isEqualTo(2);
        assertThat(more.err()).contains("whose own job is simulated", "--model");
    }

    @Test
    void shouldTakePricesOfAFileAndABatchThatStays() throws IOException {
        Path prices =
                Files.writeString(
                        folder.resolve("p.yaml"), "{currency: EUR, machines: {small: 1}}");
        Path unpriced =
                Files.writeString(
                        folder.resolve("u.yaml"),
                        CLUSTER.replaceAll(", price_per_hour: \\d", "")
                                .replace("egress_per_gb: 0.05", ""));
        assertRefused(
                "no price for machines of type a100-80gb", unpriced, PROFILE, "--prices", prices);
        Files.writeString(prices, "{currency: EUR, machines: {small: 1, a100-80gb: 2}}");
        Said said =
                Said.when(
                        "simulate",
                        unpriced.toString(),
                        PROFILE,
                        "--prices=" + prices,
                        "--batch=fixed",
                        "--machines=2,2048");
        assertThat(said.out()).contains("cost, EUR").contains("the batch stays");
        assertThat(said.out().lines().filter(line -> line.contains(" 2,048 "))).isEmpty();
    }

    @Test
    void shouldSayWhatItAssumesOfDataThatAreNotHere() throws IOException {
        String job =
                """
                data: {train: %s/x.bin, format: idx}
                model: {family: cnn, channels: [8], hidden: [16]}
                train: {epochs: 2, batch: 64}
                """
                        .formatted(folder.resolve("elsewhere"));
        Path file = Files.writeString(folder.resolve("job.yaml"), job);
        Path fast =
                Files.writeString(
                        folder.resolve("f.yaml"), CLUSTER.replace("type: a100-80gb", "speed: 900"));
        Said said = Said.when("simulate", fast.toString(), file.toString(), "--machines=1,4");
        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("the data is not here", "images of 1 x 28 x 28, 10 classes")
                .contains("200,000 samples");
        Files.writeString(file, job.replace("family: cnn, channels: [8], hidden: [16]", OWN));
        assertRefused("run it where the data is", fast, file);
    }

    @Test
    void shouldWriteAReport() throws IOException {
        Path report = folder.resolve("scaling.html");
        Said said = Said.when("simulate", cluster, PROFILE, "--machines=2", "--report=" + report);
        assertThat(said.err()).contains("report: " + report);
        assertThat(Files.readString(report)).contains("data-chart=\"speedUp\"", "diloco/64 int8");
    }

    @Test
    void shouldRefuseBadNumbersFilesAndProfiles() throws IOException {
        Path good = Path.of(cluster);
        assertRefused("medley simulate needs a model: name a job file", good);
        assertRefused("--machines 0: from 1", good, PROFILE, "--machines=0");
        assertRefused("--batch same: grows or fixed", good, PROFILE, "--batch=same");
        assertRefused("did you mean resnet50-imagenet?", good, "--model=resnet50");
        assertRefused("options of a job say nothing", good, PROFILE, "--workers=3");
        assertRefused("leave one of them out", good, "job.yaml", PROFILE);
        assertRefused("there is no such file", folder.resolve("none.yaml"), PROFILE);
        Path bad = Files.writeString(folder.resolve("b.yaml"), CLUSTER.replace("speed", "spede"));
        assertRefused("b.yaml:3:41: unknown key machines[1].spede", bad, PROFILE);
    }

    private static void assertRefused(String message, Path cluster, Object... options) {
        String[] args =
                Stream.concat(
                                Stream.of("simulate", cluster.toString()),
                                Stream.of(options).map(Object::toString))
                        .toArray(String[]::new);
        Said said = Said.when(args);
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).contains(message);
        assertThat(said.err().lines()).hasSize(1);
    }
}
