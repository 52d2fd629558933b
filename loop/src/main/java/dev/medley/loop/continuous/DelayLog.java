package dev.medley.loop.continuous;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts how long rows waited until they were learnt. Times are rounded up to two digits, so that
 * it stays small however many rows come.
 *
 * @param counts of rows, by milliseconds
 */
public record DelayLog(Map<Long, Long> counts) {
    /** No row yet. */
    public static final DelayLog NONE = new DelayLog(Map.of());

    private static final double MEDIAN = 0.5;
    private static final double NEARLY_ALL = 0.95;

    public DelayLog {
        counts = Collections.unmodifiableMap(new TreeMap<>(counts));
    }

    /** The same and these, in milliseconds. */
    public DelayLog plus(long[] delaysMs) {
        Map<Long, Long> all = new TreeMap<>(counts);
        for (long delay : delaysMs) {
            all.merge(rounded(Math.max(0, delay)), 1L, Long::sum);
        }
        return new DelayLog(all);
    }

    private static long rounded(long ms) {
        long unit = 1;
        while (ms / unit >= 100) {
            unit *= 10;
        }
        return (ms + unit - 1) / unit * unit;
    }

    /** How many rows. */
    public long rows() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many waited longer. */
    public long longerThan(long ms) {
        return counts.entrySet().stream()
                .filter(count -> count.getKey() > rounded(ms))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** What so large a part of the rows waited at most, milliseconds; 0 where there are none. */
    public long quantileMs(double part) {
        long needed = (long) Math.ceil(part * rows());
        long seen = 0;
        for (Map.Entry<Long, Long> count : counts.entrySet()) {
            seen += count.getValue();
            if (seen >= needed) {
                return count.getKey();
            }
        }
        return 0;
    }

    /** For people, against what was promised. */
    public String words(long promisedMs) {
        if (rows() == 0) {
            return "no row has come yet";
        }
        long late = longerThan(promisedMs);
        return "learnt within %s (median), %s (95 %%), %s (all); %s"
                .formatted(
                        seconds(quantileMs(MEDIAN)),
                        seconds(quantileMs(NEARLY_ALL)),
                        seconds(quantileMs(1)),
                        late == 0
                                ? "continuous.delay is kept"
                                : String.format(
                                        Locale.ROOT,
                                        "%,d of %,d rows took longer than continuous.delay, %s",
                                        late,
                                        rows(),
                                        seconds(promisedMs)));
    }

    static String seconds(long ms) {
        return ms % 1000 == 0 || ms >= 100_000
                ? ms / 1000 + " s"
                : String.format(Locale.ROOT, "%.2f s", ms / 1000.0);
    }
}
