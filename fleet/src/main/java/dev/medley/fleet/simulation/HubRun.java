package dev.medley.fleet.simulation;

import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.trace.TraceJob;
import java.util.List;
import java.util.Map;

/** A job's run on virtual time, on the machines that a hub gave it. */
final class HubRun {
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    private final long id;
    private final TraceJob job;
    private final double declared;
    private final Map<String, Double> rates;
    private final double restartS;
    private List<String> machines = List.of();
    private int[] byType;
    private double rate;
    private double nowS;
    private double ableS;
    private double done;
    private double serviceS;
    private double startS = Double.NaN;
    private int moves;

    HubRun(long id, TraceJob job, double declared, Map<String, Double> rates, double restartS) {
        this.id = id;
        this.job = job;
        this.declared = declared;
        this.rates = rates;
        this.restartS = restartS;
        byType = new int[job.rates().length];
    }

    long id() {
        return id;
    }

    TraceJob job() {
        return job;
    }

    int moves() {
        return moves;
    }

    /** It has these machines from now on; others than it had cost a restart, but for the first. */
    void holds(double atS, List<String> names, Map<String, Integer> typeOf) {
        if (names == machines || names.equals(machines)) { // It is mostly the same list.
            return;
        }
        machines = names;
        nowS = atS;
        byType = new int[byType.length];
        names.forEach(name -> byType[typeOf.getOrDefault(name, 0)]++);
        rate = 0;
        for (int type = 0; type < byType.length; type++) {
            rate += byType[type] * job.rates()[type] / job.workers();
        }
        if (!names.isEmpty()) {
            boolean isFirst = Double.isNaN(startS);
            startS = isFirst ? atS : startS;
            moves += isFirst ? 0 : 1;
            ableS = isFirst ? atS : atS + restartS;
        }
    }

    /** Time passes, in which it computes once it has restarted. */
    void pass(double fromS, double toS, double[] busyS) {
        for (int type = 0; type < byType.length; type++) {
            busyS[type] += byType[type] * (toS - fromS);
        }
        if (!machines.isEmpty()) {
            serviceS += toS - fromS;
            done += rate * Math.max(0, toS - Math.max(fromS, ableS));
        }
        nowS = toS;
    }

    /** When it ends if nothing changes; infinite while it waits. */
    double endS() {
        return rate > 0 ? Math.max(nowS, ableS) + Math.max(0, left()) / rate : INFINITE;
    }

    private double left() {
        return job.work() - done;
    }

    /** What floating point leaves of the last unit is no work. */
    boolean isDone(double atS) {
        return !machines.isEmpty() && (left() <= 1e-9 * job.work() || endS() <= atS);
    }

    JobMeasure measure(boolean isDone) {
        // Whoever declared too little is taken to need a little more, as in FleetSimulation.
        double known = Math.max(declared, done + 0.02 * declared);
        double total = isDone || declared == job.work() ? job.work() : known;
        return new JobMeasure(done, total, rate, Double.NaN, rates, restartS, INFINITE, 0);
    }

    SimulatedJob told(double endS) {
        double idealS = job.work() / job.bestRate();
        return new SimulatedJob(job.id(), job.arrivalS(), startS, endS, serviceS, idealS, moves);
    }
}
