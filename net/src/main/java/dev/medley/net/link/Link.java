package dev.medley.net.link;

import dev.medley.base.Fault;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A standing connection to one peer, non-blocking. Reads and writes move what can be moved now; to
 * wait, use a {@link LinkPoll}.
 */
public final class Link implements AutoCloseable {
    private final SocketChannel channel;
    private final int peerRank;
    private final String peer;
    private final Lane lane;

    Link(SocketChannel channel, int peerRank, String peer, Lane lane) throws IOException {
        this.channel = channel;
        this.peerRank = peerRank;
        this.peer = peer;
        this.lane = lane;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Rank of the other side in the group of this link's epoch. */
    public int peerRank() {
        return peerRank;
    }

    /** The other side as the user knows it. */
    public String peer() {
        return peer;
    }

    /** What this link carries. */
    public Lane lane() {
        return lane;
    }

    /** Reads what has arrived and fits; bytes read, zero if nothing has, -1 if the peer closed. */
    public int read(ByteBuffer into) throws FaultSignal {
        try {
            return channel.read(into);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /** Writes what can be written now; bytes written. */
    public int write(ByteBuffer from) throws FaultSignal {
        try {
            return channel.write(from);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /** Closes at once; what was written before is still delivered. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // The descriptor is gone either way.
        }
    }

    SocketChannel channel() {
        return channel;
    }

    private FaultSignal broken(IOException e) {
        return new FaultSignal(
                new Fault(
                        Fault.Kind.LINK,
                        peer,
                        "the connection to " + peer + " broke: " + e.getMessage()));
    }

    @Override
    public String toString() {
        return lane + " link to " + peer;
    }
}
