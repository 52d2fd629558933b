package dev.medley.control.launcher;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Starts workers for a coordinator and reports how they ended. */
public interface Launcher extends AutoCloseable {
    /**
     * Starts a worker that will say hello to the coordinator with this launch number.
     *
     * @throws LaunchException if it cannot be started
     */
    void launch(int launch, InetSocketAddress coordinator, String token, ExitListener listener);

    /** Kills a worker at once; does nothing if it has ended. */
    void kill(int launch);

    /** Kills whatever is left. */
    @Override
    void close();

    /**
     * How a worker's process ended.
     *
     * @param code of the process; 128 + n if signal n ended it, -1 if nobody knows
     * @param lastWords end of what it wrote to its log, for the message to the user
     * @param outOfMemory one sentence for the user, with what to do, if the kernel killed it for
     *     want of memory; else empty
     */
    record Exit(int launch, int code, String lastWords, String outOfMemory) {}

    /** Hears how a worker ended; on any thread. */
    @FunctionalInterface
    interface ExitListener {
        /** A worker's process ended. */
        void exited(Exit exit);
    }

    /** A worker could not be started. */
    final class LaunchException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** A sentence for the user. */
        public LaunchException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
