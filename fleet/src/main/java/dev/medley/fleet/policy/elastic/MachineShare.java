package dev.medley.fleet.policy.elastic;

import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.Arrays;

/**
 * Holds the machines that one job is given while a decision is made, and what more or others would
 * be worth. A job's speed is the sum of its machines' rates, less a loss for each beyond its
 * minimum, so that its speed with the minimum of one type is as measured.
 *
 * <p>Thread: the decision's.
 */
final class MachineShare {
    /** Seconds that a job of unknown size is taken to need still, at least. */
    private static final double UNKNOWN_S = 600;

    /** Seconds left of a job that has done all and did not end: its end is to be computed, too. */
    private static final double LEAST_S = 1e-3;

    private final JobView job;
    private final ElasticOptions options;
    private final double work;
    private double price;
    private int[] machines;

    MachineShare(JobView job, ElasticOptions options) {
        this.job = job;
        this.options = options;
        machines = new int[job.rates().length];
        work =
                job.progress().sized()
                        ? Math.max(job.progress().remainingWork(), LEAST_S * job.bestRate())
                        : Math.max(UNKNOWN_S * job.bestRate(), job.progress().doneWork());
    }

    JobView job() {
        return job;
    }

    int[] machines() {
        return machines;
    }

    void give(int[] of) {
        machines = of;
    }

    /** Takes the price of its work, times its weight. */
    void price(double of) {
        price = of * job.terms().weight();
    }

    int count() {
        return Arrays.stream(machines).sum();
    }

    /** Remaining seconds on the best machines that it needs at least. */
    double aloneS() {
        return work / job.bestRate();
    }

    /** Work a second with machines of types. */
    double speed(int[] of) {
        return job.speed(of, options.loss());
    }

    /** Its speeds with the best machines of a fleet, by their count, up to its bounds. */
    double[] speeds(FleetView view, int all) {
        Integer[] byRate = new Integer[job.rates().length];
        Arrays.setAll(byRate, type -> type);
        Arrays.sort(byRate, (a, b) -> Double.compare(job.rates()[b], job.rates()[a]));
        double[] speeds = new double[Math.min(all, job.demand().maxWorkers()) + 1];
        int[] of = new int[byRate.length];
        int count = 0;
        double best = 0;
        for (int type : byRate) {
            int machines = job.rates()[type] > 0 ? view.types().get(type).machines() : 0;
            for (int i = 0; i < machines && count < job.demand().maxWorkers(); i++) {
                of[type]++;
                count++;
                if (count >= job.demand().minWorkers()) {
                    best = Math.max(best, speed(of));
                    speeds[count] = best;
                }
            }
        }
        return speeds;
    }

    /** Whether its next step with a type is within its bounds, and those machines are free. */
    boolean fits(int type, int[] free) {
        return job.rates()[type] > 0
                && free[type] >= step()
                && count() + step() <= job.demand().maxWorkers();
    }

    /** The machines that it would have after its next step with a type. */
    int[] next(int type) {
        return with(type, step());
    }

    /** As many machines as it needs to begin, then one at a time. */
    private int step() {
        return count() == 0 ? job.demand().minWorkers() : 1;
    }

    /**
     * Seconds of all jobs that its next step with a type saves in each second, for each machine; 0
     * where that is not worth a restart.
     */
    double gain(int type) {
        int[] next = next(type);
        return isWorthIt(type, next) ? price * (kept(next) - kept(machines)) / step() : 0;
    }

    /** What replacing a machine by another one is worth; none for gangs, which are of one type. */
    double gainOfSwap(int from, int to) {
        boolean may = machines[from] > 0 && job.rates()[to] > 0 && job.demand().minWorkers() == 1;
        return may ? price * (kept(swapped(from, to)) - kept(machines)) : -1e300;
    }

    void swap(int from, int to) {
        machines = swapped(from, to);
    }

    /** Seconds that it saves with other machines than it would have now. */
    double savedS(int[] next) {
        return work / speed(machines) - work / speed(next);
    }

    /** Whether a machine more saves more than its restart, or it holds that machine already. */
    private boolean isWorthIt(int type, int[] next) {
        return count() == 0
                || job.held()[type] > machines[type] && speed(next) > speed(machines)
                || savedS(next) > job.progress().restartS();
    }

    /** Whether it is to move for less than its restart costs. */
    boolean movesForNothing() {
        return job.runs()
                && !Arrays.equals(job.held(), machines)
                && (count() == 0
                        || work / speed(job.held()) - work / speed(machines)
                                <= job.progress().restartS());
    }

    /** Whether what it holds is free, and still allowed. */
    boolean couldStay(int[] free) {
        boolean may = true;
        int count = 0;
        for (int type = 0; type < free.length; type++) {
            int held = job.held()[type];
            may &= held - machines[type] <= free[type];
            may &= held == 0 || job.rates()[type] > 0;
            count += held;
        }
        return may && count >= job.demand().minWorkers() && count <= job.demand().maxWorkers();
    }

    /** The speed, of which a restart takes its part for machines that it does not hold. */
    private double kept(int[] of) {
        double speed = speed(of);
        int count = Arrays.stream(of).sum();
        int held = 0;
        for (int type = 0; type < of.length; type++) {
            held += Math.min(of[type], job.held()[type]);
        }
        if (count == 0 || held == count) {
            return speed;
        }
        double paidBackS = Math.min(options.horizonS(), work / speed);
        double kept = 1 / (1 + job.progress().restartS() / paidBackS);
        return speed * (held + (count - held) * kept) / count;
    }

    private int[] with(int type, int more) {
        int[] next = machines.clone();
        next[type] += more;
        return next;
    }

    private int[] swapped(int from, int to) {
        int[] next = with(to, 1);
        next[from]--;
        return next;
    }
}
