package dev.medley.fleet.cost.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what many jobs under one policy cost, beside the clairvoyant optimum.
 *
 * @param meanOverOptimum mean over jobs of cost / optimum
 * @param costOverOptimum sum of costs / sum of optima: dear jobs weigh more
 * @param worstOverOptimum largest cost / optimum of a job
 * @param missed jobs that were late
 * @param starts of machines, mean over jobs
 */
public record SpotSummary(
        String policy,
        int jobs,
        double meanCost,
        double meanOverOptimum,
        double costOverOptimum,
        double worstOverOptimum,
        int missed,
        double starts) {
    /** One for each policy among {@code rows}, in the order in which they come. */
    public static List<SpotSummary> of(List<SpotRow> rows) {
        Map<String, List<SpotRow>> byPolicy = new LinkedHashMap<>();
        rows.forEach(
                row -> byPolicy.computeIfAbsent(row.policy(), p -> new ArrayList<>()).add(row));
        List<SpotSummary> summaries = new ArrayList<>();
        byPolicy.forEach((policy, own) -> summaries.add(of(policy, own)));
        return summaries;
    }

    private static SpotSummary of(String policy, List<SpotRow> rows) {
        double cost = 0;
        double optimum = 0;
        double over = 0;
        double worst = 0;
        double starts = 0;
        int missed = 0;
        for (SpotRow row : rows) {
            cost += row.outcome().cost();
            optimum += row.optimum();
            over += row.overOptimum();
            worst = Math.max(worst, row.overOptimum());
            starts += row.outcome().starts();
            missed += row.outcome().missedByS() > 0 ? 1 : 0;
        }
        int jobs = rows.size();
        return new SpotSummary(
                policy,
                jobs,
                cost / jobs,
                over / jobs,
                cost / optimum,
                worst,
                missed,
                starts / jobs);
    }
}
