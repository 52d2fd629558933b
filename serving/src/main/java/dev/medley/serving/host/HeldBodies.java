package dev.medley.serving.host;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of all requests that are in memory. A byte counts from when it comes: who
 * announces a body and sends none holds nothing.
 *
 * <p>Thread: any.
 */
public final class HeldBodies {
    private final long most;
    private final AtomicLong held = new AtomicLong();

    /** At most so many bytes. */
    public HeldBodies(long most) {
        this.most = most;
    }

    /**
     * Holds the bytes of one request.
     *
     * <p>Thread: any.
     */
    public final class Share implements AutoCloseable {
        private long own;
        private boolean isClosed;

        private Share() {}

        /**
         * Some bytes more.
         *
         * @throws ServingFailure if there is no room for them
         */
        public synchronized void add(int bytes) {
            if (isClosed) {
                return; // Nobody holds what comes after the end.
            }
            own += bytes;
            if (held.addAndGet(bytes) > most) {
                throw new ServingFailure(
                        Kind.UNAVAILABLE, "too many large requests at the same time: try again");
            }
        }

        @Override
        public synchronized void close() {
            isClosed = true;
            held.addAndGet(-own);
            own = 0;
        }
    }

    /** For a request that is to come. */
    public Share share() {
        return new Share();
    }
}
