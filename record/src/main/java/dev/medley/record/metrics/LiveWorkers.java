package dev.medley.record.metrics;

import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.WorkerNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * The present workers of a run and what each did so far; never changes. A worker that was lost or
 * left is not among them any more, so that its series end.
 *
 * @param figures by id
 * @param names with their machines
 * @param sites by id
 * @param links by both ids, what was sent over each
 * @param gone workers that were lost or left, whose figures may come late; no id is given twice
 */
record LiveWorkers(
        Map<Integer, WorkerFigures> figures,
        WorkerNames names,
        Map<Integer, String> sites,
        Map<String, LinkTotals> links,
        Set<Integer> gone) {
    /** Nobody yet. */
    static final LiveWorkers NONE =
            new LiveWorkers(Map.of(), WorkerNames.of(List.of()), Map.of(), Map.of(), Set.of());

    /** What one worker did so far. */
    record WorkerFigures(
            long samples,
            long computeNs,
            long exchangeNs,
            long waitingNs,
            long dataNs,
            long sentBytes) {
        private static final WorkerFigures NONE = new WorkerFigures(0, 0, 0, 0, 0, 0);

        private WorkerFigures plus(WorkerTimes step) {
            return new WorkerFigures(
                    samples + step.samples(),
                    computeNs + step.computeNs(),
                    exchangeNs + step.exchangeNs(),
                    waitingNs + step.waitingNs(),
                    dataNs + step.dataNs(),
                    sentBytes + step.sentBytes());
        }
    }

    LiveWorkers plus(List<WorkerTimes> step) {
        Map<Integer, WorkerFigures> next = new TreeMap<>(figures);
        for (WorkerTimes times : step) {
            if (gone.contains(times.worker())) {
                continue;
            }
            WorkerFigures before = next.getOrDefault(times.worker(), WorkerFigures.NONE);
            next.put(times.worker(), before.plus(times));
        }
        return new LiveWorkers(next, names, sites, links, gone);
    }

    LiveWorkers on(int worker, String machine) {
        return new LiveWorkers(figures, names.with(worker, machine), sites, links, gone);
    }

    LiveWorkers under(PlanRecord plan) {
        Map<Integer, String> next = new TreeMap<>(sites);
        for (int rank = 0; rank < plan.sites().size(); rank++) {
            next.put(plan.workers().get(rank), plan.sites().get(rank));
        }
        return new LiveWorkers(figures, names, next, links, gone);
    }

    LiveWorkers sending(List<LinkTotals> more) {
        Map<String, LinkTotals> next = new TreeMap<>(links);
        for (LinkTotals link : more) {
            if (!gone.contains(link.from()) && !gone.contains(link.to())) {
                String key = "%06d %06d".formatted(link.from(), link.to());
                next.merge(key, link, LinkTotals::plus);
            }
        }
        return new LiveWorkers(figures, names, sites, next, gone);
    }

    LiveWorkers without(int worker) {
        Map<Integer, WorkerFigures> others = new TreeMap<>(figures);
        others.remove(worker);
        Map<String, LinkTotals> left = new TreeMap<>(links);
        left.values().removeIf(link -> link.from() == worker || link.to() == worker);
        Set<Integer> more = new TreeSet<>(gone);
        more.add(worker);
        return new LiveWorkers(others, names, sites, left, more);
    }

    void writeTo(Exposition out) {
        if (!figures.isEmpty()) {
            out.counter(
                    "medley_worker_seconds_total",
                    "Time of a worker's training thread, by what it was spent on.");
            figures.forEach(seconds(out));
            out.counter("medley_worker_samples_total", "Samples of a worker.");
            figures.forEach((id, w) -> out.sample(w.samples(), labels(id)));
            out.counter("medley_worker_sent_bytes_total", "Bytes sent to peers.");
            figures.forEach((id, w) -> out.sample(w.sentBytes(), labels(id)));
        }
        if (!links.isEmpty()) {
            out.counter("medley_link_sent_bytes_total", "Bytes over a link, TCP alone.");
            links.values().forEach(link -> out.sample(link.sentBytes(), labels(link)));
        }
    }

    private BiConsumer<Integer, WorkerFigures> seconds(Exposition out) {
        return (id, figures) -> {
            phase(out, id, "compute", figures.computeNs());
            phase(out, id, "exchange", figures.exchangeNs());
            phase(out, id, "waiting", figures.waitingNs());
            phase(out, id, "data", figures.dataNs());
        };
    }

    private void phase(Exposition out, int worker, String phase, long ns) {
        out.sample(
                ns / 1e9,
                "worker",
                "worker-" + worker,
                "machine",
                names.machine(worker),
                "site",
                site(worker),
                "phase",
                phase);
    }

    /** Of one worker: its name, machine and site, the last two empty where there are none. */
    String[] labels(int worker) {
        return new String[] {
            "worker", "worker-" + worker, "machine", names.machine(worker), "site", site(worker)
        };
    }

    private String[] labels(LinkTotals link) {
        return new String[] {
            "from", "worker-" + link.from(),
            "to", "worker-" + link.to(),
            "from_machine", names.machine(link.from()),
            "to_machine", names.machine(link.to()),
            "from_site", site(link.from()),
            "to_site", site(link.to()),
            "reach", link.reach().name().toLowerCase(Locale.ROOT)
        };
    }

    private String site(int worker) {
        return sites.getOrDefault(worker, "");
    }
}
