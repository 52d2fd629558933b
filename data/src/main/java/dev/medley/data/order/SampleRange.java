package dev.medley.data.order;

/**
 * A range of positions in an epoch's order, {@code from} to before {@code to}; empty if they are
 * equal.
 *
 * @param epoch from 0
 * @param from first position
 * @param to position after the last
 */
public record SampleRange(long epoch, long from, long to) {
    public SampleRange {
        if (epoch < 0 || from < 0 || to < from) {
            throw new IllegalArgumentException(
                    "epoch %d, positions %d to %d".formatted(epoch, from, to));
        }
    }

    /** Number of positions. */
    public int samples() {
        return Math.toIntExact(to - from);
    }
}
