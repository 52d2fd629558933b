package dev.medley.record.entry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A range of steps in a row.
 *
 * @param from the first
 * @param to the last
 */
public record StepRange(long from, long to) {
    /** How many there are. */
    public long count() {
        return to - from + 1;
    }

    /** The same steps in order, each once, in as few ranges as can be. */
    static List<StepRange> merged(List<StepRange> ranges) {
        List<StepRange> merged = new ArrayList<>();
        for (StepRange next :
                ranges.stream().sorted(Comparator.comparingLong(StepRange::from)).toList()) {
            StepRange last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && next.from() <= last.to() + 1) {
                long to = Math.max(last.to(), next.to());
                merged.set(merged.size() - 1, new StepRange(last.from(), to));
            } else {
                merged.add(next);
            }
        }
        return merged;
    }

    /** What of these steps comes up to {@code last}. */
    static List<StepRange> upTo(List<StepRange> ranges, long last) {
        return ranges.stream()
                .filter(range -> range.from() <= last)
                .map(range -> new StepRange(range.from(), Math.min(range.to(), last)))
                .toList();
    }
}
