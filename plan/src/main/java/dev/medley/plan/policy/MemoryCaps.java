package dev.medley.plan.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the most samples that each type of machine takes through the model at once, where memory
 * ran out. That may have been in this run or in an earlier one. All plan sources of a run share
 * one, so that a strategy which the run changes to need not run out of memory again to learn it.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class MemoryCaps {
    /** No cap. */
    public static final int NONE = Integer.MAX_VALUE;

    /** Memory is not measured: a quarter is found sooner than a half of a half. */
    private static final int CUT = 4;

    private final ToIntFunction<String> earlier;
    private final Map<String, Integer> known = new HashMap<>();
    private final Map<String, Integer> found = new TreeMap<>();

    /**
     * Nothing has run out in this run.
     *
     * @param earlier the cap of a type of machine in earlier runs; {@link #NONE} for none. Asked
     *     once for each
     */
    public MemoryCaps(ToIntFunction<String> earlier) {
        this.earlier = earlier;
    }

    /** Nothing is known of earlier runs. */
    public static MemoryCaps unknown() {
        return new MemoryCaps(any -> NONE);
    }

    /** The most samples at once on such a machine. */
    public int of(String machine) {
        int before = known.computeIfAbsent(machine, earlier::applyAsInt);
        return found.getOrDefault(machine, before);
    }

    /** Whether that is what this run has found. */
    public boolean isFound(String machine) {
        return found.containsKey(machine);
    }

    /**
     * So many at once were too many; several that tried as many lower the cap once.
     *
     * @return what is done about it, in words; null if nothing can be
     */
    public @Nullable String cut(String machine, int samples) {
        if (samples <= 1) {
            return null;
        }
        found.put(machine, Math.min(of(machine), Math.max(1, samples / CUT)));
        return "shares go through the model in parts of at most %d samples from now on%s"
                .formatted(
                        of(machine),
                        machine.isEmpty() ? "" : " on machines of this type: " + machine);
    }

    /** What this run has found, by type of machine. */
    public Map<String, Integer> found() {
        return Map.copyOf(found);
    }
}
