package dev.medley.hub.metrics;

import dev.medley.base.Version;
import dev.medley.fleet.state.JobPhase;
import dev.medley.hub.service.Distribution;
import dev.medley.hub.service.FleetCounters;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.HubService;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.MachineStatus;
import dev.medley.record.metrics.Exposition;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes what a fleet does as figures for Prometheus. Labels are machine types, states and phases
 * alone, never jobs, users or machines, so that the number of series stays small.
 */
public final class FleetMetrics {
    private static final List<String> STATES =
            List.of("free", "busy", "leaving", "lost", "refused");

    private FleetMetrics() {}

    /** What a scrape gets now, in the text format of {@link Exposition#CONTENT_TYPE}. */
    public static String text(HubService service) {
        FleetStatus fleet = service.fleet();
        List<JobStatus> jobs = service.jobs();
        Exposition out = new Exposition();
        out.gauge("medley_build_info", "Which build of Medley the hub is of.")
                .sample(1, "version", Version.build());
        machines(out, fleet.machines());
        jobs(out, jobs, fleet.nowEpochS());
        out.counter("medley_fleet_cost_total", "Spent on all jobs, in the fleet's currency.")
                .sample(fleet.cost());
        counters(out, service.counters());
        return out.text();
    }

    private static void machines(Exposition out, List<MachineStatus> machines) {
        out.gauge("medley_fleet_machines", "Machines by type and state.");
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        for (MachineStatus each : machines) {
            counts.computeIfAbsent(each.type(), type -> zeros())
                    .merge(state(each.health()), 1L, Long::sum);
        }
        counts.forEach(
                (type, states) ->
                        states.forEach(
                                (state, count) -> out.sample(count, "type", type, "state", state)));
    }

    private static Map<String, Long> zeros() {
        Map<String, Long> zeros = new TreeMap<>();
        STATES.forEach(state -> zeros.put(state, 0L));
        return zeros;
    }

    /** The first word of it, since a sentence may follow. */
    private static String state(String health) {
        String word = health.strip().split("[^A-Za-z]", 2)[0].toLowerCase(Locale.ROOT);
        return STATES.contains(word) ? word : "other";
    }

    private static void jobs(Exposition out, List<JobStatus> jobs, double nowEpochS) {
        out.gauge("medley_fleet_jobs", "Jobs that the hub knows, by phase.");
        for (JobPhase phase : JobPhase.values()) {
            long count = jobs.stream().filter(job -> job.phase() == phase).count();
            out.sample(count, "phase", phase.name().toLowerCase(Locale.ROOT));
        }
        double oldest =
                jobs.stream()
                        .filter(job -> job.phase() == JobPhase.QUEUED)
                        .mapToDouble(job -> nowEpochS - job.figures().submittedEpochS())
                        .max()
                        .orElse(0);
        out.gauge("medley_fleet_queue_oldest_seconds", "Age of the oldest job that waits.")
                .sample(Math.max(0, oldest));
        double rate = jobs.stream().mapToDouble(job -> job.figures().samplesPerSecond()).sum();
        out.gauge("medley_fleet_samples_per_second", "Samples that all jobs train on now.")
                .sample(rate);
    }

    private static void counters(Exposition out, FleetCounters counters) {
        histogram(
                out,
                "medley_fleet_queue_wait_seconds",
                "From a job's arrival to its first start.",
                counters.queueWaitS());
        histogram(
                out,
                "medley_fleet_decision_duration_seconds",
                "What the policy took for a decision.",
                counters.decisionS());
        out.counter("medley_fleet_changes_total", "Changes of jobs' machines, by kind.");
        new TreeMap<>(counters.changes()).forEach((kind, count) -> out.sample(count, "kind", kind));
    }

    private static void histogram(Exposition out, String name, String help, Distribution of) {
        out.histogram(name, help, of.bounds(), of.counts(), of.sum());
    }
}
