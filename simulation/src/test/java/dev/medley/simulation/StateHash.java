package dev.medley.simulation;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.List;

/** The state of a worker: a hash of the steps that it has applied, in order. */
final class StateHash {
    private static final List<Long> KNOWN = new ArrayList<>(List.of(0L));

    private StateHash() {}

    static long next(long state, long step) {
        return Seeds.mix(state ^ step);
    }

    /** The state after so many steps, each applied once. */
    static synchronized long after(long steps) {
        while (KNOWN.size() <= steps) {
            KNOWN.add(next(KNOWN.get(KNOWN.size() - 1), KNOWN.size()));
        }
        return KNOWN.get((int) steps);
    }
}
