package dev.medley.fleet.policy.index;

import dev.medley.fleet.view.EndedJobs;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Predicts how sizes of each kind of job are distributed. Jobs of a kind count for it themselves;
 * all others count as if they were {@code k} of them, where {@code k} is the variance of the
 * logarithms of sizes within kinds over that between kinds (Bühlmann and Straub's credibility).
 * Where kinds say nothing of sizes, {@code k} is infinite and all share one distribution; where a
 * kind's jobs are alike, a few of them decide. So a prediction from few jobs cannot mislead: the
 * index over it is robust (Robust Gittins, arXiv 2504.10743).
 */
final class SizePredictor {
    private final SizeSurvival all;
    private final double others;
    private final Map<String, List<Double>> ended = new TreeMap<>();
    private final Map<String, List<Double>> ages = new HashMap<>();
    private final Map<String, SizeSurvival> byKind = new HashMap<>();

    private SizePredictor(EndedJobs jobs, List<JobView> running) {
        List<Double> sizes = new ArrayList<>();
        for (int i = 0; i < jobs.sizesS().length; i++) {
            sizes.add(jobs.sizesS()[i]);
            ended.computeIfAbsent(jobs.kinds().get(i), kind -> new ArrayList<>())
                    .add(jobs.sizesS()[i]);
        }
        List<Double> all = new ArrayList<>();
        for (JobView job : running) {
            double ageS = SizeSurvival.ageS(job);
            all.add(ageS);
            ages.computeIfAbsent(job.kind(), kind -> new ArrayList<>()).add(ageS);
        }
        this.all = SizeSurvival.of(sizes, all);
        others = credibility(ended, sizes.size());
    }

    /** A predictor from what has ended and what has not. */
    static SizePredictor of(EndedJobs ended, List<JobView> running) {
        return new SizePredictor(ended, running);
    }

    /** How many jobs of a kind all others count as; infinite where kinds say nothing of sizes. */
    static double credibility(Map<String, List<Double>> byKind, int count) {
        double mean = 0;
        double within = 0;
        double squares = 0;
        for (List<Double> sizes : byKind.values()) {
            double own = mean(sizes);
            mean += own * sizes.size() / Math.max(1, count);
            squares += (double) sizes.size() * sizes.size();
            for (double size : sizes) {
                within += square(logarithm(size) - own);
            }
        }
        int kinds = byKind.size();
        if (kinds < 2 || count - kinds < 1) {
            return Double.POSITIVE_INFINITY;
        }
        within /= count - kinds;
        double between = 0;
        for (List<Double> sizes : byKind.values()) {
            between += sizes.size() * square(mean(sizes) - mean);
        }
        between = (between - (kinds - 1) * within) / (count - squares / count);
        return between > 0 ? within / between : Double.POSITIVE_INFINITY;
    }

    private static double mean(List<Double> sizes) {
        double sum = 0;
        for (double size : sizes) {
            sum += logarithm(size);
        }
        return sum / sizes.size();
    }

    private static double logarithm(double sizeS) {
        return Math.log(Math.max(sizeS, 1e-3));
    }

    private static double square(double x) {
        return x * x;
    }

    /** The distribution of a kind's sizes. */
    SizeSurvival of(String kind) {
        List<Double> own = ended.get(kind);
        if (own == null || Double.isInfinite(others)) {
            return all;
        }
        return byKind.computeIfAbsent(
                kind, k -> all.conditioned(others, own, ages.getOrDefault(k, List.of())));
    }
}
