package dev.medley.tenant.quota;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds how many refusals of one caller are written one by one, since each waits for the disk:
 * strangers could fill it. What is more is counted, and the count is written with the next one.
 *
 * <p>Thread: any.
 */
public final class RefusalRate {
    private static final int PER_SECOND = 10;
    private static final long SECOND_MS = 1000;

    private final Map<String, Recent> callers = new HashMap<>();

    private static final class Recent {
        private long second;
        private int written;
        private long counted;
    }

    /** How many went unwritten before this one; -1 where this one is only counted, too. */
    public synchronized long before(String caller, long nowMs) {
        Recent recent = callers.computeIfAbsent(caller, name -> new Recent());
        long second = nowMs / SECOND_MS;
        if (second != recent.second) {
            recent.second = second;
            recent.written = 0;
        }
        if (recent.written == PER_SECOND) {
            recent.counted++;
            return -1;
        }
        recent.written++;
        long before = recent.counted;
        recent.counted = 0;
        return before;
    }

    /** Counts one that could not even wait for its turn. */
    public synchronized void count(String caller) {
        callers.computeIfAbsent(caller, name -> new Recent()).counted++;
    }

    /** What was counted and is not written yet, by caller; nothing of it is left. */
    public synchronized Map<String, Long> rest() {
        Map<String, Long> rest = new HashMap<>();
        callers.forEach(
                (caller, recent) -> {
                    if (recent.counted > 0) {
                        rest.put(caller, recent.counted);
                        recent.counted = 0;
                    }
                });
        return rest;
    }
}
