package dev.medley.tensor.factor;

import dev.medley.base.memory.Batch;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Holds the ratings of some users, or of some items, row by row: of each in file order.
 *
 * @param first code of the first of them
 * @param starts where the ratings of each begin; one more than there are rows
 * @param others codes of the other side
 * @param ratings as the label has them
 */
record SideRatings(int first, int[] starts, int[] others, float[] ratings) {
    /** Ratings of all codes of a category. */
    static int[] counts(RatingSource source, int categories, int side, int codes) {
        int[] counts = new int[codes];
        source.each(
                batch ->
                        each(
                                batch,
                                categories,
                                (codesOf, at, rating) ->
                                        counts[Math.toIntExact(codesOf.get(at + side))]++));
        return counts;
    }

    /**
     * Those of the codes in {@code range}.
     *
     * @param categories of a sample, among which are {@code side} and {@code other}
     * @param counts of all codes of the side
     */
    static SideRatings of(
            RatingSource source, int categories, int side, int other, int[] counts, Range range) {
        int[] starts = new int[range.end() - range.first() + 1];
        for (int row = 0; row + 1 < starts.length; row++) {
            starts[row + 1] = Math.addExact(starts[row], counts[range.first() + row]);
        }
        int[] next = Arrays.copyOf(starts, starts.length - 1);
        int[] others = new int[starts[starts.length - 1]];
        float[] ratings = new float[others.length];
        source.each(
                batch ->
                        each(
                                batch,
                                categories,
                                (codes, at, rating) -> {
                                    int row = (int) codes.get(at + side) - range.first();
                                    if (row >= 0 && row < next.length) {
                                        others[next[row]] = (int) codes.get(at + other);
                                        ratings[next[row]++] = rating;
                                    }
                                }));
        return new SideRatings(range.first(), starts, others, ratings);
    }

    /** Codes from one to before another. */
    record Range(int first, int end) {}

    private interface Taker {
        void take(LongBuffer codes, int at, float rating);
    }

    private static void each(Batch batch, int categories, Taker taker) {
        LongBuffer codes =
                batch.inputs().get(batch.inputs().size() - 1).data().buffer().asLongBuffer();
        FloatBuffer labels = batch.target().data().buffer().asFloatBuffer();
        for (int s = 0; s < batch.samples(); s++) {
            taker.take(codes, s * categories, labels.get(s));
        }
    }
}
