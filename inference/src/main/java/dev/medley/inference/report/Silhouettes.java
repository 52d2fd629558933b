package dev.medley.inference.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes silhouettes of samples (Rousseeuw 1987): {@code (b - a) / max(a, b)}, with a the mean
 * distance to the others of the own cluster and b that to the nearest other cluster. A sample that
 * is alone in its cluster has 0. Cost: d operations for each pair.
 */
final class Silhouettes {
    private final int features;
    private final List<double[]> samples = new ArrayList<>();
    private final List<Integer> clusters = new ArrayList<>();

    Silhouettes(int features) {
        this.features = features;
    }

    /** Takes a sample, whose features begin at {@code from}. */
    void add(int cluster, double[] values, int from) {
        samples.add(Arrays.copyOfRange(values, from, from + features));
        clusters.add(cluster);
    }

    /** How many samples there are. */
    int count() {
        return samples.size();
    }

    /** Of each cluster the sum of its samples' silhouettes, and how many there are. */
    double[][] means(int count) {
        double[] sizes = new double[count];
        clusters.forEach(cluster -> sizes[cluster]++);
        double[][] sums = new double[count][2];
        double[] distances = new double[count];
        for (int i = 0; i < samples.size(); i++) {
            Arrays.fill(distances, 0);
            for (int j = 0; j < samples.size(); j++) {
                distances[clusters.get(j)] += distance(samples.get(i), samples.get(j));
            }
            int own = clusters.get(i);
            sums[own][0] += silhouette(distances, sizes, own);
            sums[own][1]++;
        }
        return sums;
    }

    private static double silhouette(double[] distances, double[] sizes, int own) {
        if (sizes[own] < 2) {
            return 0;
        }
        double a = distances[own] / (sizes[own] - 1);
        double b = Double.POSITIVE_INFINITY;
        for (int c = 0; c < sizes.length; c++) {
            if (c != own && sizes[c] > 0) {
                b = Math.min(b, distances[c] / sizes[c]);
            }
        }
        double larger = Math.max(a, b);
        return Double.isInfinite(b) || larger == 0 ? 0 : (b - a) / larger;
    }

    /** The mean over all samples; null where there are no two clusters. */
    @Nullable Double mean(double[][] sums) {
        double sum = 0;
        int present = 0;
        for (double[] of : sums) {
            sum += of[0];
            present += of[1] > 0 ? 1 : 0;
        }
        return present < 2 ? null : Double.valueOf(sum / samples.size());
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += (a[j] - b[j]) * (a[j] - b[j]);
        }
        return Math.sqrt(sum);
    }
}
