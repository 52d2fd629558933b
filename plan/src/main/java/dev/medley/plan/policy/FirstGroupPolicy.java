package dev.medley.plan.policy;

import dev.medley.base.job.JoinSpec;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a run's first group forms without workers that take much longer to be ready.
 * Waiting costs all others their time; not waiting costs one more group when the late worker joins.
 *
 * <p>Waiting as long as what it saves costs at most twice what the best choice would (the
 * ski-rental argument of Karlin, Manasse, Rudolph and Sleator, 1988). Half of the time to be ready
 * stands for the cost of a late join: a worker that loads slowly also copies the state and connects
 * slowly.
 */
public final class FirstGroupPolicy {
    /** Nobody is left out for a moment of noise. */
    static final long LEAST_PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    /** Of the time that the slowest of the ready took. */
    private static final double PATIENCE = 0.5;

    private static final double NS_PER_SECOND = 1e9;

    /**
     * What follows.
     *
     * @param begins whether the group forms with those that are ready
     * @param why in one sentence
     */
    public record Decision(boolean begins, String why) {}

    private FirstGroupPolicy() {}

    /** As many workers as a first group has at least. */
    public static int least(int expected, JoinSpec.Begin begin) {
        return begin == JoinSpec.Begin.ALL ? expected : (expected + 1) / 2;
    }

    /**
     * Decides for a group that has no first step yet.
     *
     * @param expected workers
     * @param tookNs from its start to being ready, of each worker that is; not empty
     * @param sinceLastNs since the last of them became ready
     */
    public static Decision decide(int expected, List<Long> tookNs, long sinceLastNs) {
        int ready = tookNs.size();
        if (ready >= expected) {
            return new Decision(true, "all %d workers are ready".formatted(expected));
        }
        String count = "%d of %d workers are ready".formatted(ready, expected);
        if (ready < least(expected, JoinSpec.Begin.MOST)) {
            return new Decision(false, count + ", fewer than half");
        }
        long patienceNs = Math.max(LEAST_PATIENCE_NS, (long) (PATIENCE * Collections.max(tookNs)));
        return sinceLastNs < patienceNs
                ? new Decision(
                        false, count + "; the others have %.1f s".formatted(seconds(patienceNs)))
                : new Decision(
                        true,
                        "training begins: %s, and no other was within %.1f s; later ones join"
                                .formatted(count, seconds(patienceNs)));
    }

    private static double seconds(long ns) {
        return ns / NS_PER_SECOND;
    }
}
