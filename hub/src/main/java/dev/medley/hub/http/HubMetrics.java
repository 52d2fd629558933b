package dev.medley.hub.http;

import dev.medley.base.Version;
import dev.medley.fleet.state.JobPhase;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.MachineStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a fleet's figures for Prometheus: base units, one prefix, and labels of few values
 * (phases, machine types, states), so that a fleet of any size has few series.
 */
final class HubMetrics {
    private final StringBuilder text = new StringBuilder();

    private HubMetrics() {}

    static String text(FleetStatus fleet, List<JobStatus> jobs) {
        HubMetrics metrics = new HubMetrics();
        metrics.name("medley_build_info", "gauge", "Build of Medley, as a label.");
        metrics.line("medley_build_info", "build=\"" + escaped(Version.build()) + "\"", 1);
        metrics.machines(fleet);
        metrics.jobs(jobs, fleet.nowEpochS());
        metrics.name("medley_fleet_cost_total", "counter", "Cost of all jobs so far.");
        metrics.line("medley_fleet_cost_total", "", fleet.cost());
        return metrics.text.toString();
    }

    private void machines(FleetStatus fleet) {
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, Double> prices = new TreeMap<>();
        for (MachineStatus machine : fleet.machines()) {
            String type = "type=\"" + escaped(machine.type()) + "\"";
            counts.merge(type + ",state=\"" + machine.health() + "\"", 1, Integer::sum);
            if (machine.pricePerHour() != null) {
                prices.put(type, machine.pricePerHour());
            }
        }
        name("medley_fleet_machines", "gauge", "Machines by type and state.");
        counts.forEach((labels, count) -> line("medley_fleet_machines", labels, count));
        name("medley_fleet_machine_price_per_hour", "gauge", "Price of an hour by machine type.");
        prices.forEach(
                (labels, price) -> line("medley_fleet_machine_price_per_hour", labels, price));
    }

    private void jobs(List<JobStatus> jobs, double nowS) {
        Map<JobPhase, Integer> phases = new TreeMap<>();
        double oldestS = 0;
        double samplesPerSecond = 0;
        for (JobPhase phase : JobPhase.values()) {
            phases.put(phase, 0);
        }
        for (JobStatus job : jobs) {
            phases.merge(job.phase(), 1, Integer::sum);
            samplesPerSecond += job.figures().samplesPerSecond();
            if (job.phase() == JobPhase.QUEUED && job.machines().isEmpty()) {
                oldestS = Math.max(oldestS, nowS - job.figures().submittedEpochS());
            }
        }
        name("medley_fleet_jobs", "gauge", "Jobs by phase.");
        phases.forEach(
                (phase, count) ->
                        line(
                                "medley_fleet_jobs",
                                "phase=\"" + phase.name().toLowerCase(Locale.ROOT) + "\"",
                                count));
        name(
                "medley_fleet_oldest_wait_seconds",
                "gauge",
                "Time that the job which waits longest has been in the queue.");
        line("medley_fleet_oldest_wait_seconds", "", oldestS);
        name(
                "medley_fleet_samples_per_second",
                "gauge",
                "Samples that all running jobs together learn from in a second.");
        line("medley_fleet_samples_per_second", "", samplesPerSecond);
    }

    private void name(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void line(String name, String labels, double value) {
        text.append(name);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        text.append(' ').append(value).append('\n');
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
