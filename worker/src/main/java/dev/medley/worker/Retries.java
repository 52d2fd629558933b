package dev.medley.worker;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Says when to try again what failed for want of a link. Links that hang for a while come back, or
 * do not.
 *
 * <p>Thread: the caller's.
 */
public final class Retries {
    /** Before each further try. */
    private static final List<Long> PAUSES_S = List.of(1L, 5L, 20L);

    private final Pause pause;
    private int taken;

    /** Waits. */
    public interface Pause {
        /** By the machine's clock. */
        Pause REAL = TimeUnit.SECONDS::sleep;

        /** Waits so long. */
        void seconds(long seconds) throws InterruptedException;
    }

    /** None taken yet. */
    public Retries(Pause pause) {
        this.pause = pause;
    }

    /** Waits until it is time for another try; false if there is to be none. */
    public boolean waits() {
        if (taken == PAUSES_S.size()) {
            return false;
        }
        try {
            pause.seconds(PAUSES_S.get(taken++));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
