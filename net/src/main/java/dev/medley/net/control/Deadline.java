package dev.medley.net.control;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a socket whose handshake does not finish in time, however slowly the other side speaks.
 * That ends whatever waits for it.
 */
final class Deadline implements AutoCloseable {
    private final CompletableFuture<@Nullable Void> through = new CompletableFuture<>();
    private final String what;
    private final long timeoutNs;

    /**
     * From now on.
     *
     * @param what for messages
     */
    Deadline(Socket raw, String what, long timeoutNs) {
        this.what = what;
        this.timeoutNs = timeoutNs;
        through.orTimeout(timeoutNs, TimeUnit.NANOSECONDS)
                .exceptionally(
                        late -> {
                            closeQuietly(raw);
                            return null;
                        });
    }

    /** Says that it was the deadline that ended it, if it was. */
    void check(String peer, IOException failure) throws IOException {
        if (through.isCompletedExceptionally()) {
            throw new IOException(
                    "%s did not finish %s within %.1f s".formatted(peer, what, timeoutNs / 1e9),
                    failure);
        }
    }

    @Override
    public void close() {
        through.complete(null);
    }

    private static void closeQuietly(Socket raw) {
        try {
            raw.close();
        } catch (IOException ignored) {
            // The descriptor is gone either way.
        }
    }
}
