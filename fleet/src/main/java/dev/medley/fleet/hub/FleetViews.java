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
import dev.medley.fleet.state.JobRequest;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes what a policy sees of a fleet's state: rates that were measured, and estimates where they
 * were not; sizes as far as the first run of a kind told them.
 */
public final class FleetViews {
    /** Seconds that a restart is taken to cost before one was measured. */
    private static final double RESTART_S = 10;

    private final FleetState state;
    private final TypeTable types;
    private final RateMatrix rates;
    private final long rateChanges;
    private final Map<String, double[]> estimates;
    private final Map<Long, Shape> shapes;
    private DoneSizes doneSizes;

    private FleetViews(FleetState state, @Nullable FleetViews before) {
        this.state = state;
        FleetViews same = before != null && before.types.isOf(state) ? before : null;
        types = same == null ? TypeTable.of(state) : same.types;
        rateChanges = state.rateChanges();
        // What follows from machines and rates alone is kept while both are as they were.
        if (same != null && same.rateChanges == rateChanges) {
            rates = same.rates;
            estimates = same.estimates;
            doneSizes = same.doneSizes;
            shapes = same.shapes;
        } else {
            List<MeasuredRate> measured = new ArrayList<>();
            for (OfRate rate : state.rates()) {
                TypeSpeed speed = types.speed(rate.type());
                measured.add(
                        new MeasuredRate(
                                kind(rate.kind()), speed, rate.rate(), rate.relativeError()));
            }
            rates = RateMatrix.of(measured);
            estimates = new HashMap<>();
            doneSizes = DoneSizes.NONE;
            shapes = new HashMap<>();
        }
    }

    /** A view maker for the state as it is now. */
    public static FleetViews of(FleetState state) {
        return new FleetViews(state, null);
    }

    /** The same for the state as it is now; what did not change is not computed again. */
    FleetViews now() {
        return new FleetViews(state, this);
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
        return types.names();
    }

    /** The same with what is known of them. */
    TypeTable table() {
        return types;
    }

    /** What a policy sees. */
    public FleetView view(double nowS, double roundS, Carried carried) {
        List<JobView> jobs = new ArrayList<>();
        for (FleetJob job : state.liveJobs()) {
            if (job.wantsMachines()) {
                jobs.add(view(job, nowS));
            }
        }
        if (shapes.size() > 2 * jobs.size() + 16) {
            // Those that are over are forgotten.
            shapes.keySet().retainAll(jobs.stream().map(JobView::id).collect(Collectors.toSet()));
        }
        doneSizes = doneSizes.now(state, this::bestRate);
        return new FleetView(nowS, roundS, types.machines(), jobs, doneSizes.sizes(), carried);
    }

    /** Samples a second of one machine, by type. */
    public double[] rates(FleetJob job) {
        double[] byType = estimates.computeIfAbsent(job.request().kind(), this::estimates).clone();
        for (Map.Entry<String, Double> measured : job.measure().rates().entrySet()) {
            int type = types.indexOf(measured.getKey());
            if (type >= 0) {
                byType[type] = measured.getValue();
            }
        }
        return byType;
    }

    private double bestRate(FleetJob job) {
        double best = 0;
        for (double rate : rates(job)) {
            best = Math.max(best, rate);
        }
        return best;
    }

    private double[] estimates(String kind) {
        double[] byType = new double[types.names().size()];
        for (int type = 0; type < byType.length; type++) {
            TypeSpeed speed = types.speed(types.names().get(type));
            byType[type] = rates.estimate(kind(kind), speed).rate();
        }
        return byType;
    }

    /**
     * What of a job's view stays as it is while it runs on, found again by what it follows from.
     */
    private record Shape(
            JobRequest request,
            List<String> machines,
            Map<String, Double> measured,
            long peakBytes,
            double[] rates,
            int[] held) {
        boolean isOf(FleetJob job, long peak) {
            return request == job.request()
                    && machines == job.machines()
                    && measured == job.measure().rates()
                    && peakBytes == peak;
        }
    }

    private Shape shape(FleetJob job, @Nullable FleetJob last) {
        long lastPeak = last == null ? 0 : last.measure().peakBytes();
        long peak = Math.max(job.measure().peakBytes(), lastPeak);
        Shape known = shapes.get(job.id());
        if (known != null && known.isOf(job, peak)) {
            return known;
        }
        double[] byType = rates(job);
        int[] held = new int[byType.length];
        for (String name : job.machines()) {
            FleetMachine machine = state.machine(name);
            int type = machine == null ? -1 : types.indexOf(machine.type());
            if (type >= 0) {
                held[type]++;
            }
        }
        for (int type = 0; type < byType.length; type++) {
            byType[type] *= fits(peak, type) ? job.request().minMachines() : 0;
        }
        Shape shape =
                new Shape(job.request(), job.machines(), job.measure().rates(), peak, byType, held);
        shapes.put(job.id(), shape);
        return shape;
    }

    private JobView view(FleetJob job, double nowS) {
        FleetJob last = last(job);
        Shape shape = shape(job, last);
        double restartS = job.measure().restartS();
        JobOwner owner = job.request().owner();
        return new JobView(
                job.id(),
                job.request().kind(),
                new Demand(job.request().minMachines(), most(job, last), exchangeRate(job, last)),
                shape.rates(),
                shape.held(),
                new JobProgress(
                        job.times().submittedS(),
                        job.times().servedS(nowS),
                        job.measure().done(),
                        remaining(job, last),
                        Double.isNaN(restartS) ? RESTART_S : restartS),
                new Terms(
                        owner.user(),
                        owner.group(),
                        owner.priority(),
                        1,
                        owner.deadlineS(),
                        left(job, nowS)));
    }

    private double left(FleetJob job, double nowS) {
        double budget = job.request().owner().budget();
        return Double.isInfinite(budget) ? budget : budget - state.cost(job, nowS);
    }

    /** Nothing is known of a job that never ran: it shows alone what it can before it grows. */
    private static int most(FleetJob job, @Nullable FleetJob last) {
        boolean isKnown = !job.measure().rates().isEmpty() || last != null;
        return isKnown ? job.request().maxMachines() : job.request().minMachines();
    }

    /** Whether a worker fits into the memory of a type's machines, as far as is known. */
    private boolean fits(long peakBytes, int type) {
        long memory = types.memoryBytes(type);
        return peakBytes == 0 || memory == 0 || peakBytes <= memory;
    }

    private static double exchangeRate(FleetJob job, @Nullable FleetJob last) {
        double own = job.measure().exchangeRate();
        return Double.isFinite(own) || last == null ? own : last.measure().exchangeRate();
    }

    /** The last job of its kind of which something is known; null if there is none. */
    private @Nullable FleetJob last(FleetJob job) {
        return state.newestKnown(job.request().kind());
    }

    /** As its own run says, or as the last job of its kind was. */
    private double remaining(FleetJob job, @Nullable FleetJob last) {
        if (!Double.isNaN(job.measure().total())) {
            return job.measure().remaining();
        }
        if (state.rateChanges() == 0) {
            return Double.NaN; // Rates are in no unit yet, so no time could be told from a size.
        }
        return last == null ? Double.NaN : last.measure().total() - job.measure().done();
    }
}
