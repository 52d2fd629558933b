package dev.medley.fleet.state;

import dev.medley.fleet.state.FleetEntry.OfJob;
import dev.medley.fleet.state.FleetEntry.OfMachine;
import dev.medley.fleet.state.FleetEntry.OfRate;
import dev.medley.fleet.state.FleetEntry.OfSentence;
import dev.medley.fleet.state.FleetEntry.OfTenure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Folds entries into the fleet as it is. Belongs to one thread. */
public final class FleetState {
    private static final int SENTENCES = 50;
    private static final int TENURES = 20_000;
    private static final int RATES = 2_000;
    private static final int DONE = 10_000;

    private final TreeMap<Long, FleetJob> jobs = new TreeMap<>();

    // Parts of them, so that no decision looks through all jobs that ever were.
    private final TreeMap<Long, FleetJob> live = new TreeMap<>();
    private final TreeMap<Long, FleetJob> done = new TreeMap<>();
    private final Map<String, FleetJob> knownByKind = new TreeMap<>();

    private final TreeMap<String, FleetMachine> machines = new TreeMap<>();
    private final Deque<Tenure> tenures = new ArrayDeque<>();
    private final TreeMap<String, Tenure> open = new TreeMap<>();
    private final Map<Long, Deque<OfSentence>> sentences = new TreeMap<>();
    private final Deque<OfRate> rates = new ArrayDeque<>();

    /** Takes one entry. */
    public void fold(FleetEntry entry) {
        if (entry instanceof OfJob of) {
            job(of.job());
        } else if (entry instanceof OfMachine of) {
            machines.put(of.machine().name(), of.machine());
        } else if (entry instanceof OfTenure of) {
            tenure(of.tenure());
        } else if (entry instanceof OfSentence said) {
            Deque<OfSentence> list = sentences.computeIfAbsent(said.job(), j -> new ArrayDeque<>());
            list.addLast(said);
            if (list.size() > SENTENCES) {
                list.removeFirst();
            }
        } else if (entry instanceof OfRate rate) {
            rates.addLast(rate);
            if (rates.size() > RATES) {
                rates.removeFirst();
            }
        }
    }

    private void job(FleetJob job) {
        jobs.put(job.id(), job);
        if (job.isLive()) {
            live.put(job.id(), job);
        } else {
            live.remove(job.id());
        }
        if (job.phase() == JobPhase.DONE && job.measure().total() > 0) {
            done.put(job.id(), job);
            if (done.size() > DONE) {
                done.pollFirstEntry();
            }
        } else {
            done.remove(job.id());
        }
        if (job.isKnown()) {
            FleetJob newest = knownByKind.get(job.request().kind());
            if (newest == null || newest.id() <= job.id()) {
                knownByKind.put(job.request().kind(), job);
            }
        }
    }

    private void tenure(Tenure tenure) {
        if (tenure.toEpochS() == null) {
            open.put(tenure.machine(), tenure);
            return;
        }
        open.remove(tenure.machine());
        tenures.addLast(tenure);
        if (tenures.size() > TENURES) {
            tenures.removeFirst();
        }
    }

    /** All entries that give this state again. */
    public List<FleetEntry> whole() {
        List<FleetEntry> entries = new ArrayList<>();
        machines.values().forEach(machine -> entries.add(new OfMachine(machine)));
        jobs.values().forEach(job -> entries.add(new OfJob(job)));
        tenures.forEach(tenure -> entries.add(new OfTenure(tenure)));
        open.values().forEach(tenure -> entries.add(new OfTenure(tenure)));
        sentences.values().forEach(entries::addAll);
        entries.addAll(rates);
        return entries;
    }

    /** By id. */
    public Collection<FleetJob> jobs() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    /**
     * Those of which something may still have to be done, by id; to look through while it changes.
     */
    public List<FleetJob> liveJobs() {
        return List.copyOf(live.values());
    }

    /** The last ones that are done and told their size, by id. */
    public Collection<FleetJob> doneJobs() {
        return Collections.unmodifiableCollection(done.values());
    }

    /** The newest job of a kind whose run told its size and rates; null if there is none. */
    public @Nullable FleetJob newestKnown(String kind) {
        return knownByKind.get(kind);
    }

    /** One of them; null if there is none. */
    public @Nullable FleetJob job(long id) {
        return jobs.get(id);
    }

    /** An id that no job had. */
    public long nextId() {
        return jobs.isEmpty() ? 1 : jobs.lastKey() + 1;
    }

    /** By name. */
    public Collection<FleetMachine> machines() {
        return Collections.unmodifiableCollection(machines.values());
    }

    /** One of them; null if there is none. */
    public @Nullable FleetMachine machine(String name) {
        return machines.get(name);
    }

    /** Who holds a machine now; null if nobody. */
    public @Nullable Tenure tenureOf(String machine) {
        return open.get(machine);
    }

    /** Tenures that ended at a moment or later, or not yet; oldest end first. */
    public List<Tenure> tenures(double sinceS) {
        List<Tenure> found = new ArrayList<>();
        for (Tenure tenure : tenures) {
            Double toS = tenure.toEpochS();
            if (toS != null && toS >= sinceS) {
                found.add(tenure);
            }
        }
        found.addAll(open.values());
        return found;
    }

    /** Decisions about a job, oldest first. */
    public List<OfSentence> sentences(long job) {
        return List.copyOf(sentences.getOrDefault(job, new ArrayDeque<>()));
    }

    /** Measured rates, oldest first. */
    public List<OfRate> rates() {
        return List.copyOf(rates);
    }

    /** What a job has cost, with what it holds now. */
    public double cost(FleetJob job, double nowS) {
        double cost = job.times().cost();
        for (String name : job.machines()) {
            Tenure tenure = open.get(name);
            if (tenure != null && tenure.job() == job.id()) {
                cost += cost(tenure, nowS);
            }
        }
        return cost;
    }

    /** What a machine costs that is held until now; nothing where the clock was set back since. */
    public double cost(Tenure tenure, double nowS) {
        return price(tenure.machine()) * Math.max(0, nowS - tenure.fromEpochS()) / 3600;
    }

    /** An hour's price of a machine; 0 where nobody said it. */
    public double price(String name) {
        FleetMachine machine = machines.get(name);
        double price = machine == null ? 0 : machine.seen().pricePerHour();
        return Double.isNaN(price) ? 0 : price;
    }
}
