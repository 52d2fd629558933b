package dev.medley.exchange.tcp;

import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.route.Cut;
import dev.medley.exchange.tcp.Load.Freight;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Link;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Receives the cells that come in on one link, in the order in which the peer sends them. Bytes to
 * be added wait in a box, a cell at a time, until all that they are added to is there; meanwhile
 * the peer's bytes wait in the kernel. Whole sums go straight into place. Belongs to the role's
 * holder.
 *
 * <p>What another site encoded is decoded when all of the cell is there: into the box, or into
 * place.
 */
final class Inbound {
    private static final ByteBuffer NO_BOX = ByteBuffer.allocate(0);

    private final Peers peers;
    private final Link link;
    private final Deque<Load> loads = new ArrayDeque<>();
    private final ByteBuffer frame = ByteBuffer.allocateDirect(SliceFrame.BYTES);
    private ByteBuffer box = NO_BOX;
    private ByteBuffer coded = NO_BOX;
    private boolean isFull;

    private int next;
    private int receivedBytes;

    Inbound(Peers peers, Link link) {
        this.peers = peers;
        this.link = link;
    }

    void add(Load load) {
        if (loads.isEmpty()) {
            begin();
        }
        loads.add(load);
    }

    /** The kind of bytes that travel now, or null if nothing does. */
    @Nullable Freight freight() {
        Load load = loads.peek();
        return load == null ? null : load.freight();
    }

    boolean isIdle() {
        return loads.isEmpty();
    }

    /** Whether more may be read now. */
    boolean isOpen() {
        return !loads.isEmpty() && !isFull;
    }

    /** Takes what has come, up to one cell; whether that was anything. */
    boolean receive() throws FaultSignal {
        Load load = loads.peek();
        if (load == null || isFull) {
            return false;
        }
        if (frame.hasRemaining()) {
            return receiveFrame(load);
        }
        int cell = load.cells().get(next);
        int count = peers.read(link, target(load, cell));
        receivedBytes += count;
        if (receivedBytes == load.bytes(cell)) {
            received(load, cell);
        }
        return count > 0;
    }

    /** A stretch of the cell that lies in the box. */
    ByteBuffer box(int from, int bytes) {
        return box.slice(from, bytes).order(ByteOrder.nativeOrder());
    }

    /** Empties the box, whose cell has been added. */
    void empty() {
        isFull = false;
        turn();
    }

    private boolean receiveFrame(Load load) throws FaultSignal {
        boolean hasMoved = peers.read(link, frame) > 0;
        if (!frame.hasRemaining()) {
            SliceFrame.check(frame.flip(), load.passage().slice(), peers, link.peerRank());
        }
        return hasMoved;
    }

    private ByteBuffer target(Load load, int cell) {
        if (load.codec(cell) != null) {
            if (coded == NO_BOX) {
                coded = ByteBuffer.allocateDirect(load.passage().mostEncodedBytes());
            }
            return coded.clear().position(receivedBytes).limit(load.bytes(cell));
        }
        if (load.freight() == Freight.WHOLE_SUM) {
            return load.passage().bytes(cell, receivedBytes, Integer.MAX_VALUE);
        }
        return openBox().clear().position(receivedBytes).limit(load.bytes(cell));
    }

    private ByteBuffer openBox() {
        if (box == NO_BOX) {
            box = ByteBuffer.allocateDirect(Cut.mostCellBytes());
        }
        return box;
    }

    private void received(Load load, int cell) {
        receivedBytes = 0;
        SliceProgress passage = load.passage();
        Codec codec = load.codec(cell);
        if (load.freight() == Freight.WHOLE_SUM) {
            if (codec != null) {
                passage.decode(cell, codec, coded);
            }
            passage.isWhole(cell);
            turn();
            return;
        }
        if (codec != null) {
            openBox().clear();
            codec.decode(coded, passage.slice().type(), box(0, passage.cellBytes(cell)));
        }
        isFull = true;
        if (load.freight() == Freight.VALUES) {
            passage.heardInside(cell);
        } else {
            passage.heardSite(cell);
        }
    }

    /** On to the next cell. */
    private void turn() {
        next++;
        if (next == loads.element().cells().size()) {
            loads.remove();
            begin();
        }
    }

    private void begin() {
        next = 0;
        frame.clear();
    }
}
