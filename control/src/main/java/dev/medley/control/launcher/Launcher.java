package dev.medley.control.launcher;

import java.net.InetSocketAddress;

/** Starts workers for a coordinator and says how they ended. */
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

    /** Hears how a worker ended. */
    interface ExitListener {
        /**
         * A worker's process ended.
         *
         * @param exitCode of the process; 128 + n if signal n ended it
         * @param lastWords end of what it wrote to its log, for the message to the user
         */
        void exited(int launch, int exitCode, String lastWords);
    }

    /** A worker could not be started. */
    final class LaunchException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** A sentence for the user. */
        public LaunchException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
