package dev.medley.exchange.tcp;

import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.tcp.Load.Freight;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Link;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Sends cells on one link, slice after slice: ahead of each a frame that names the slice, then its
 * cells as they become ready. Belongs to the role's holder.
 *
 * <p>The bytes of a cell are taken from this rank's memory, or are those which its owner encoded
 * once for all other sites.
 */
final class Outbound {
    private final Peers peers;
    private final Link link;
    private final Deque<Load> loads = new ArrayDeque<>();
    private final ByteBuffer frame = ByteBuffer.allocateDirect(SliceFrame.BYTES);

    private int next;
    private int sentBytes;

    Outbound(Peers peers, Link link) {
        this.peers = peers;
        this.link = link;
    }

    void add(Load load) {
        loads.add(load);
        if (loads.size() == 1) {
            begin(load);
        }
    }

    /** The kind of bytes that travel now, or null if nothing does. */
    @Nullable Freight freight() {
        Load load = loads.peek();
        return load == null ? null : load.freight();
    }

    boolean isIdle() {
        return loads.isEmpty();
    }

    /** Whether there is anything that may go now. */
    boolean isReady() {
        Load load = loads.peek();
        return load != null
                && (frame.hasRemaining()
                        || load.passage().isAt(load.cells().get(next), load.freight().stage()));
    }

    /** Sends what can go, up to one cell; whether that was anything. */
    boolean send() throws FaultSignal {
        Load load = loads.peek();
        if (load == null || !isReady()) {
            return false;
        }
        if (frame.hasRemaining()) {
            return peers.write(link, frame) > 0;
        }
        int cell = load.cells().get(next);
        int count = peers.write(link, bytes(load, cell));
        sentBytes += count;
        if (sentBytes == load.bytes(cell)) {
            peers.traffic().spared(link.peerRank(), load.passage().cellBytes(cell) - sentBytes);
            sent(load, cell);
        }
        return count > 0;
    }

    private ByteBuffer bytes(Load load, int cell) {
        if (load.codec(cell) != null) {
            return load.passage().encoded(cell).duplicate().clear().position(sentBytes);
        }
        return load.passage().bytes(cell, sentBytes, Integer.MAX_VALUE);
    }

    private void sent(Load load, int cell) {
        sentBytes = 0;
        next++;
        if (next == load.cells().size()) {
            loads.remove();
            Load following = loads.peek();
            if (following != null) {
                begin(following);
            }
        }
        if (load.freight() == Freight.SITE_SUM) {
            load.passage().toldSite(cell);
        }
    }

    private void begin(Load load) {
        next = 0;
        SliceFrame.put(frame.clear(), load.passage().slice());
        frame.flip();
    }
}
