package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.memory.Batch;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Where a slow worker waits in a batch until so many others have passed, which they cannot before
 * it is there.
 */
public final class Gate {
    private final CountDownLatch slow = new CountDownLatch(1);
    private final CountDownLatch others;

    public Gate(int others) {
        this.others = new CountDownLatch(others);
    }

    /** The batches of a rank that nobody holds up. */
    public static IntFunction<Batch> own(int rank) {
        return index -> AsyncRank.batch(rank, index % 8);
    }

    /** Batches of which that of this index comes when the others have passed. */
    public IntFunction<Batch> slow(int rank, int index) {
        return slow(own(rank), index);
    }

    /** These batches, of which that of this index comes when the others have passed. */
    public IntFunction<Batch> slow(IntFunction<Batch> batches, int index) {
        return asked -> {
            if (asked == index) {
                isThere();
                await(others);
            }
            return batches.apply(asked);
        };
    }

    /** Batches of which that of this index comes when the slow worker waits. */
    public IntFunction<Batch> fast(int rank, int index) {
        return fast(own(rank), index);
    }

    /** These batches, of which that of this index comes when the slow worker waits. */
    public IntFunction<Batch> fast(IntFunction<Batch> batches, int index) {
        return asked -> {
            if (asked == index) {
                await(slow);
            }
            return batches.apply(asked);
        };
    }

    /** One of those that wait for each other. */
    public static void passAndAwait(CountDownLatch latch) {
        latch.countDown();
        await(latch);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.MINUTES)).as("all go on").isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The slow worker stands where the others wait for it. */
    void isThere() {
        slow.countDown();
    }

    public void passed() {
        others.countDown();
    }
}
