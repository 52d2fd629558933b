package dev.medley.base.route;

import java.util.ArrayList;
import java.util.List;

/**
 * A message of a sum by a tree, as one rank sees it (recursive doubling; Thakur, Rabenseifner,
 * Gropp 2005, section 4.4). Of n ranks the first 2^k swap, k times, with the ranks at distance 1,
 * 2, 4 and so on, and each adds what comes: then all have everything. The others, fewer than 2^k,
 * first give their values to the rank 2^k before them, and in the end get the whole sum from it. So
 * that all ranks add alike, what the rank at the lower place has comes first in each addition.
 *
 * @param place among the ranks with which the message is exchanged
 * @param kind what happens
 */
public record TreeHop(int place, Kind kind) {
    /** What happens. */
    public enum Kind {
        /** What this rank has goes to the other. */
        GIVE,
        /** What the other has is added here. */
        ADD,
        /** Both: what either has is added by the other. */
        SWAP,
        /** The other's whole sum is taken. */
        TAKE
    }

    /** All hops of the rank at {@code own} of {@code size} places, in order. */
    public static List<TreeHop> of(int own, int size) {
        int swapping = Integer.highestOneBit(size);
        if (own >= swapping) {
            int host = own - swapping;
            return List.of(new TreeHop(host, Kind.GIVE), new TreeHop(host, Kind.TAKE));
        }
        List<TreeHop> hops = new ArrayList<>();
        int guest = own + swapping;
        if (guest < size) {
            hops.add(new TreeHop(guest, Kind.ADD));
        }
        for (int distance = 1; distance < swapping; distance *= 2) {
            hops.add(new TreeHop(own ^ distance, Kind.SWAP));
        }
        if (guest < size) {
            hops.add(new TreeHop(guest, Kind.GIVE));
        }
        return List.copyOf(hops);
    }

    /** Messages one behind the other until all of {@code size} ranks have the sum. */
    public static int inRow(int size) {
        int swapping = Integer.highestOneBit(size);
        int swaps = Integer.numberOfTrailingZeros(swapping);
        return swapping == size ? swaps : swaps + 2;
    }

    /** Whether what this rank has goes to the other. */
    public boolean gives() {
        return kind == Kind.GIVE || kind == Kind.SWAP;
    }

    /** Whether what comes is added to what this rank has. */
    public boolean adds() {
        return kind == Kind.ADD || kind == Kind.SWAP;
    }

    /** Whether something comes from the other. */
    public boolean hears() {
        return kind != Kind.GIVE;
    }
}
