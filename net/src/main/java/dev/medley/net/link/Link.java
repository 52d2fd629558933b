package dev.medley.net.link;

import dev.medley.base.Fault;
import dev.medley.net.tls.TlsFailure;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes a standing, non-blocking connection to one peer. Reads and writes move what can
 * be moved now; to wait, use a {@link LinkPoll}. One thread may read while another writes.
 *
 * <p>A secured link speaks TLS. Its reads hand out what was decrypted; its writes count what is
 * encrypted and with the kernel. A plain one reads and writes the channel itself.
 */
public final class Link implements AutoCloseable {
    private final SocketChannel channel;
    private final @Nullable TlsChannel secured;
    private final ByteChannel stream;
    private final int peerRank;
    private final String peer;
    private final Lane lane;

    private Link(
            SocketChannel channel,
            @Nullable TlsChannel secured,
            int peerRank,
            String peer,
            Lane lane)
            throws IOException {
        this.channel = channel;
        this.secured = secured;
        this.stream = secured == null ? channel : secured;
        this.peerRank = peerRank;
        this.peer = peer;
        this.lane = lane;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static Link plain(SocketChannel channel, int peerRank, String peer, Lane lane)
            throws IOException {
        return new Link(channel, null, peerRank, peer, lane);
    }

    static Link secured(
            SocketChannel channel, TlsChannel secured, int peerRank, String peer, Lane lane)
            throws IOException {
        return new Link(channel, secured, peerRank, peer, lane);
    }

    /** Rank of the other side in the group of this link's epoch. */
    public int peerRank() {
        return peerRank;
    }

    /** The other side as the user knows it. */
    public String peer() {
        return peer;
    }

    /** The lane that this link carries. */
    public Lane lane() {
        return lane;
    }

    /** Whether this link speaks TLS. */
    public boolean isSecured() {
        return secured != null;
    }

    /** Reads what has arrived and fits; bytes read, zero if nothing has, -1 if the peer closed. */
    public int read(ByteBuffer into) throws FaultSignal {
        try {
            return stream.read(into);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /**
     * Writes what can be written now; bytes written. If that is not all, the next write begins with
     * the bytes that were left: on a secured link they may be under way already.
     */
    public int write(ByteBuffer from) throws FaultSignal {
        try {
            return stream.write(from);
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

    /** Whether a read has something to hand out that no selector announces. */
    boolean holdsBytes() {
        return secured != null && secured.holdsBytes();
    }

    /** Goes on with the handshake; what to wait for before the next call, nothing if through. */
    Interest handshake() throws FaultSignal {
        try {
            return secured == null ? Interest.NONE : secured.handshake();
        } catch (IOException e) {
            throw signal(TlsFailure.sentence(peer, e));
        }
    }

    private FaultSignal broken(IOException e) {
        return signal(
                e instanceof SSLException
                        ? TlsFailure.sentence(peer, e)
                        : "the connection to " + peer + " broke: " + e.getMessage());
    }

    private FaultSignal signal(String message) {
        return new FaultSignal(new Fault(Fault.Kind.LINK, peer, message));
    }

    @Override
    public String toString() {
        return lane + " link to " + peer;
    }
}
