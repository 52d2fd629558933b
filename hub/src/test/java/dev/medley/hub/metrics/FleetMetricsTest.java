package dev.medley.hub.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.hub.SampleFleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What Prometheus gets, and that Grafana's dashboard asks for nothing else. */
@Tag("unit")
class FleetMetricsTest {
    private static final Pattern NAME = Pattern.compile("medley_[a-z_]+");
    private final String text = FleetMetrics.text(SampleFleet.hub());

    @Test
    void shouldCountMachinesAndJobs() {
        assertThat(text.lines())
                .contains(
                        "medley_fleet_machines{type=\"rtx-4090\",state=\"busy\"} 2",
                        "medley_fleet_machines{type=\"rtx-4090\",state=\"leaving\"} 1",
                        "medley_fleet_machines{type=\"laptop\",state=\"lost\"} 1",
                        "medley_fleet_machines{type=\"laptop\",state=\"busy\"} 0",
                        "medley_fleet_jobs{phase=\"running\"} 7",
                        "medley_fleet_jobs{phase=\"queued\"} 6",
                        "medley_fleet_jobs{phase=\"pausing\"} 0",
                        "medley_fleet_queue_oldest_seconds 15000",
                        "medley_fleet_changes_total{kind=\"started\"} 2",
                        "# TYPE medley_fleet_cost_total counter");
    }

    @Test
    void shouldGatherDurationsInBucketsThatOnlyGrow() {
        assertThat(text.lines().filter(line -> line.contains("queue_wait_seconds")).toList())
                .contains(
                        "# TYPE medley_fleet_queue_wait_seconds histogram",
                        "medley_fleet_queue_wait_seconds_bucket{le=\"60.0\"} 0",
                        "medley_fleet_queue_wait_seconds_bucket{le=\"600.0\"} 1",
                        "medley_fleet_queue_wait_seconds_bucket{le=\"21600.0\"} 2",
                        "medley_fleet_queue_wait_seconds_bucket{le=\"+Inf\"} 2",
                        "medley_fleet_queue_wait_seconds_sum 4095",
                        "medley_fleet_queue_wait_seconds_count 2");
        assertThat(text)
                .contains("medley_fleet_decision_duration_seconds_bucket{le=\"0.005\"} 1\n");
    }

    @Test
    void shouldNameNoJobUserOrMachine() {
        assertThat(text).doesNotContain("ada", "grace", "shakespeare", "laptop-1", "<img");
        assertThat(text.lines().filter(line -> !line.startsWith("#"))).hasSizeLessThan(100);
    }

    @Test
    void shouldGiveAllThatTheDashboardAsksFor() throws IOException {
        Set<String> given = new HashSet<>();
        text.lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> given.add(line.split("[{ ]", 2)[0]));
        Path file = Path.of(System.getProperty("medley.root"), "docs/grafana-fleet.json");
        JsonNode dashboard = Json.parse(Files.readAllBytes(file), JsonNode.class);
        List<String> queries = dashboard.findValuesAsString("expr");
        assertThat(queries).hasSizeGreaterThan(8);
        Set<String> asked = new HashSet<>();
        for (String query : queries) {
            Matcher names = NAME.matcher(query);
            while (names.find()) {
                asked.add(names.group());
            }
        }
        assertThat(given).containsAll(asked);
        assertThat(asked).hasSizeGreaterThan(6);
    }
}
