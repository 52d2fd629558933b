package dev.medley.fleet.learning;

import java.util.Arrays;

/**
 * Adds up jobs in the system over time: by Little's law their mean completion time, times how many
 * come. Moments are given in their order.
 */
final class JobsOverTime {
    private double[] times = new double[1024];
    private double[] sums = new double[1024];
    private int count;
    private double jobs;

    /** From now on so many jobs are in the system. */
    void set(double nowS, int jobs) {
        if (count == times.length) {
            times = Arrays.copyOf(times, 2 * count);
            sums = Arrays.copyOf(sums, 2 * count);
        }
        times[count] = nowS;
        sums[count] = until(nowS);
        count++;
        this.jobs = jobs;
    }

    /** Job seconds up to a moment; beyond the last one the jobs stay as many. */
    double until(double timeS) {
        if (count == 0 || timeS <= times[0]) {
            return 0;
        }
        int last = count - 1;
        if (timeS >= times[last]) {
            return sums[last] + jobs * (timeS - times[last]);
        }
        int found = Arrays.binarySearch(times, 0, count, timeS);
        int after = found >= 0 ? found : -found - 1;
        double share = (timeS - times[after - 1]) / (times[after] - times[after - 1]);
        return sums[after - 1] + share * (sums[after] - sums[after - 1]);
    }

    /** The last moment that was given; 0 before the first. */
    double endS() {
        return count == 0 ? 0 : times[count - 1];
    }
}
