package dev.medley.training.bucket;

import dev.medley.tensor.layer.ParameterLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the flat gradient buffer into buckets: whole parameters, from the last layer to the first,
 * which is about the order in which backward completes them. A bucket ends when it has reached the
 * wanted size.
 */
final class BucketRanges {
    /**
     * One bucket.
     *
     * @param offsetBytes where it begins in the gradient buffer
     * @param bytes its length
     * @param firstSlot lowest of its parameters
     * @param endSlot after the highest of its parameters
     */
    record Range(long offsetBytes, long bytes, int firstSlot, int endSlot) {
        int slots() {
            return endSlot - firstSlot;
        }
    }

    /** Below this a bucket is not worth a message of its own. */
    private static final long LEAST_BYTES = 256 << 10;

    /** So many at least, so that the first sums are under way while backward goes on. */
    private static final int LEAST_BUCKETS = 4;

    private BucketRanges() {}

    /**
     * The size to cut gradients of {@code gradientBytes} by where {@code mostBytes} are allowed.
     */
    static long size(long gradientBytes, long mostBytes) {
        return Math.min(mostBytes, Math.max(LEAST_BYTES, gradientBytes / LEAST_BUCKETS));
    }

    static List<Range> of(ParameterLayout layout, long bucketBytes) {
        int elementBytes = layout.type().bytes();
        List<Range> ranges = new ArrayList<>();
        int end = layout.slots().size();
        long endBytes = layout.gradientBytes();
        for (int slot = end - 1; slot >= 0; slot--) {
            long offset = layout.slots().get(slot).offset() * elementBytes;
            if (endBytes - offset >= bucketBytes || slot == 0) {
                ranges.add(new Range(offset, endBytes - offset, slot, end));
                end = slot;
                endBytes = offset;
            }
        }
        return ranges;
    }
}
