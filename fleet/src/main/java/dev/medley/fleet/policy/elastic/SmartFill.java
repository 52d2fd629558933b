package dev.medley.fleet.policy.elastic;

import java.util.Arrays;
import java.util.List;

/**
 * Splits workers among jobs so that the sum of their ends is least, by SmartFill (arXiv
 * 2509.01811): at each moment the derivatives of the jobs' speeds stand in fixed ratios, which is
 * water filling with a price for each job.
 *
 * <p>The least sum of times to the end is linear in what the jobs have left, J = sum of a_i w_i. An
 * optimal split makes J fall as fast as there are jobs: max of sum a_i s_i(k_i) = m. So with jobs
 * in the order in which they end, last first, the price of the next one follows from those before
 * it:
 *
 * <pre>
 * a_m = min over k of (m - V_(m-1)(B - k)) / s_m(k),  V_m(b) = max over k of V_(m-1)(b - k) + a_m s_m(k)
 * </pre>
 *
 * <p>Here k counts whole workers, so speeds need not be concave. For s(k) = k^p with shares that
 * need not be whole the split is that of heSRPT (Berg et al., 2020). Costs jobs times workers
 * squared.
 */
public final class SmartFill {
    private SmartFill() {}

    /**
     * Seconds of all jobs' waiting that one unit of a job's work costs.
     *
     * @param speeds of each job by workers, from 0 to as many as it can use; 0 where a count cannot
     *     be given. Jobs in the order in which they will end, the last one first
     */
    public static double[] prices(List<double[]> speeds, int workers) {
        double[] prices = new double[speeds.size()];
        double[] best = new double[workers + 1];
        int[] chosen = new int[workers + 1];
        for (int job = 0; job < prices.length; job++) {
            double[] speed = speeds.get(job);
            double price = Double.POSITIVE_INFINITY;
            for (int k = 1; k < speed.length && k <= workers; k++) {
                if (speed[k] > 0) {
                    price = Math.min(price, (job + 1 - best[workers - k]) / speed[k]);
                }
            }
            prices[job] = Double.isInfinite(price) ? 0 : Math.max(0, price);
            best = with(best, scaled(speed, prices[job]), chosen);
        }
        return prices;
    }

    /**
     * How many workers each job gets, so that the sum of values is greatest; of equal ones the
     * fewest workers.
     *
     * @param values of each job by workers, from 0 to as many as it can use; 0 where a count cannot
     *     be given
     */
    public static int[] split(List<double[]> values, int workers) {
        int[][] chosen = new int[values.size()][workers + 1];
        double[] best = new double[workers + 1];
        for (int job = 0; job < values.size(); job++) {
            best = with(best, values.get(job), chosen[job]);
        }
        int[] shares = new int[values.size()];
        int left = workers;
        for (int job = values.size() - 1; job >= 0; job--) {
            shares[job] = chosen[job][left];
            left -= shares[job];
        }
        return shares;
    }

    /** The best sums by workers with one job more; what that job gets in them goes to chosen. */
    private static double[] with(double[] best, double[] values, int[] chosen) {
        double[] sums = new double[best.length];
        Arrays.fill(sums, Double.NEGATIVE_INFINITY);
        for (int k = 0; k < best.length && k < values.length; k++) {
            if (k > 0 && values[k] <= 0) {
                continue;
            }
            double value = k == 0 ? 0 : values[k];
            for (int all = k; all < best.length; all++) {
                double sum = best[all - k] + value;
                if (sum > sums[all]) {
                    sums[all] = sum;
                    chosen[all] = k;
                }
            }
        }
        return sums;
    }

    private static double[] scaled(double[] speeds, double price) {
        double[] values = new double[speeds.length];
        for (int k = 0; k < values.length; k++) {
            values[k] = speeds[k] * price;
        }
        return values;
    }
}
