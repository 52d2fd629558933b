package dev.medley.connect.salesforce.call;

import dev.medley.base.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Says how long one waits for an org and how often one asks again.
 *
 * @param clock tells the time
 * @param pause waits
 * @param call longest time for one answer
 * @param page longest time for one page of a result, or for one upload
 * @param job longest time until a job is done
 * @param tries how often a call is made that may be repeated
 */
public record Waits(
        Clock clock, Pause pause, Duration call, Duration page, Duration job, int tries) {
    private static final long FIRST_NS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_NS = Duration.ofSeconds(30).toNanos();

    /** Lets time pass. */
    @FunctionalInterface
    public interface Pause {
        /** Returns after {@code ns} nanoseconds, or when the thread is interrupted. */
        void pause(long ns);
    }

    /** The usual patience, on this machine's clock. */
    public static Waits usual() {
        return new Waits(
                Clock.system(),
                Waits::park,
                Duration.ofMinutes(2),
                Duration.ofMinutes(20),
                Duration.ofHours(4),
                6);
    }

    private static void park(long ns) {
        Clock clock = Clock.system();
        long until = clock.nowNs() + ns;
        long left = ns;
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
            left = until - clock.nowNs();
        }
    }

    /** Before try {@code done + 1}, with {@code done} tries made: 1 s, 2 s, 4 s, up to 30 s. */
    public void backOff(int done) {
        pause.pause(Math.min(LONGEST_NS, FIRST_NS << Math.min(done - 1, 10)));
    }
}
