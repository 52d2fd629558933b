package dev.medley.base.evaluation;

import dev.medley.base.evaluation.Chart.Axis;
import dev.medley.base.evaluation.Chart.Line;
import dev.medley.base.evaluation.Chart.Look;
import dev.medley.base.evaluation.Chart.Scale;
import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clusters that samples fall into, and how far they are apart.
 *
 * @param samples of all clusters
 * @param clusters in the order of their numbers, from 0 to the last that has samples
 * @param looked how many samples silhouettes were computed of, each compared with all others
 * @param silhouette mean over these: near 1 where clusters are apart, near 0 where they touch; null
 *     where there are no two clusters
 */
public record ClusterResults(
        long samples, List<OfCluster> clusters, long looked, @Nullable Double silhouette)
        implements EvaluationSection {
    public ClusterResults {
        clusters = List.copyOf(clusters);
    }

    /**
     * A cluster.
     *
     * @param samples that are in it
     * @param distance mean distance to its centre, in units of the features; 0 without samples
     * @param silhouette mean over its samples that were looked at; null where there were none
     */
    public record OfCluster(long samples, double distance, @Nullable Double silhouette) {}

    @Override
    public String title() {
        return "Clusters";
    }

    @Override
    public List<String> sentences() {
        List<String> said = new ArrayList<>();
        if (silhouette != null) {
            said.add(
                    ("Mean silhouette %s, of %s of %s samples: 1 where clusters are apart, 0 where"
                                    + " they touch.")
                            .formatted(
                                    Units.metric(silhouette),
                                    Units.count(looked),
                                    Units.count(samples)));
        }
        return said;
    }

    @Override
    public List<ReportTable> tables() {
        List<List<String>> rows = new ArrayList<>();
        List<List<Double>> parts = new ArrayList<>();
        for (int c = 0; c < clusters.size(); c++) {
            OfCluster each = clusters.get(c);
            Double own = each.silhouette();
            rows.add(
                    List.of(
                            Integer.toString(c),
                            Units.count(each.samples()),
                            Units.percent(share(each)),
                            Units.metric(each.distance()),
                            own == null ? "" : Units.metric(own)));
            parts.add(List.of(0.0, share(each), 0.0, own == null ? 0 : Math.max(0, own)));
        }
        return List.of(
                new ReportTable(
                        "Clusters",
                        List.of("cluster", "samples", "share", "mean distance", "silhouette"),
                        rows,
                        ReportTable.Look.BARS,
                        parts));
    }

    private double share(OfCluster of) {
        return samples == 0 ? 0 : of.samples() / (double) samples;
    }

    @Override
    public List<Chart> charts() {
        List<Double> numbers = new ArrayList<>();
        for (int c = 0; c < clusters.size(); c++) {
            numbers.add((double) c);
        }
        return List.of(
                new Chart(
                        "cluster-sizes",
                        "Sizes of clusters",
                        "the largest of the training rows is number 0",
                        new Axis("cluster", Scale.LINEAR),
                        new Axis("part of the samples", Scale.FROM_ZERO),
                        numbers,
                        List.of(
                                new Line(
                                        "part",
                                        Look.BARS,
                                        clusters.stream().map(this::share).toList()))));
    }
}
