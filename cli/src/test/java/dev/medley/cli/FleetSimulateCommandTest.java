package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class FleetSimulateCommandTest {
    private static final String HEADER = "job,arrival_s,kind,workers,work,rate_big,rate_small\n";
    private static final String JOBS =
            HEADER + "0,0,net,1,3600,1,0.5\n1,0,net,1,3600,1,0.5\n2,1800,wide,2,720,0,1\n";

    @TempDir private Path folder;
    private String cluster = "";
    private String trace = "";

    @BeforeEach
    void writeFiles() throws IOException {
        cluster =
                write(
                        "fleet.yaml",
                        """
                        currency: EUR
                        machines:
                          - {name: big, count: 1, price_per_hour: 2}
                          - {name: small, count: 2, price_per_hour: 0.5}
                        """);
        trace = write("trace.csv", JOBS);
    }

    @Test
    void shouldCompareThePoliciesThatAreAskedFor() {
        Said said = Said.when("fleet", "simulate", cluster, trace, "--policy", "fifo,srpt");

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        List<String> lines = said.out().lines().toList();
        assertThat(lines.get(0)).contains("policy", "mean JCT, h", "big", "small", "cost, EUR");
        // 1 h on the big machine, 2 h on a small one; the wide job waits for both small ones.
        assertThat(lines)
                .anySatisfy(l -> assertThat(l).startsWith("fifo ").contains(" 3 ", "1.57"));
        assertThat(lines).anySatisfy(l -> assertThat(l).startsWith("srpt "));
    }

    @Test
    void shouldWriteFiguresAndAPage() throws IOException {
        Path json = folder.resolve("r.json");
        Path page = folder.resolve("r.html");

        Said said =
                Said.when(
                        "fleet",
                        "simulate",
                        cluster,
                        trace,
                        "--policy",
                        "fifo",
                        "--jobs",
                        "0-1",
                        "--json",
                        json.toString(),
                        "--out",
                        page.toString());

        assertThat(said.exitCode()).as(said.err()).isZero();
        JsonNode result = Json.read(json, JsonNode.class).get(0);
        assertThat(result.at("/completion/meanS").asDouble()).isEqualTo(1.5 * 3600);
        assertThat(result.at("/jobs").asInt()).isEqualTo(2);
        assertThat(result.at("/cost").asDouble()).isCloseTo(2 + 2 * 0.5, within(1e-9));
        assertThat(Files.readString(page))
                .contains("trace.csv on", "data-figure=\"waiting\"", "data-figure=\"jct\"")
                .doesNotContain("http://", "<script src");
    }

    @Test
    void shouldTakeAllJobsAtOnceAndNumbersInPlaceOfAFile() {
        Said said =
                Said.when(
                        "fleet",
                        "simulate",
                        "big=1,small=2",
                        trace,
                        "--policy",
                        "fifo",
                        "--rate",
                        "0",
                        "--json",
                        "-");

        assertThat(said.exitCode()).as(said.err()).isZero();
        JsonNode result = Json.parse(said.out(), JsonNode.class).get(0);
        assertThat(result.at("/cost").isNull()).isTrue();
        assertThat(result.at("/completion/medianS").asDouble()).isEqualTo(7200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy lass | there is no policy 'lass': did you mean las? one of fifo",
                "--rate fast | --rate fast is not a number",
                "--jobs 5-9 | --jobs: TRACE has jobs 0 to 2",
                "--jobs 9-5 | --jobs 9-5: the last comes before the first",
                "--jobs few | --jobs few: the first and the last, as in 4000-4999",
                "--restart-s 400 | a restart of 400.0 s in rounds of 360.0 s; give 0 or more",
                "--hold-s -1 | --hold-s -1.0: give 0 or more",
                "--out no/such/page.html | there is no folder",
                "--throughputs no.json | no.json: there is no such file"
            })
    void shouldRefuseOptionsThatCannotBeUsed(String options, String message) {
        String line = "fleet simulate " + cluster + " " + trace + " " + options;

        Said said = Said.when(line.split(" "));

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err().lines()).hasSize(1);
        assertThat(said.err()).contains(message.replace("TRACE", trace));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: big, count: 1, price_per_hour: 2}, {name: small, count: 2} |"
                        + " :1:54: small has no price_per_hour of 0 or more; give one for all types"
                        + " or none",
                "{name: big, count: 1}, {name: big, count: 2} | :1:36: big is there twice",
                "{name: big, count: some} | :1:24: big: count: a whole number of machines, 0 or"
                        + " more",
                "{name: big, count: 1, prize: 1} | :1:34: prize is no key of a fleet; it has name,"
                        + " count, price_per_hour"
            })
    void shouldNameThePlaceOfWhatIsWrongWithAFleet(String machines, String message)
            throws IOException {
        String file = write("wrong.yaml", "machines: [" + machines + "]\n");

        Said said = Said.when("fleet", "simulate", file, trace);

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains(file + message);
    }

    @Test
    void shouldNameTheLineOfAJobThatIsLargerThanTheFleet() throws IOException {
        String large = write("large.csv", HEADER + "0,0,net,3,10,1,1\n");

        Said said = Said.when("fleet", "simulate", cluster, large);

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err().strip())
                .isEqualTo(
                        large
                                + ":2: the job wants 3 machines of one type, and the fleet has at"
                                + " most 2 that run it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,0,net,4294967297,10,1,1 | :2: the job wants 4294967297 machines of one type",
                "0,0,net,-4294967295,10,1,1 | :2: workers is -4294967295; give 1 or more",
                "0,0,net,0,10,1,1 | :2: workers is 0; give 1 or more",
                "1e300,0,net,1,10,1,1 | :2: job is 1e300; give a whole number below 2^53",
                "0,0,net,1,10,0,0 | :2: the job wants 1 machines of one type",
                "0,0,net,1,10,-1,1 | :2: job 0 (net) has rate -1.0",
                "0,0,net,1,10,1e999,1 | :2: rate_big is 1e999; give a finite number",
                "0,,net,1,10,1,1 | :2: arrival_s is ''; give a number",
                "0,-1,net,1,10,1,1 | :2: job 0 arrives at -1.0 s",
                "0,0,net,1,0,1,1 | :2: job 0 has work 0.0"
            })
    void shouldNameTheLineOfATraceWithAHole(String line, String message) throws IOException {
        String holed = write("holed.csv", HEADER + line + "\n");

        Said said = Said.when("fleet", "simulate", cluster, holed);

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains(holed + message);
    }

    @Test
    void shouldRefuseATypeThatIsThereTwiceInWords() {
        Said said = Said.when("fleet", "simulate", "big=1,small=2,big=3", trace);

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("big=1,small=2,big=3: big is there twice");
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }
}
