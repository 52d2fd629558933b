package dev.medley.fleet.cost.market;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class SpotLogsTest {
    private static final LogTerms TERMS = new LogTerms("", "", 1, 3.06, Double.NaN);

    @TempDir private Path folder;

    @Test
    void shouldJoinOverlappingPriceHistoriesByZone() throws IOException {
        write("a.json", history(entry("us-east-1b", "0.9", 20), entry("us-east-1b", "0.8", 0)));
        write("b.json", history(entry("us-east-1b", "0.9", 20), entry("us-east-1b", "1.1", 40)));

        SpotSeries zone = SpotLogs.read(folder, TERMS).zones().get(0);

        assertEquals("us-east-1", zone.region());
        assertArrayEquals(new double[] {0.8, 0.9, 1.1}, zone.spotPerHour().values());
        assertEquals(0.9, zone.spotPerHour().at(zone.fromS() + 1300));
        assertEquals(2400, zone.toS() - zone.fromS());
        assertEquals(1, zone.up().at(zone.fromS()));
    }

    @Test
    void shouldTakeAvailabilityFromLogsOfProbes() throws IOException {
        write("prices.json", history(entry("us-east-1b", "0.9", 0), entry("us-east-1b", "1", 59)));
        write(
                "seen.out",
                """
                [2020-03-15T10:05:00.000Z] Created instance i-1 with 1 GPU(s) of type v100 in zone us-east-1b
                [2020-03-15T10:10:00.000Z] Created instance i-2 with 8 GPU(s) of type v100 in zone us-east-1b
                [2020-03-15T10:20:00.000Z] Instance i-1 running in zone us-east-1b
                [2020-03-15T10:20:01.000Z] Instance i-2 not running in zone us-east-1b
                [2020-03-15T10:30:00.000Z] Instance i-1 not running in zone us-east-1b
                [2020-03-15T10:31:00.000Z] Instance with 1 GPU(s) of type v100 creation failed
                [2020-03-15T10:40:00.000Z] Created instance i-3 with 1 GPU(s) of type v100 in zone us-east-1b
                [2020-03-15T10:50:00.000Z] Instance i-3 running in zone us-east-1b
                """);

        LogTerms one = new LogTerms("p3.2xlarge", "1 v100", 1, 3.06, Double.NaN);
        SpotGrid grid = SpotLogs.read(folder, one).grid(600);

        assertArrayEquals(new boolean[] {true, true, true, false}, grid.zones().get(0).up());
        String refused = refusal(TERMS);
        assertTrue(refused.contains("1 v100, 8 v100: say one with --gpus"), refused);
    }

    @Test
    void shouldReadTracesByTick() throws IOException {
        write(
                "us-west1-b.json",
                """
                {"metadata": {"gap_seconds": 600, "on_demand_price": 2}, "data": [4, 3, 0],
                 "prices": [0.5, 0.5, 0.6]}
                """);

        LogTerms four = new LogTerms("", "", 4, Double.NaN, Double.NaN);
        SpotGrid grid = SpotLogs.read(folder, four).grid(300);

        SpotGrid.Zone zone = grid.zones().get(0);
        assertEquals("us-west1", zone.region());
        assertEquals(2, zone.onDemandPerHour());
        assertArrayEquals(new boolean[] {true, true, false, false, false, false}, zone.up());
        assertArrayEquals(new double[] {0.5, 0.5, 0.5, 0.5, 0.6, 0.6}, zone.spotPerHour());
    }

    @Test
    void shouldNeverTakeAMissingPriceForZero() throws IOException {
        write("us-west1-b.json", "{\"metadata\": {\"gap_seconds\": 600}, \"data\": [1]}");
        assertTrue(refusal(TERMS).contains("no spot price is known for it"), refusal(TERMS));
        LogTerms free = new LogTerms("", "", 1, Double.NaN, 0.5);
        assertTrue(refusal(free).contains("no on-demand price is known"), refusal(free));

        Files.delete(folder.resolve("us-west1-b.json"));
        write("a.json", history(entry("us-east-1b", "", 0)));
        assertTrue(refusal(TERMS).contains("SpotPrice is ''"), refusal(TERMS));

        write("a.json", history(entry("us-east-1b", "0.00", 0)));
        assertTrue(refusal(TERMS).contains("SpotPrice is '0.00'"), refusal(TERMS));
    }

    private String refusal(LogTerms terms) {
        return assertThrows(ConfigException.class, () -> SpotLogs.read(folder, terms)).getMessage();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static String history(String... entries) {
        return "{\"SpotPriceHistory\": [" + String.join(",", entries) + "]}";
    }

    private static String entry(String zone, String price, int minute) {
        return """
        {"AvailabilityZone": "%s", "InstanceType": "p3.2xlarge", "SpotPrice": "%s",
         "Timestamp": "2020-03-15T10:%02d:00.000Z"}
        """
                .formatted(zone, price, minute);
    }
}
