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
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
    private final RateMatrix rates;

    private FleetViews(FleetState state) {
        this.state = state;
        for (FleetMachine machine : state.machines()) {
            speeds.put(machine.type(), machine.speed());
            prices.put(machine.type(), machine.seen().pricePerHour());
            usable.merge(machine.type(), machine.isUsable() ? 1 : 0, Integer::sum);
        }
        types = List.copyOf(usable.keySet());
        List<MeasuredRate> measured = new ArrayList<>();
        for (OfRate rate : state.rates()) {
            TypeSpeed speed = speeds.getOrDefault(rate.type(), new TypeSpeed(rate.type(), 1));
            measured.add(
                    new MeasuredRate(kind(rate.kind()), speed, rate.rate(), rate.relativeError()));
        }
        rates = RateMatrix.of(measured);
    }

    /** A view maker for the state as it is now. */
    public static FleetViews of(FleetState state) {
        return new FleetViews(state);
    }

    /** A kind's word is family, slash, size, slash, name: see {@link JobKinds}. */
    private static JobKind kind(String word) {
        return JobKinds.parse(word);
    }

    /** Names of machine types, in the order of the view's arrays. */
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
        for (FleetJob job : state.jobs()) {
            if (job.wantsMachines()) {
                jobs.add(view(job, nowS));
            }
        }
        return new FleetView(nowS, roundS, machines, jobs, endedS(), carried);
    }

    /** Samples a second of one machine, by type. */
    public double[] rates(FleetJob job) {
        double[] byType = new double[types.size()];
        for (int type = 0; type < byType.length; type++) {
            String name = types.get(type);
            Double measured = job.measure().rates().get(name);
            TypeSpeed speed = speeds.getOrDefault(name, new TypeSpeed(name, 1));
            byType[type] =
                    measured != null
                            ? measured
                            : rates.estimate(kind(job.request().kind()), speed).rate();
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
        for (int type = 0; type < byType.length; type++) {
            byType[type] *= workers;
        }
        JobOwner owner = job.request().owner();
        double restartS = job.measure().restartS();
        return new JobView(
                job.id(),
                job.request().kind(),
                new Demand(workers, job.request().maxMachines()),
                byType,
                held,
                new JobProgress(
                        job.times().submittedS(),
                        job.times().servedS(),
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

    /** As its own run says, or as the last job of its kind was. */
    private double remaining(FleetJob job) {
        if (!Double.isNaN(job.measure().total())) {
            return job.measure().remaining();
        }
        if (state.rates().isEmpty()) {
            return Double.NaN; // Rates are in no unit yet, so no time could be told from a size.
        }
        double known = Double.NaN;
        for (FleetJob other : state.jobs()) {
            boolean isAlike = other.request().kind().equals(job.request().kind());
            if (isAlike && !Double.isNaN(other.measure().total())) {
                known = other.measure().total();
            }
        }
        return known - job.measure().done();
    }

    /** Sizes of jobs that are done, in seconds on their best machine. */
    private double[] endedS() {
        List<Double> sizes = new ArrayList<>();
        for (FleetJob job : state.jobs()) {
            if (job.phase() == JobPhase.DONE && job.measure().total() > 0) {
                double best = 0;
                for (double rate : rates(job)) {
                    best = Math.max(best, rate);
                }
                sizes.add(job.measure().total() / best);
            }
        }
        return sizes.stream().mapToDouble(size -> size).toArray();
    }
}
