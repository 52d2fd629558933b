package dev.medley.serving.host;

import dev.medley.serving.host.MemoryBudget.Way;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how versions took the place of others, by name.
 *
 * <p>Thread: any.
 */
public final class SwapFigures {
    private final Map<String, Map<Way, Long>> counts = new TreeMap<>();
    private final LongAdder waited = new LongAdder();

    synchronized void add(String name, Way way) {
        counts.computeIfAbsent(name, n -> new EnumMap<>(Way.class)).merge(way, 1L, Long::sum);
    }

    void waited() {
        waited.increment();
    }

    /** How often a name's version was replaced in a way. */
    public synchronized long count(String name, Way way) {
        return counts.getOrDefault(name, Map.of()).getOrDefault(way, 0L);
    }

    /** Names of which a version was replaced. */
    public synchronized java.util.List<String> names() {
        return java.util.List.copyOf(counts.keySet());
    }

    /** Requests that waited while no version was loaded. */
    public long waitedRequests() {
        return waited.sum();
    }
}
