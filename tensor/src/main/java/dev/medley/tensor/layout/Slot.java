package dev.medley.tensor.layout;

import java.util.List;

/**
 * The place of one array in a flat buffer.
 *
 * @param name as declared
 * @param shape lengths of its dimensions
 * @param order of its elements in memory
 * @param offset of its first element
 * @param isTrainable whether it has a gradient
 */
public record Slot(
        String name, List<Long> shape, MemoryOrder order, long offset, boolean isTrainable) {
    public Slot {
        shape = List.copyOf(shape);
    }

    /** How elements lie in memory. */
    public enum MemoryOrder {
        /** The last dimension innermost, as files have it. */
        ROW_MAJOR,
        /** A convolution's weight [out, in, h, w] stored as [out, h, w, in]. */
        CHANNELS_LAST
    }

    /** Number of elements. */
    public long count() {
        long count = 1;
        for (long length : shape) {
            count *= length;
        }
        return count;
    }

    /** The element after the last. */
    public long end() {
        return offset + count();
    }

    /** The shape as LibTorch takes it. */
    public long[] dimensions() {
        return shape.stream().mapToLong(Long::longValue).toArray();
    }
}
