package dev.medley.data.text;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Records the code points of a text with the place where each was first seen. So one reading tells
 * the vocabulary of any beginning of it.
 */
final class Alphabet {
    private static final int DIRECT = 1 << 12;

    private final long[] direct = new long[DIRECT];
    private final Map<Integer, Long> others = new HashMap<>();
    private long count;

    Alphabet() {
        Arrays.fill(direct, -1);
    }

    void add(int[] codePoints, int length) {
        for (int i = 0; i < length; i++) {
            int c = codePoints[i];
            if (c >= DIRECT) {
                others.putIfAbsent(c, count);
            } else if (direct[c] < 0) {
                direct[c] = count;
            }
            count++;
        }
    }

    /** Code points read. */
    long count() {
        return count;
    }

    /** Those that occur before position {@code end}, ascending. */
    List<String> before(long end) {
        return all().filter(c -> firstSeen(c) < end)
                .mapToObj(Character::toString)
                .collect(Collectors.toList());
    }

    /** Whether one occurs from {@code start} on that does not occur before {@code end}. */
    boolean hasMoreThan(long end) {
        return all().anyMatch(c -> firstSeen(c) >= end);
    }

    private IntStream all() {
        return IntStream.concat(
                IntStream.range(0, DIRECT).filter(c -> direct[c] >= 0),
                others.keySet().stream().mapToInt(Integer::intValue).sorted());
    }

    private long firstSeen(int codePoint) {
        return codePoint < DIRECT
                ? direct[codePoint]
                : others.getOrDefault(codePoint, Long.MAX_VALUE);
    }
}
