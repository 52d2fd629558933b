package dev.medley.base.round;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts how far the workers of a round have come, and decides which of them may continue. The
 * bound is that of stale synchronous parallelism (Ho et al., NIPS 2013) for workers of unlike
 * speed. No time, no threads: it belongs to its owner.
 *
 * <p>A round takes T clocks, each a batch of {@code train.batch} samples over all workers. Rank r
 * gives its part of them in H_r pushes; after j of them it has come to clock j T / H_r. So a worker
 * of half the speed, with half as many pushes, is not behind.
 */
public final class Clocks {
    private final int total;
    private final int[] pushes;
    private final long[] pushed;
    private final double[] clocksOfPush;

    /**
     * A round that nobody has begun, in which all push as many samples at once.
     *
     * @param total clocks of it, above 0
     * @param pushes of each rank, above 0 each
     */
    public Clocks(int total, List<Integer> pushes) {
        this(total, pushes, Collections.nCopies(pushes.size(), (double) total / sum(pushes)));
    }

    private Clocks(int total, List<Integer> pushes, List<Double> clocksOfPush) {
        this.total = total;
        this.pushes = pushes.stream().mapToInt(Integer::intValue).toArray();
        this.pushed = new long[this.pushes.length];
        this.clocksOfPush = clocksOfPush.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /**
     * A round of sites, each of which pushes what its workers have come to in a clock, or in some.
     *
     * @param pushes of the workers of each site together
     */
    public static Clocks ofSites(int total, List<Integer> pushes) {
        double all = sum(pushes);
        return new Clocks(
                total,
                Collections.nCopies(pushes.size(), total),
                pushes.stream().map(ofSite -> ofSite / all).toList());
    }

    private static int sum(List<Integer> pushes) {
        return pushes.stream().mapToInt(Integer::intValue).sum();
    }

    /** Clocks of the round. */
    public int total() {
        return total;
    }

    /** Pushes of a rank in the round. */
    public int pushes(int rank) {
        return pushes[rank];
    }

    /** A rank has given so many pushes. */
    public void moved(int rank, long count) {
        pushed[rank] = count;
    }

    /** Pushes that a rank has given. */
    public long pushed(int rank) {
        return pushed[rank];
    }

    /** The first clock, from 1, by whose end a rank's push (from 1) has to be there. */
    public long due(int rank, long push) {
        return (push * total + pushes[rank] - 1) / pushes[rank];
    }

    /** The clocks of all together that so many pushes of a rank stand for; a part of one, often. */
    public double clocksOf(int rank, long count) {
        return clocksOfPush[rank] * count;
    }

    /** Clocks of which a rank has given all pushes. */
    public long reached(int rank) {
        return pushed[rank] == pushes[rank] ? total : due(rank, pushed[rank] + 1) - 1;
    }

    /** Clocks of which all ranks have given all pushes. */
    public long reachedByAll() {
        return IntStream.range(0, pushes.length).mapToLong(this::reached).min().orElse(0);
    }

    /** Counts the clocks that the pushes of all ranks together complete, whoever gave them. */
    public long reachedTogether() {
        return Arrays.stream(pushed).sum() * total / Arrays.stream(pushes).asLongStream().sum();
    }

    /**
     * Whether a rank may begin its next batch where clocks are applied one after another and so
     * many are: what it pushed last is applied, or belongs to the same clock as the next push.
     */
    public boolean mayBeginInOrder(int rank, long applied) {
        long due = due(rank, pushed[rank]);
        return applied >= due || due(rank, pushed[rank] + 1) == due;
    }

    /** Whether all pushes are there that are due by the end of a clock. */
    public boolean isComplete(long clock) {
        for (int rank = 0; rank < pushes.length; rank++) {
            if (pushed[rank] < clock * pushes[rank] / total) {
                return false;
            }
        }
        return true;
    }

    /** Whether all have given all. */
    public boolean isDone() {
        return isComplete(total);
    }

    /**
     * Whether a rank may begin its next batch: it is at most {@code staleness} clocks ahead of the
     * slowest. The slowest always may, so the round cannot stand still.
     */
    public boolean mayBegin(int rank, int staleness) {
        for (int other = 0; other < pushes.length; other++) {
            long ahead = pushed[rank] * pushes[other] - pushed[other] * pushes[rank];
            // ahead / (H_r H_o) of the round, so times T in clocks.
            if (ahead * total > (long) staleness * pushes[rank] * pushes[other]) {
                return false;
            }
        }
        return true;
    }

    /** The rank that is farthest behind; the lowest of several. */
    public int slowest() {
        int slowest = 0;
        for (int rank = 1; rank < pushes.length; rank++) {
            if (pushed[rank] * pushes[slowest] < pushed[slowest] * pushes[rank]) {
                slowest = rank;
            }
        }
        return slowest;
    }
}
