package dev.medley.fleet.hub;

import dev.medley.fleet.rates.JobKind;
import dev.medley.fleet.rates.MeasuredRate;
import dev.medley.fleet.rates.RateMatrix;
import dev.medley.fleet.rates.TypeSpeed;
import dev.medley.fleet.state.FleetEntry.OfRate;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.EndedJobs;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes what a policy sees of a fleet's state: rates that were measured, and estimates where they
 * were not; sizes as far as the first run of a kind told them.
 */
public final class FleetViews {
    /** Seconds that a restart is taken to cost before one was measured. */
    private static final double RESTART_S = 10;

    private final FleetState state;
    private final List<String> types;
    private final Map<String, TypeSpeed> speeds = new HashMap<>();
    private final Map<String, Integer> usable = new TreeMap<>();
    private final Map<String, Double> prices = new HashMap<>();
    private final Map<String, Long> memoryBytes = new HashMap<>();
    private final RateMatrix rates;
    private final Map<String, double[]> estimates = new HashMap<>();

    private FleetViews(FleetState state) {
        this.state = state;
        Map<String, Long> fastest = new HashMap<>();
        for (FleetMachine machine : state.machines()) {
            speeds.put(machine.type(), machine.speed());
            prices.put(machine.type(), machine.seen().pricePerHour());
            memoryBytes.merge(machine.type(), machine.seen().memoryBytes(), Math::min);
            usable.merge(machine.type(), machine.isUsable() ? 1 : 0, Integer::sum);
            fastest.merge(machine.type(), speedClass(machine.seen().speed()), Math::max);
        }
        types =
                usable.keySet().stream()
                        .sorted(
                                Comparator.comparing(
                                                (String type) -> -fastest.getOrDefault(type, 0L))
                                        .thenComparing(type -> type))
                        .toList();
        List<MeasuredRate> measured = new ArrayList<>();
        for (OfRate rate : state.rates()) {
            TypeSpeed speed = speeds.getOrDefault(rate.type(), new TypeSpeed(rate.type(), 1));
            measured.add(
                    new MeasuredRate(kind(rate.kind()), speed, rate.rate(), rate.relativeError()));
        }
        rates = RateMatrix.of(measured);
    }

    /** Quarters of a doubling, so that machines measured anew keep their order. */
    private static long speedClass(double speed) {
        return speed > 0 ? Math.round(4 * Math.log(speed) / Math.log(2)) : -1_000_000;
    }

    /** A view maker for the state as it is now. */
    public static FleetViews of(FleetState state) {
        return new FleetViews(state);
    }

    /** A kind's word is family, slash, size, slash, name: see {@link JobKinds}. */
    private static JobKind kind(String word) {
        return JobKinds.parse(word);
    }

    /**
     * Names of machine types, in the order of the view's arrays: the fastest first, since policies
     * by shares deal out what is left in this order, as Gavel's do.
     */
    public List<String> types() {
        return types;
    }

    /** What a policy sees. */
    public FleetView view(double nowS, double roundS, Carried carried) {
        List<MachineType> machines = new ArrayList<>();
        for (String type : types) {
            machines.add(
                    new MachineType(
                            type,
                            usable.getOrDefault(type, 0),
                            prices.getOrDefault(type, Double.NaN)));
        }
        List<JobView> jobs = new ArrayList<>();
        for (FleetJob job : state.liveJobs()) {
            if (job.wantsMachines()) {
                jobs.add(view(job, nowS));
            }
        }
        return new FleetView(nowS, roundS, machines, jobs, ended(), carried);
    }

    /** Samples a second of one machine, by type. */
    public double[] rates(FleetJob job) {
        double[] byType = estimates.computeIfAbsent(job.request().kind(), this::estimates).clone();
        job.measure()
                .rates()
                .forEach(
                        (name, measured) -> {
                            int type = types.indexOf(name);
                            if (type >= 0) {
                                byType[type] = measured;
                            }
                        });
        return byType;
    }

    private double[] estimates(String kind) {
        double[] byType = new double[types.size()];
        for (int type = 0; type < byType.length; type++) {
            String name = types.get(type);
            TypeSpeed speed = speeds.getOrDefault(name, new TypeSpeed(name, 1));
            byType[type] = rates.estimate(kind(kind), speed).rate();
        }
        return byType;
    }

    private JobView view(FleetJob job, double nowS) {
        double[] byType = rates(job);
        int[] held = new int[types.size()];
        for (String name : job.machines()) {
            FleetMachine machine = state.machine(name);
            if (machine != null && types.contains(machine.type())) {
                held[types.indexOf(machine.type())]++;
            }
        }
        int workers = job.request().minMachines();
        JobOwner owner = job.request().owner();
        for (int type = 0; type < byType.length; type++) {
            byType[type] *= fits(job, types.get(type)) ? workers : 0;
        }
        double restartS = job.measure().restartS();
        return new JobView(
                job.id(),
                job.request().kind(),
                new Demand(workers, most(job), exchangeRate(job)),
                byType,
                held,
                new JobProgress(
                        job.times().submittedS(),
                        job.times().servedS(nowS),
                        job.measure().done(),
                        remaining(job),
                        Double.isNaN(restartS) ? RESTART_S : restartS),
                new Terms(
                        owner.user(),
                        owner.group(),
                        owner.priority(),
                        1,
                        owner.deadlineS(),
                        owner.budget() - state.cost(job, nowS)));
    }

    /** Nothing is known of a job that never ran: it shows alone what it can before it grows. */
    private int most(FleetJob job) {
        boolean isKnown = !job.measure().rates().isEmpty() || last(job) != null;
        return isKnown ? job.request().maxMachines() : job.request().minMachines();
    }

    /**
     * Whether a worker of the job fits into the memory of a type's machines, as far as is known.
     */
    private boolean fits(FleetJob job, String type) {
        FleetJob last = last(job);
        long peak =
                Math.max(job.measure().peakBytes(), last == null ? 0 : last.measure().peakBytes());
        long memory = memoryBytes.getOrDefault(type, 0L);
        return peak == 0 || memory == 0 || peak <= memory;
    }

    private double exchangeRate(FleetJob job) {
        double own = job.measure().exchangeRate();
        FleetJob last = last(job);
        return Double.isFinite(own) || last == null ? own : last.measure().exchangeRate();
    }

    /** The last job of its kind of which something is known; null if there is none. */
    private @Nullable FleetJob last(FleetJob job) {
        return state.newestKnown(job.request().kind());
    }

    /** As its own run says, or as the last job of its kind was. */
    private double remaining(FleetJob job) {
        if (!Double.isNaN(job.measure().total())) {
            return job.measure().remaining();
        }
        if (state.rates().isEmpty()) {
            return Double.NaN; // Rates are in no unit yet, so no time could be told from a size.
        }
        FleetJob last = last(job);
        return last == null ? Double.NaN : last.measure().total() - job.measure().done();
    }

    /** Jobs that are done, with their sizes in seconds on their best machine. */
    private EndedJobs ended() {
        List<String> kinds = new ArrayList<>();
        List<Double> sizes = new ArrayList<>();
        for (FleetJob job : state.doneJobs()) {
            double best = 0;
            for (double rate : rates(job)) {
                best = Math.max(best, rate);
            }
            if (best > 0) {
                kinds.add(job.request().kind());
                sizes.add(job.measure().total() / best);
            }
        }
        return new EndedJobs(kinds, sizes.stream().mapToDouble(size -> size).toArray());
    }
}
