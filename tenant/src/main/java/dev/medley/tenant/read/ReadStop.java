package dev.medley.tenant.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a read from outside, because nobody waits for it any more: closes the connections that it
 * has, which ends their statements, and those that it would still open.
 *
 * <p>Thread: any.
 */
public final class ReadStop {
    private final List<Connection> open = new ArrayList<>();
    private volatile boolean isStopped;

    /** Closes a connection while another thread uses it. */
    @FunctionalInterface
    interface Connection {
        void close() throws Exception;
    }

    /** Ends the read, now or when it begins; returns when its statements have ended. */
    public void stop() {
        List<Connection> closed;
        synchronized (this) {
            isStopped = true;
            closed = List.copyOf(open);
            open.clear();
        }
        for (Connection each : closed) {
            try {
                each.close();
            } catch (Exception e) { // It is its reader's to close, too.
                isStopped = true;
            }
        }
    }

    /** Whether somebody ended it. */
    public boolean isStopped() {
        return isStopped;
    }

    /** Closes a connection when the read is ended; one that is ended already throws. */
    synchronized void closes(Connection connection) throws IOException {
        if (isStopped) {
            throw new IOException("nobody waits for this read any more");
        }
        open.add(connection);
    }
}
