package dev.medley.net.link;

import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A caller at this process's port that has said who it is.
 *
 * @param channel non-blocking
 * @param secured over the channel, where the caller speaks TLS
 */
record Caller(SocketChannel channel, @Nullable TlsChannel secured) {
    boolean isSecured() {
        return secured != null;
    }

    /** An answer fits into the buffer of a connection on which nothing was said before. */
    void say(Welcome answer) throws IOException {
        ByteChannel stream = secured == null ? channel : secured;
        stream.write(answer.encode());
    }

    /** The link, once the caller is welcome. */
    Link link(int rank, String name, Lane lane) throws IOException {
        return secured == null
                ? Link.plain(channel, rank, name, lane)
                : Link.secured(channel, secured, rank, name, lane);
    }

    void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // The descriptor is gone either way.
        }
    }
}
