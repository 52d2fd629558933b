package dev.medley.fleet.cost;

import dev.medley.base.text.Units;
import dev.medley.fleet.view.JobView;
import java.util.Locale;

/**
 * Says whether a job keeps its deadline.
 *
 * @param endS when it ends, on the fleet's clock; infinite if it does not compute, NaN if nobody
 *     said how much work it is
 * @param missedByS seconds after the deadline; 0 if it is kept, or unknown
 * @param sentence for its owner
 */
public record DeadlineForecast(double endS, double missedByS, String sentence) {
    private static final String EARLIEST = "At the earliest";

    /** With {@code machines} by type from now on; the restart is counted if it has others now. */
    public static DeadlineForecast with(double nowS, JobView job, int[] machines) {
        boolean moves = !java.util.Arrays.equals(machines, job.held());
        return of(nowS, job, job.speed(machines, 0), moves, "With these machines");
    }

    /** On the best of the machines that are free or its own: the earliest end it can have. */
    public static DeadlineForecast earliest(double nowS, JobView job, int[] free) {
        int[] held = job.held();
        DeadlineForecast best = of(nowS, job, job.speed(held, 0), false, EARLIEST);
        for (int type = 0; type < free.length; type++) {
            int workers = Math.min(free[type] + held[type], job.demand().maxWorkers());
            if (workers >= job.demand().minWorkers() && job.rates()[type] > 0) {
                int[] machines = new int[free.length];
                machines[type] = workers;
                boolean moves = !java.util.Arrays.equals(machines, held);
                DeadlineForecast forecast = of(nowS, job, job.speed(machines, 0), moves, EARLIEST);
                best = forecast.endS < best.endS ? forecast : best;
            }
        }
        return best;
    }

    /** Whether the deadline is kept; a job without one keeps it. */
    public boolean isKept() {
        return missedByS == 0 && !Double.isNaN(endS);
    }

    private static DeadlineForecast of(
            double nowS, JobView job, double rate, boolean moves, String how) {
        double deadlineS = job.terms().deadlineS();
        if (!job.progress().sized()) {
            return new DeadlineForecast(
                    Double.NaN,
                    0,
                    "How much work it is shows when it runs, so its end is unknown.");
        }
        if (rate <= 0) {
            double missedByS = Double.isInfinite(deadlineS) ? 0 : Double.POSITIVE_INFINITY;
            return new DeadlineForecast(
                    Double.POSITIVE_INFINITY, missedByS, "It does not compute now.");
        }
        double restartS = moves ? job.progress().restartS() : 0;
        double endS = nowS + restartS + job.progress().remainingWork() / rate;
        double missedByS = Math.max(0, endS - deadlineS);
        String verdict =
                Double.isInfinite(deadlineS)
                        ? "it has no deadline"
                        : missedByS > 0
                                ? "misses its deadline by " + said(missedByS)
                                : "keeps its deadline with " + said(deadlineS - endS) + " to spare";
        return new DeadlineForecast(
                endS,
                missedByS,
                String.format(
                        Locale.ROOT, "%s it ends in %s: %s.", how, said(endS - nowS), verdict));
    }

    private static String said(double s) {
        return Units.duration(s * 1e9);
    }
}
