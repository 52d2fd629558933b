package dev.medley.exchange.sum;

/**
 * Cuts a slice into one part per rank. Part p is summed from rank p+1 round to rank p: the order in
 * which a ring passes it on. Inside a site every transport and scheme but a tree keeps to this cut
 * and order, so that the sum's bits do not depend on how the bytes travelled.
 */
public final class Parts {
    /** Parts begin at multiples of this many elements, which keeps vector loops aligned. */
    private static final int ALIGNED_ELEMENTS = 16;

    private final Slice slice;
    private final int ranks;

    /** The cut of {@code slice} over that many ranks. */
    public Parts(Slice slice, int ranks) {
        this.slice = slice;
        this.ranks = ranks;
    }

    /** Where part {@code index} begins, in bytes from the slice's begin. */
    public long startBytes(int index) {
        long elements = slice.elements();
        long start =
                index == ranks
                        ? elements
                        : index * (elements / ranks) + index * (elements % ranks) / ranks;
        return (index == ranks ? start : start / ALIGNED_ELEMENTS * ALIGNED_ELEMENTS)
                * slice.type().bytes();
    }

    /** Length of part {@code index} in bytes; may be zero. */
    public long bytes(int index) {
        return startBytes(index + 1) - startBytes(index);
    }

    /** Length of the longest part in bytes. */
    public long longestBytes() {
        long longest = 0;
        for (int index = 0; index < ranks; index++) {
            longest = Math.max(longest, bytes(index));
        }
        return longest;
    }

    /** The rank whose values come {@code place}-th, from 0, in the sum of part {@code index}. */
    public int summand(int index, int place) {
        return (index + 1 + place) % ranks;
    }
}
