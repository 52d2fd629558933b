package dev.medley.training.bucket;

import dev.medley.tensor.layout.ParameterLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the flat gradient buffer into buckets. They hold whole parameters, from the last layer to
 * the first, which is about the order in which backward completes them. A bucket ends when it has
 * reached the wanted size.
 */
public final class BucketRanges {
    /**
     * One bucket.
     *
     * @param offsetBytes where it begins in the gradient buffer
     * @param bytes its length
     * @param firstSlot lowest of its parameters
     * @param endSlot after the highest of its parameters
     */
    public record Range(long offsetBytes, long bytes, int firstSlot, int endSlot) {
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
    public static long size(long gradientBytes, long mostBytes) {
        return Math.min(mostBytes, Math.max(LEAST_BYTES, gradientBytes / LEAST_BUCKETS));
    }

    static List<Range> of(ParameterLayout layout, long bucketBytes) {
        int elementBytes = layout.type().bytes();
        return of(
                layout.slots().stream().map(slot -> slot.offset() * elementBytes).toList(),
                layout.gradientBytes(),
                bucketBytes);
    }

    /** The buckets of parameters none of which reaches across the border of a fragment. */
    public static List<Range> of(ParameterLayout layout, long bucketBytes, List<Range> fragments) {
        int elementBytes = layout.type().bytes();
        List<Range> ranges = new ArrayList<>();
        for (Range fragment : fragments) {
            int first = fragment.firstSlot();
            long begin = fragment.offsetBytes();
            List<Long> offsets =
                    layout.slots().subList(first, fragment.endSlot()).stream()
                            .map(slot -> slot.offset() * elementBytes - begin)
                            .toList();
            for (Range own : of(offsets, fragment.bytes(), bucketBytes)) {
                ranges.add(
                        new Range(
                                begin + own.offsetBytes(),
                                own.bytes(),
                                first + own.firstSlot(),
                                first + own.endSlot()));
            }
        }
        return ranges;
    }

    /**
     * The buckets of parameters that begin at {@code offsets}, in the order in which they leave.
     *
     * @param offsets in bytes, in layer order, from 0
     * @param gradientBytes of all of them
     * @param bucketBytes at which a bucket ends
     */
    public static List<Range> of(List<Long> offsets, long gradientBytes, long bucketBytes) {
        List<Range> ranges = new ArrayList<>();
        int end = offsets.size();
        long endBytes = gradientBytes;
        for (int slot = end - 1; slot >= 0; slot--) {
            long offset = offsets.get(slot);
            if (endBytes - offset >= bucketBytes || slot == 0) {
                ranges.add(new Range(offset, endBytes - offset, slot, end));
                end = slot;
                endBytes = offset;
            }
        }
        return ranges;
    }
}
