package dev.medley.onnx.engine;

import dev.medley.base.time.Clock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Does one piece of work after the other, and rests behind each as a pace has it. Those who answer
 * meanwhile find a core.
 *
 * @param rests waits so many nanoseconds, or somewhat less
 */
public record PacedWork(Pace pace, Clock clock, LongConsumer rests) {
    /** On the thread that calls. */
    public static PacedWork of(Pace pace, Clock clock) {
        return new PacedWork(pace, clock, LockSupport::parkNanos);
    }

    /** Does a piece, and rests. */
    public <T> T done(Supplier<T> work) {
        long fromNs = clock.nowNs();
        T done = work.get();
        rest(clock.nowNs() - fromNs);
        return done;
    }

    /** Does a piece, rests, and says how long the piece took, in nanoseconds. */
    long timed(Runnable work) {
        long fromNs = clock.nowNs();
        work.run();
        long tookNs = clock.nowNs() - fromNs;
        rest(tookNs);
        return tookNs;
    }

    private void rest(long tookNs) {
        long restNs = pace.restNs(tookNs);
        if (restNs > 0) {
            rests.accept(restNs);
        }
    }
}
