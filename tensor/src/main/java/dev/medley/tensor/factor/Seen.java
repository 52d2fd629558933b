package dev.medley.tensor.factor;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Tells which items each user has in training.
 *
 * @param starts where the items of each user begin; one more than there are users
 * @param items codes, ascending for each user
 */
record Seen(int[] starts, int[] items) {
    private static final String STARTS = "seen.starts";
    private static final String ITEMS = "seen.items";

    static Seen of(SideRatings ofUsers) {
        int[] items = ofUsers.others();
        int[] starts = ofUsers.starts();
        for (int user = 0; user + 1 < starts.length; user++) {
            Arrays.sort(items, starts[user], starts[user + 1]);
        }
        return new Seen(starts, items);
    }

    /** What {@link #arrays} gave, if it is among these. */
    static Optional<Seen> of(List<NamedSpan> arrays) {
        int[][] found = new int[2][];
        for (NamedSpan array : arrays) {
            int at = array.name().equals(STARTS) ? 0 : array.name().equals(ITEMS) ? 1 : -1;
            if (at >= 0) {
                found[at] = new int[(int) (array.data().bytes() / Integer.BYTES)];
                array.data().buffer().asIntBuffer().get(found[at]);
            }
        }
        return found[0] == null || found[1] == null
                ? Optional.empty()
                : Optional.of(new Seen(found[0], found[1]));
    }

    /** As a model's file holds it. */
    List<NamedSpan> arrays() {
        List<NamedSpan> arrays = new ArrayList<>();
        for (int[] each : List.of(starts, items)) {
            check(
                    (long) each.length * Integer.BYTES <= Span.CHUNK_BYTES,
                    "more ratings than a model can hold: %,d",
                    each.length);
            Span span = Span.allocate((long) each.length * Integer.BYTES);
            span.buffer().asIntBuffer().put(each);
            String name = arrays.isEmpty() ? STARTS : ITEMS;
            arrays.add(new NamedSpan(name, ElementType.INT32, new long[] {each.length}, span));
        }
        return arrays;
    }

    /** Whether a user has an item; who is unknown has none. */
    boolean has(int user, int item) {
        return user + 1 < starts.length
                && Arrays.binarySearch(items, starts[user], starts[user + 1], item) >= 0;
    }
}
