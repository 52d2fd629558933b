package dev.medley.loop.monitor;

import java.util.Map;
import java.util.TreeMap;

/**
 * Ranks each category among all rows before it, in two ways: by the fixed order of buckets, which
 * shows a share that grows or shrinks, and by how rare it is, which shows a new one. Ranks of each
 * way are evenly spread over [0, 1] and independent of each other as long as nothing changes: the
 * row is the last of rows that could have come in any order (Vovk, Gammerman and Shafer,
 * Algorithmic Learning in a Random World, 2005).
 */
final class CategoryRanks {
    private final long[] counts = new long[CategoryReference.BUCKETS];

    /** Sums of counts over ranges of buckets (Fenwick 1994). */
    private final long[] sums = new long[CategoryReference.BUCKETS + 1];

    /** Rows in buckets of a count, by the count. */
    private final TreeMap<Long, Long> rowsByCount = new TreeMap<>();

    private final Draws draws;
    private long total;

    CategoryRanks(CategoryReference reference, Draws draws) {
        this.draws = draws;
        reference.counts().forEach(this::put);
    }

    /**
     * The ranks of one row.
     *
     * @param place in the order of buckets
     * @param rarity near 1 where few rows have its category
     */
    record Rank(double place, double rarity) {}

    /** The ranks of the next row, which is counted from now on. */
    Rank next(String category) {
        int bucket = CategoryReference.bucket(category);
        put(bucket, counts[bucket] + 1);
        long own = counts[bucket];
        double place = (below(bucket) + draws.next() * own) / total;
        long rarer = 0;
        for (long rows : rowsByCount.headMap(own).values()) {
            rarer += rows;
        }
        double rarity = (rarer + draws.next() * rowsByCount.getOrDefault(own, 0L)) / total;
        return new Rank(place, 1 - rarity);
    }

    private void put(int bucket, long count) {
        long before = counts[bucket];
        if (before > 0) {
            rowsByCount.computeIfPresent(
                    before, (c, rows) -> rows == before ? null : (Long) (rows - before));
        }
        rowsByCount.merge(count, count, Long::sum);
        counts[bucket] = count;
        total += count - before;
        for (int i = bucket + 1; i < sums.length; i += i & -i) {
            sums[i] += count - before;
        }
    }

    private long below(int bucket) {
        long sum = 0;
        for (int i = bucket; i > 0; i -= i & -i) {
            sum += sums[i];
        }
        return sum;
    }

    /** The reference with what was seen since, to go on from. */
    CategoryReference seen(long missing) {
        Map<Integer, Long> seen = new TreeMap<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                seen.put(i, counts[i]);
            }
        }
        return new CategoryReference(seen, missing);
    }
}
