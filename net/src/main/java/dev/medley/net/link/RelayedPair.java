package dev.medley.net.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards between two connections: each gets what is sent on the other. From a connection whose
 * other side is not read, no more than a buffer is taken in: the kernel's buffers fill behind it,
 * and its sender has to wait, as on a link without a relay.
 *
 * <p>When one side has sent all, the other is told once it has got everything; when one breaks,
 * both are closed.
 *
 * <p>Thread: the relay's.
 */
final class RelayedPair {
    private static final Logger LOG = LoggerFactory.getLogger(RelayedPair.class);
    private static final int BUFFER_BYTES = 64 << 10;

    private final int epoch;
    private final SocketChannel one;
    private final SocketChannel other;
    private final Flow there;
    private final Flow back;

    /**
     * Of two non-blocking channels on which all that was said to this process has been read.
     *
     * @param thereBytes counts what goes from one to the other
     * @param backBytes counts what comes back
     */
    RelayedPair(
            int epoch,
            SocketChannel one,
            SocketChannel other,
            AtomicLong thereBytes,
            AtomicLong backBytes) {
        this.epoch = epoch;
        this.one = one;
        this.other = other;
        this.there = new Flow(one, other, thereBytes);
        this.back = new Flow(other, one, backBytes);
    }

    int epoch() {
        return epoch;
    }

    /** Whether anything may still be said. */
    boolean isOpen() {
        return one.isOpen();
    }

    /** From now on {@code selector} has keys for both, with this pair attached. */
    void register(Selector selector) {
        try {
            one.register(selector, SelectionKey.OP_READ, this);
            other.register(selector, SelectionKey.OP_READ, this);
        } catch (IOException e) {
            broke(e);
        }
    }

    /** Hands on what can be handed on now; what has to be waited for goes to {@code selector}. */
    void move(Selector selector) {
        if (!isOpen()) {
            return; // The other key was ready in the same turn.
        }
        try {
            there.move();
            back.move();
            if (there.hasEnded && back.hasEnded) {
                close();
                return;
            }
            await(one.keyFor(selector), there.isHungry(), back.isFull());
            await(other.keyFor(selector), back.isHungry(), there.isFull());
        } catch (IOException e) {
            broke(e);
        }
    }

    void close() {
        for (SocketChannel each : new SocketChannel[] {one, other}) {
            try {
                each.close();
            } catch (IOException ignored) {
                // The descriptor is gone either way.
            }
        }
    }

    private void broke(IOException e) {
        LOG.debug("A relayed link of epoch {} broke", epoch, e);
        close();
    }

    private static void await(SelectionKey key, boolean reads, boolean writes) {
        Interest reading = reads ? Interest.READ : Interest.NONE;
        key.interestOps(Interest.of(reading, writes ? Interest.WRITE : Interest.NONE).operations());
    }

    /** One direction: what was read on one side and is not yet written to the other. */
    private static final class Flow {
        private final SocketChannel from;
        private final SocketChannel to;
        private final AtomicLong bytes;
        private final ByteBuffer held = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
        private boolean hasEnded;

        Flow(SocketChannel from, SocketChannel to, AtomicLong bytes) {
            this.from = from;
            this.to = to;
            this.bytes = bytes;
        }

        /** Once each: a side that has much to say does not keep the others waiting. */
        void move() throws IOException {
            if (isHungry()) {
                int count = from.read(held.clear());
                held.flip();
                if (count < 0) {
                    hasEnded = true;
                    to.shutdownOutput();
                }
            }
            if (held.hasRemaining()) {
                bytes.addAndGet(to.write(held));
            }
        }

        boolean isHungry() {
            return !hasEnded && !held.hasRemaining();
        }

        boolean isFull() {
            return held.hasRemaining();
        }
    }
}
