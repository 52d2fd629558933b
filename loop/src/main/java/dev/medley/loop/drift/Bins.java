package dev.medley.loop.drift;

import dev.medley.base.ConfigException;
import java.util.Arrays;

/**
 * Holds the edges of bins of numbers, ascending. A bin has its lower edge and not its upper one,
 * but for the last, which has both.
 */
public final class Bins {
    private final double[] edges;

    /** At least one bin. */
    public Bins(double[] edges) {
        ConfigException.check(edges.length >= 2, "%d edges: a bin needs two", edges.length);
        this.edges = edges.clone();
    }

    /**
     * As many bins of one width over both samples as Sturges's rule has, {@code log2(n) + 1}
     * rounded up: Evidently's bins for the stability index. They move with the current sample's
     * extremes.
     */
    public static Bins sturges(NumberSample reference, NumberSample current) {
        int n = reference.notEmpty("reference").size() + current.notEmpty("current sample").size();
        double least = Math.min(reference.at(0), current.at(0));
        double most = Math.max(reference.at(reference.size() - 1), current.at(current.size() - 1));
        if (least == most) {
            return new Bins(new double[] {least - 0.5, most + 0.5});
        }
        double span = most - least;
        double width = span / (Math.log(n) / Math.log(2) + 1);
        int bins = (int) Math.ceil(span / width);
        double[] edges = new double[bins + 1];
        for (int i = 0; i <= bins; i++) {
            edges[i] = least + i * (span / bins);
        }
        edges[bins] = most;
        return new Bins(edges);
    }

    /**
     * Bins with the same share of the reference each, as far as ties allow; the outer ones have no
     * end. The usual alternative: it does not move with the current sample.
     */
    public static Bins quantiles(NumberSample reference, int count) {
        ConfigException.check(count >= 1, "%d bins: take 1 or more", count);
        reference.notEmpty("reference");
        double[] inner = new double[count + 1];
        inner[0] = Double.NEGATIVE_INFINITY;
        inner[count] = Double.POSITIVE_INFINITY;
        for (int i = 1; i < count; i++) {
            inner[i] = reference.quantile((double) i / count);
        }
        return new Bins(Arrays.stream(inner).distinct().toArray());
    }

    /** How many numbers of a sample each bin has. What is outside of all bins is not counted. */
    public double[] counts(NumberSample sample) {
        double[] counts = new double[edges.length - 1];
        int bin = 0;
        for (int i = 0; i < sample.size(); i++) {
            double value = sample.at(i);
            if (value < edges[0] || value > edges[edges.length - 1]) {
                continue;
            }
            while (bin < counts.length - 1 && value >= edges[bin + 1]) {
                bin++;
            }
            counts[bin]++;
        }
        return counts;
    }

    /** The edges, ascending. */
    public double[] edges() {
        return edges.clone();
    }
}
