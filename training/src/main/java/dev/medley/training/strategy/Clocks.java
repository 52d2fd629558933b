package dev.medley.training.strategy;

import java.util.Arrays;
import java.util.List;

/**
 * How far the workers of a round have come, and who may go on: the bound of stale synchronous
 * parallelism (Ho et al., NIPS 2013) for workers of unlike speed. No time, no threads.
 *
 * <p>A round takes T clocks, each a batch of {@code train.batch} samples over all workers. Rank r
 * gives its part of them in H_r pushes; after j of them it has come to clock j T / H_r. So a worker
 * of half the speed, with half as many pushes, is not behind.
 */
final class Clocks {
    private final int total;
    private final int[] pushes;
    private final long[] pushed;

    /**
     * A round that nobody has begun.
     *
     * @param total clocks of it, above 0
     * @param pushes of each rank, above 0 each
     */
    Clocks(int total, List<Integer> pushes) {
        this.total = total;
        this.pushes = pushes.stream().mapToInt(Integer::intValue).toArray();
        this.pushed = new long[this.pushes.length];
    }

    /** Clocks of the round. */
    int total() {
        return total;
    }

    /** Pushes of a rank in the round. */
    int pushes(int rank) {
        return pushes[rank];
    }

    /** A rank has given so many pushes. */
    void moved(int rank, long count) {
        pushed[rank] = count;
    }

    /** Pushes that a rank has given. */
    long pushed(int rank) {
        return pushed[rank];
    }

    /** The first clock, from 1, by whose end a rank's push (from 1) has to be there. */
    long due(int rank, long push) {
        return (push * total + pushes[rank] - 1) / pushes[rank];
    }

    /** The part of a clock that one push stands for, where all push as many samples. */
    double clocksOfPush() {
        return (double) total / Arrays.stream(pushes).sum();
    }

    /**
     * Whether a rank may begin its next batch where clocks are applied one after another and so
     * many are: what it pushed last is applied, or belongs to the same clock as the next push.
     */
    boolean mayBeginInOrder(int rank, long applied) {
        long due = due(rank, pushed[rank]);
        return applied >= due || due(rank, pushed[rank] + 1) == due;
    }

    /** Whether all pushes are there that are due by the end of a clock. */
    boolean isComplete(long clock) {
        for (int rank = 0; rank < pushes.length; rank++) {
            if (pushed[rank] < clock * pushes[rank] / total) {
                return false;
            }
        }
        return true;
    }

    /** Whether all have given all. */
    boolean isDone() {
        return isComplete(total);
    }

    /**
     * Whether a rank may begin its next batch: it is at most {@code staleness} clocks ahead of the
     * slowest. The slowest always may, so the round cannot stand still.
     */
    boolean mayBegin(int rank, int staleness) {
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
    int slowest() {
        int slowest = 0;
        for (int rank = 1; rank < pushes.length; rank++) {
            if (pushed[rank] * pushes[slowest] < pushed[slowest] * pushes[rank]) {
                slowest = rank;
            }
        }
        return slowest;
    }
}
