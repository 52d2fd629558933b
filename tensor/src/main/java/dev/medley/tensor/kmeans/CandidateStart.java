package dev.medley.tensor.kmeans;

import java.util.Arrays;
import java.util.Comparator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses k centres to begin with by weighted candidates: greedy k-means++ (Arthur and
 * Vassilvitskii 2007, with the best of {@code 2 + ln k} draws each), then Lloyd's iterations over
 * the candidates. Of several such tries, as many as cost little, the one with the lowest inertia is
 * taken. Cost of one: about k m d (ln k + 30) operations of m candidates. Where that is more than
 * {@link #MOST_OF_A_TRY}, draws, iterations and at last candidates are fewer: of these the heaviest
 * stay, two a centre at least. A pure function of candidates, weights and seed, in double
 * precision: all workers come to the same bits.
 */
final class CandidateStart {
    private static final int ITERATIONS = 30;
    private static final int MOST_TRIES = 16;

    /** Operations that all tries may take together. */
    private static final double MOST_OPERATIONS = 2e8;

    /** Operations that one try may take: some ten seconds. */
    private static final double MOST_OF_A_TRY = 2e10;

    private double[] candidates;
    private double[] weights;
    private final int d;
    private final double mostOfATry;
    private int count;
    private int iterations = ITERATIONS;
    private int mostTrials = Integer.MAX_VALUE;

    /** The first {@code count} candidates, each with the number of samples that are nearest. */
    CandidateStart(double[] candidates, double[] weights, int count, int features) {
        this(candidates, weights, count, features, MOST_OF_A_TRY);
    }

    /** The same with a bound of its own on the operations of one try. */
    CandidateStart(
            double[] candidates, double[] weights, int count, int features, double mostOfATry) {
        this.mostOfATry = mostOfATry;
        this.candidates = candidates;
        this.weights = weights;
        this.count = count;
        this.d = features;
    }

    /** So many centres; of fewer different candidates some centres are equal. */
    double[] centres(int k, RandomGenerator random) {
        bound(k);
        double operations = (double) k * count * d * (trials(k) + iterations);
        double tries = Math.min(MOST_TRIES, MOST_OPERATIONS / operations);
        double[] best = {};
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i == 0 || i < tries; i++) {
            double[] centres = tried(k, random);
            double inertia = inertia(centres, k);
            if (inertia < least || i == 0) {
                least = inertia;
                best = centres;
            }
        }
        return best;
    }

    /** Takes what one try can afford. */
    private void bound(int k) {
        double passes = mostOfATry / ((double) k * count * d);
        if (passes >= trials(k) + ITERATIONS) {
            return;
        }
        mostTrials = (int) Math.max(1, passes / 4);
        iterations = (int) Math.max(1, Math.min(ITERATIONS, passes - trials(k)));
        int kept = (int) Math.max(2.0 * k, mostOfATry / (3.0 * k * d));
        if (passes < 3 && kept < count) {
            keepHeaviest(kept);
        }
    }

    private void keepHeaviest(int kept) {
        int[] order =
                IntStream.range(0, count)
                        .boxed()
                        .sorted(Comparator.<Integer>comparingDouble(i -> -weights[i]))
                        .limit(kept)
                        .mapToInt(Integer::intValue)
                        .sorted()
                        .toArray();
        double[] all = candidates;
        candidates = new double[kept * d];
        for (int i = 0; i < kept; i++) {
            System.arraycopy(all, order[i] * d, candidates, i * d, d);
        }
        double[] weighed = weights;
        weights = Arrays.stream(order).mapToDouble(i -> weighed[i]).toArray();
        count = kept;
    }

    private int trials(int k) {
        return Math.min(mostTrials, 2 + (31 - Integer.numberOfLeadingZeros(k)) * 2 / 3);
    }

    private double inertia(double[] centres, int k) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            if (weights[i] > 0) {
                int at = nearest(i, centres, k) * d;
                sum += weights[i] * Distance.squared(candidates, i * d, centres, at, d);
            }
        }
        return sum;
    }

    private double[] tried(int k, RandomGenerator random) {
        double[] centres = new double[k * d];
        double[] squared = new double[count];
        Arrays.fill(squared, 1);
        for (int c = 0; c < k; c++) {
            int trials = c == 0 ? 1 : trials(k);
            int best = 0;
            double least = Double.POSITIVE_INFINITY;
            double[] chosen = squared;
            for (int trial = 0; trial < trials; trial++) {
                int candidate = draw(squared, random.nextDouble());
                double[] then = closer(c == 0 ? null : squared, candidate);
                double inertia = weighted(then);
                if (inertia < least) {
                    least = inertia;
                    best = candidate;
                    chosen = then;
                }
            }
            squared = chosen;
            System.arraycopy(candidates, best * d, centres, c * d, d);
        }
        for (int i = 0; i < iterations && improve(centres, k); i++) {
            // Each moves the centres.
        }
        return centres;
    }

    /** A candidate with a chance in proportion to its weight and its squared distance. */
    private int draw(double[] squared, double at) {
        double point = at * weighted(squared);
        double reached = 0;
        int last = 0;
        for (int i = 0; i < count; i++) {
            double own = weights[i] * squared[i];
            reached += own;
            if (own > 0) {
                last = i;
                if (point < reached) {
                    return i;
                }
            }
        }
        return last;
    }

    private double weighted(double[] squared) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[i] * squared[i];
        }
        return sum;
    }

    private double[] closer(double @Nullable [] squared, int candidate) {
        double[] then = new double[count];
        for (int i = 0; i < count; i++) {
            double own = Distance.squared(candidates, i * d, candidates, candidate * d, d);
            then[i] = squared == null ? own : Math.min(squared[i], own);
        }
        return then;
    }

    private boolean improve(double[] centres, int k) {
        double[] sums = new double[k * d];
        double[] counts = new double[k];
        for (int i = 0; i < count; i++) {
            if (weights[i] > 0) {
                int c = nearest(i, centres, k);
                counts[c] += weights[i];
                for (int j = 0; j < d; j++) {
                    sums[c * d + j] += weights[i] * candidates[i * d + j];
                }
            }
        }
        boolean hasMoved = false;
        for (int at = 0; at < sums.length; at++) {
            if (counts[at / d] > 0) {
                double mean = sums[at] / counts[at / d];
                hasMoved |= mean != centres[at];
                centres[at] = mean;
            }
        }
        return hasMoved;
    }

    private int nearest(int candidate, double[] centres, int k) {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int c = 0; c < k; c++) {
            double squared = Distance.squared(candidates, candidate * d, centres, c * d, d);
            if (squared < least) {
                least = squared;
                nearest = c;
            }
        }
        return nearest;
    }
}
