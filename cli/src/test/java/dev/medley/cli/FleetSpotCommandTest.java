package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class FleetSpotCommandTest {
    @TempDir private Path folder;

    @Test
    void shouldCompareWhatPoliciesPayWithTheOptimum() throws IOException {
        Path log = log("\"on_demand_price\": 3, \"spot_price\": 1");
        Path csv = folder.resolve("runs.csv");

        Said said =
                Said.when(
                        "fleet",
                        "spot",
                        log.toString(),
                        "--hours",
                        "2",
                        "--slack",
                        "2",
                        "--starts",
                        "1",
                        "--watch-h",
                        "1",
                        "--step-s",
                        "3600",
                        "--restart-s",
                        "0",
                        "--csv",
                        csv.toString());

        assertThat(said.exitCode()).isZero();
        List<String> lines = said.out().lines().toList();
        // Up in the first of four hours that it has, then again in the last.
        assertThat(lines).anySatisfy(l -> assertThat(l).matches("on-demand +1 +6.00 +3.000.*"));
        assertThat(lines).anySatisfy(l -> assertThat(l).matches("greedy +1 +2.00 +1.000.*"));
        assertThat(Files.readAllLines(csv)).hasSize(6);
    }

    @Test
    void shouldRefuseLogsWithoutPricesAndUnknownPolicies() throws IOException {
        Path log = log("\"spot_price\": 1");

        Said priceless = Said.when("fleet", "spot", log.toString());
        assertThat(priceless.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(priceless.err()).contains("zone-1a: no on-demand price is known for it");

        Said unknown =
                Said.when("fleet", "spot", log.toString(), "--on-demand", "3", "--policy", "gredy");
        assertThat(unknown.err()).contains("did you mean greedy?");
    }

    private Path log(String prices) throws IOException {
        return Files.writeString(
                folder.resolve("zone-1a.json"),
                "{\"metadata\": {\"gap_seconds\": 3600, " + prices + "}, \"data\": [1,1,0,0,1,1]}");
    }
}
