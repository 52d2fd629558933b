package dev.medley.fleet.simulation;

import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.Terms;
import java.util.Arrays;

/** Holds a job while it is in the system of a simulation. */
final class RunningJob {
    private final TraceJob job;
    private final double declared;
    private double done;
    private double serviceS;
    private double startS = Double.NaN;
    private double endS = Double.NaN;
    private int[] held;
    private int moves;

    RunningJob(TraceJob job, double declared) {
        this.job = job;
        this.declared = declared;
        held = new int[job.rates().length];
    }

    JobView view(double restartS) {
        double remaining =
                Double.isNaN(declared) ? Double.NaN : Math.max(declared - done, 0.02 * declared);
        if (declared == job.work()) {
            remaining = job.work() - done;
        }
        return new JobView(
                job.id(),
                job.kind(),
                Demand.gang(job.workers()),
                job.rates(),
                held,
                new JobProgress(job.arrivalS(), serviceS, done, remaining, restartS),
                Terms.NONE);
    }

    /**
     * Runs until the round's end or its own on the machines it is granted, and says for how many
     * seconds it held them.
     */
    double run(double nowS, int[] machines, SimulationOptions options) {
        double rate = rate(machines);
        boolean isNew = !Arrays.equals(machines, held);
        boolean isFirst = Double.isNaN(startS);
        double lostS = isNew && !isFirst ? options.restartS() : 0;
        moves += isNew && !isFirst ? 1 : 0;
        held = machines;
        startS = isFirst ? nowS : startS;
        double able = rate * (options.roundS() - lostS);
        double work = Math.min(options.wholeSteps() ? Math.floor(able) : able, left());
        done += work;
        double seconds = lostS + work / rate;
        serviceS += seconds;
        // What floating point leaves of the last unit is no work.
        if (left() <= 1e-9 * job.work()) {
            endS = nowS + seconds;
        }
        return seconds;
    }

    private double rate(int[] machines) {
        double rate = 0;
        for (int type = 0; type < machines.length; type++) {
            rate += machines[type] * job.rates()[type] / job.workers();
        }
        return rate;
    }

    private double left() {
        return job.work() - done;
    }

    /** It gets no machine in this round. */
    void rest() {
        held = new int[held.length];
    }

    boolean hasEnded() {
        return !Double.isNaN(endS);
    }

    TraceJob job() {
        return job;
    }

    int moves() {
        return moves;
    }

    /** Its size in seconds at its best rate. */
    double sizeS() {
        return job.work() / job.bestRate();
    }

    SimulatedJob told() {
        return new SimulatedJob(job.id(), job.arrivalS(), startS, endS, serviceS, sizeS(), moves);
    }
}
