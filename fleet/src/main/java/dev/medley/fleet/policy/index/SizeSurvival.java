package dev.medley.fleet.policy.index;

import dev.medley.fleet.view.JobView;
import java.util.Arrays;
import java.util.List;

/**
 * Estimates how sizes of jobs are distributed, from those that ended and those that did not. Ages
 * of the latter are lower bounds (Kaplan and Meier, 1958, by classes: Cutler and Ederer's actuarial
 * estimate). Sizes are seconds at a job's best rate. Classes are a third wider each, so that single
 * values do not matter: an index of an empirical distribution is not robust (Robust Gittins, arXiv
 * 2504.10743). Before anything ended, the logarithm of a size is uniform between half a minute and
 * 100 days.
 */
final class SizeSurvival {
    private static final double SMALLEST_S = 30;
    private static final double RATIO = 4.0 / 3;
    private static final int CLASSES = 44;

    /** Jobs that the prior counts as, in all. */
    private static final double PRIOR = 4;

    private final double[] edges = new double[CLASSES + 1];
    private final double[] survival = new double[CLASSES + 1];

    private SizeSurvival() {
        for (int i = 1; i <= CLASSES; i++) {
            edges[i] = SMALLEST_S * Math.pow(RATIO, i - 1);
        }
        survival[0] = 1;
    }

    /**
     * The estimate from what has ended and what has not.
     *
     * @param agesS of those that have not
     */
    static SizeSurvival of(List<Double> endedS, List<Double> agesS) {
        // What is uniform in its logarithm ends equally often in each class.
        double[] prior = new double[CLASSES];
        Arrays.fill(prior, PRIOR / CLASSES);
        return of(prior, PRIOR, endedS, agesS);
    }

    /** The estimate for some jobs, for which what is known of all counts as so many of them. */
    SizeSurvival conditioned(double count, List<Double> endedS, List<Double> agesS) {
        double[] prior = new double[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            prior[i] = count * (survival[i] - survival[i + 1]);
        }
        return of(prior, count, endedS, agesS);
    }

    private static SizeSurvival of(
            double[] prior, double count, List<Double> endedS, List<Double> agesS) {
        SizeSurvival estimate = new SizeSurvival();
        double[] ended = new double[CLASSES];
        double[] left = new double[CLASSES];
        for (double size : endedS) {
            ended[estimate.classOf(size)]++;
        }
        for (double age : agesS) {
            left[estimate.classOf(age)]++;
        }
        double atRisk = endedS.size() + agesS.size() + count;
        for (int i = 0; i < CLASSES; i++) {
            double events = ended[i] + prior[i];
            double hazard = Math.min(1, events / Math.max(1e-9, atRisk - left[i] / 2));
            estimate.survival[i + 1] = estimate.survival[i] * (1 - hazard);
            atRisk -= events + left[i];
        }
        return estimate;
    }

    /** The size below which a part of all jobs are, from those beyond an age. */
    double quantileS(double part, double ageS) {
        double from = alive(ageS);
        double wanted = from * (1 - part);
        for (int i = 1; i <= CLASSES; i++) {
            if (survival[i] <= wanted) {
                double share =
                        (survival[i - 1] - wanted) / Math.max(1e-12, survival[i - 1] - survival[i]);
                return edges[i - 1] + share * (edges[i] - edges[i - 1]);
            }
        }
        return edges[CLASSES];
    }

    private double alive(double ageS) {
        int at = classOf(ageS);
        double share = Math.min(1, (ageS - edges[at]) / Math.max(1e-9, edges[at + 1] - edges[at]));
        return survival[at] + share * (survival[at + 1] - survival[at]);
    }

    /** How much a job has had, in seconds at its best rate. */
    static double ageS(JobView job) {
        double best = job.bestRate();
        return best > 0 ? job.progress().doneWork() / best : 0;
    }

    private int classOf(double size) {
        int found = Arrays.binarySearch(edges, size);
        int at = found >= 0 ? found : -found - 2;
        return Math.max(0, Math.min(at, CLASSES - 1));
    }

    /**
     * The Gittins index of an age, a second: the greatest chance to end within some time, over the
     * time that is spent (Gittins 1979; Aalto, Ayesta, Righter 2009).
     */
    double gittins(double ageS) {
        int at = classOf(ageS);
        double alive = alive(ageS);
        if (alive <= 0) {
            return 1 / Math.max(ageS, SMALLEST_S);
        }
        double best = 0;
        double spent = 0;
        double from = Math.min(ageS, edges[CLASSES]);
        double height = alive;
        for (int i = at + 1; i <= CLASSES; i++) {
            spent += (edges[i] - from) * (height + survival[i]) / 2;
            from = edges[i];
            height = survival[i];
            if (spent > 0) {
                best = Math.max(best, (alive - survival[i]) / spent);
            }
        }
        return best > 0 ? best : 1 / Math.max(ageS, SMALLEST_S);
    }
}
