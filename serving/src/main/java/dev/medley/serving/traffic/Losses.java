package dev.medley.serving.traffic;

import java.util.Arrays;

/**
 * Holds losses from 0, the best, to 1 that were seen of one version.
 *
 * @param values each between 0 and 1
 * @param counts how often each was seen
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Losses(double[] values, long[] counts) {
    static final Losses NONE = new Losses(new double[0], new long[0]);

    /** So many requests, of which some failed. */
    static Losses ofErrors(long requests, long errors) {
        return requests == 0
                ? NONE
                : new Losses(new double[] {0, 1}, new long[] {requests - errors, errors});
    }

    /** Each once. */
    static Losses of(double[] values) {
        long[] once = new long[values.length];
        Arrays.fill(once, 1);
        return new Losses(values, once);
    }

    long count() {
        return Arrays.stream(counts).sum();
    }

    double sum() {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i] * counts[i];
        }
        return sum;
    }

    Losses and(Losses more) {
        if (values.length == 0 || more.values.length == 0) {
            return values.length == 0 ? more : this;
        }
        if (Arrays.equals(values, more.values)) {
            long[] sums = counts.clone();
            Arrays.setAll(sums, i -> counts[i] + more.counts[i]);
            return new Losses(values, sums);
        }
        double[] all = Arrays.copyOf(values, values.length + more.values.length);
        System.arraycopy(more.values, 0, all, values.length, more.values.length);
        long[] often = Arrays.copyOf(counts, all.length);
        System.arraycopy(more.counts, 0, often, counts.length, more.counts.length);
        return new Losses(all, often);
    }

    /** All of them moved and shrunk into what a margin leaves. */
    Losses shifted(double by, double over) {
        return new Losses(Arrays.stream(values).map(v -> (v + by) / over).toArray(), counts);
    }
}
