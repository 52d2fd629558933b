package dev.medley.training.bucket;

import static dev.medley.base.ConfigException.check;

import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.training.bucket.BucketRanges.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the parameters into fragments that travel one after another. Fragments are whole parameters,
 * from the last layer to the first, and the longest is as short as it can be. Equal on all ranks.
 */
public final class Fragments {
    private Fragments() {}

    /**
     * So many fragments of a layout, in the order in which they leave.
     *
     * @throws dev.medley.base.ConfigException if there are fewer parameters
     */
    public static List<Range> of(ParameterLayout layout, int count) {
        require(layout, count);
        int elementBytes = layout.type().bytes();
        return of(
                layout.slots().stream().map(slot -> slot.offset() * elementBytes).toList(),
                layout.gradientBytes(),
                count);
    }

    /**
     * That there are parameters enough for so many fragments.
     *
     * @throws dev.medley.base.ConfigException if not
     */
    public static void require(ParameterLayout layout, int count) {
        int arrays = layout.slots().size();
        check(
                count <= Math.max(1, arrays),
                "strategy.fragments=%d, but the model's parameters are %d arrays, each of which"
                        + " travels whole: %d at most",
                count,
                arrays,
                arrays);
    }

    /**
     * The fragments of parameters that begin at {@code offsets}.
     *
     * @param offsets in bytes, in layer order, from 0; at least {@code count}
     * @param bytes of all parameters
     */
    static List<Range> of(List<Long> offsets, long bytes, int count) {
        long least = 0;
        long most = bytes;
        while (least < most) {
            long middle = least + (most - least) / 2;
            if (fits(offsets, bytes, count, middle)) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        return cut(offsets, bytes, count, least);
    }

    /** Whether {@code count} fragments of at most {@code limitBytes} hold everything. */
    private static boolean fits(List<Long> offsets, long bytes, int count, long limitBytes) {
        return cut(offsets, bytes, count, limitBytes).stream()
                .allMatch(fragment -> fragment.bytes() <= limitBytes);
    }

    /**
     * Each fragment takes what fits, but one parameter at least, and leaves one at least for each
     * behind it; the last takes what is left.
     */
    private static List<Range> cut(List<Long> offsets, long bytes, int count, long limitBytes) {
        List<Range> fragments = new ArrayList<>();
        int end = offsets.size();
        long endBytes = bytes;
        for (int slot = end - 1; slot >= 0; slot--) {
            int behind = count - fragments.size() - 1;
            boolean isFull =
                    behind > 0 && (slot == behind || endBytes - before(offsets, slot) > limitBytes);
            if (isFull || slot == 0) {
                long from = offsets.get(slot);
                fragments.add(new Range(from, endBytes - from, slot, end));
                end = slot;
                endBytes = from;
            }
        }
        return fragments;
    }

    private static long before(List<Long> offsets, int slot) {
        return slot == 0 ? 0 : offsets.get(slot - 1);
    }
}
