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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Folds entries into the fleet as it is. Belongs to one thread. */
public final class FleetState {
    private static final int SENTENCES = 50;
    private static final int RATES = 2_000;

    private final JobTable jobs = new JobTable();
    private final TenureTable tenures = new TenureTable(jobs);
    private final TreeMap<String, FleetMachine> machines = new TreeMap<>();
    private final Map<String, FleetMachine> machineOf = new HashMap<>();
    private final Map<Long, Deque<OfSentence>> sentences = new TreeMap<>();
    private final Deque<OfRate> rates = new ArrayDeque<>();
    private long machineChanges;
    private long rateChanges;

    /** Takes one entry. */
    public void fold(FleetEntry entry) {
        if (entry instanceof OfJob of) {
            FleetJob before = jobs.put(of.job());
            if (before != null && !before.request().kind().equals(of.job().request().kind())) {
                tenures.countAgain();
            }
        } else if (entry instanceof OfMachine of) {
            machine(of.machine());
        } else if (entry instanceof OfTenure of) {
            tenures.put(of.tenure());
        } else if (entry instanceof OfSentence said) {
            Deque<OfSentence> list = sentences.computeIfAbsent(said.job(), j -> new ArrayDeque<>());
            list.addLast(said);
            if (list.size() > SENTENCES) {
                list.removeFirst();
            }
        } else if (entry instanceof OfRate rate) {
            rates.addLast(rate);
            rateChanges++;
            if (rates.size() > RATES) {
                rates.removeFirst();
            }
        }
    }

    private void machine(FleetMachine machine) {
        machines.put(machine.name(), machine);
        FleetMachine before = machineOf.put(machine.name(), machine);
        // That it was heard changes nothing for decisions.
        boolean isSame = before != null && before.heard(0).equals(machine.heard(0));
        if (!isSame || before.isLost() != machine.isLost()) {
            machineChanges++;
        }
    }

    /** All entries that give this state again. */
    public List<FleetEntry> whole() {
        List<FleetEntry> entries = new ArrayList<>();
        machines.values().forEach(machine -> entries.add(new OfMachine(machine)));
        jobs.all().forEach(job -> entries.add(new OfJob(job)));
        tenures.since(Double.NEGATIVE_INFINITY)
                .forEach(tenure -> entries.add(new OfTenure(tenure)));
        sentences.values().forEach(entries::addAll);
        entries.addAll(rates);
        return entries;
    }

    /** By id. */
    public Collection<FleetJob> jobs() {
        return jobs.all();
    }

    /**
     * Those of which something may still have to be done, by id; to look through while it changes.
     */
    public List<FleetJob> liveJobs() {
        return jobs.live();
    }

    /** The last ones that are done and told their size, by id. */
    public List<FleetJob> doneJobs() {
        return jobs.done();
    }

    /** The newest job of a kind whose run told its size and rates; null if there is none. */
    public @Nullable FleetJob newestKnown(String kind) {
        return jobs.newestKnown(kind);
    }

    /** One of them; null if there is none. */
    public @Nullable FleetJob job(long id) {
        return jobs.get(id);
    }

    /** An id that no job had. */
    public long nextId() {
        return jobs.nextId();
    }

    /** By name. */
    public Collection<FleetMachine> machines() {
        return Collections.unmodifiableCollection(machines.values());
    }

    /** One of them; null if there is none. */
    public @Nullable FleetMachine machine(String name) {
        return machineOf.get(name);
    }

    /** Who holds a machine now; null if nobody. */
    public @Nullable Tenure tenureOf(String machine) {
        return tenures.of(machine);
    }

    /** Tenures that ended at a moment or later, or not yet; oldest end first. */
    public List<Tenure> tenures(double sinceS) {
        return tenures.since(sinceS);
    }

    /** Whether a machine served a job of a kind, as far back as tenures are kept. */
    public boolean hasServed(String kind, String machine) {
        return tenures.hasServed(kind, machine);
    }

    /** How often jobs that are done changed: what follows from them alone is the same till then. */
    public long doneChanges() {
        return jobs.doneChanges();
    }

    /** How often machines changed, but for when they were heard. */
    public long machineChanges() {
        return machineChanges;
    }

    /** How often a rate was measured. */
    public long rateChanges() {
        return rateChanges;
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
            Tenure tenure = tenures.of(name);
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
        FleetMachine machine = machineOf.get(name);
        double price = machine == null ? 0 : machine.seen().pricePerHour();
        return Double.isNaN(price) ? 0 : price;
    }
}
