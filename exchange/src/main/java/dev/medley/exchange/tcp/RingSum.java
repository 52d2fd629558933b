package dev.medley.exchange.tcp;

import dev.medley.base.Fault;
import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.route.RingOrder;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Parts;
import dev.medley.exchange.sum.Slice;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Sums large slices round a ring. Each rank sends to the next and receives from the one before, in
 * 2(n-1) steps of one part each. In the first n-1 a part gathers the values of one rank after the
 * other (reduce-scatter), in the others the whole sums go round (all-gather). A rank sends 2(n-1)/n
 * of the slice's bytes, whatever n.
 *
 * <p>What is sent in a step is what was received in the step before. So both directions are plain
 * streams: a byte may be sent on as soon as it was received and added, and nobody waits for the end
 * of a step. Sums happen in place: a part's partial sum is overwritten only by its whole sum, which
 * cannot exist before the partial one was sent.
 *
 * <p>The ring goes through the ranks in an order of its own, so that it enters and leaves every
 * site once. Parts are numbered by places in the ring, not by ranks.
 *
 * <p>It goes through the ranks of its order, which may be some of the group.
 *
 * <p>One thread does both directions of slices up to {@link #TWO_THREADS_BYTES}; above, a second
 * one sends.
 */
final class RingSum implements AutoCloseable {
    private static final long TWO_THREADS_BYTES = 4L << 20;

    private final Peers peers;
    private final Adder adder;
    private final int segmentBytes;
    private final int size;
    private final int place;
    private final int next;
    private final int before;
    private final ByteBuffer scratch;
    private @Nullable Sender sender;

    RingSum(Peers peers, RingOrder order, Adder adder, int segmentBytes) {
        this.peers = peers;
        this.adder = adder;
        this.segmentBytes = segmentBytes;
        this.size = order.ranks().size();
        this.place = order.place(peers.rank());
        this.next = order.after(peers.rank(), 1);
        this.before = order.after(peers.rank(), -1);
        this.scratch = ByteBuffer.allocateDirect(segmentBytes).order(ByteOrder.nativeOrder());
    }

    void sum(Slice slice, Span values) throws FaultSignal {
        RingTurns course = new RingTurns(new Parts(slice, size), place, size);
        Inflow in = new Inflow(peers, before, slice, values, course, adder, scratch);
        Outflow out = new Outflow(peers.data(next), slice, values, course, in, segmentBytes);
        if (slice.bytes() <= TWO_THREADS_BYTES) {
            sumAlone(in, out);
        } else {
            sumWith(sender(), in, out);
        }
        peers.traffic().sent(next, out.total());
    }

    /** Lets go of the second thread. */
    @Override
    public void close() {
        if (sender != null) {
            sender.close();
        }
    }

    private void sumAlone(Inflow in, Outflow out) throws FaultSignal {
        while (!in.isDone() || !out.isDone()) {
            boolean hasMoved = send(out);
            hasMoved |= in.receive();
            if (hasMoved) {
                peers.moved();
            } else if (!peers.looksAgain()) {
                sleep(
                        in.isDone() ? Interest.NONE : Interest.READ,
                        out.isReady() ? Interest.WRITE : Interest.NONE);
            }
        }
    }

    private void sumWith(Sender other, Inflow in, Outflow out) throws FaultSignal {
        other.take(out);
        long sent = 0;
        while (!in.isDone() || !other.isDone()) {
            check(other);
            boolean hasReceived = in.receive();
            if (hasReceived) {
                other.nudge();
            }
            if (hasReceived || out.total() > sent) {
                sent = out.total();
                peers.moved();
            } else if (!peers.looksAgain()) {
                sleep(in.isDone() ? Interest.NONE : Interest.READ, Interest.NONE);
            }
        }
        check(other);
    }

    private boolean send(Outflow out) throws FaultSignal {
        try {
            return out.send();
        } catch (FaultSignal broken) {
            throw peers.lost(next, broken.fault());
        }
    }

    private void check(Sender other) throws FaultSignal {
        Fault broken = other.fault();
        if (broken != null) {
            throw peers.lost(next, broken);
        }
    }

    private void sleep(Interest read, Interest write) throws FaultSignal {
        peers.expect(read == Interest.NONE ? next : before);
        if (next == before) {
            peers.want(next, Interest.of(read, write));
        } else {
            peers.want(before, read);
            peers.want(next, write);
        }
        peers.sleep();
    }

    private Sender sender() {
        Sender running = sender;
        if (running == null) {
            running = new Sender(peers.data(next), peers::wake);
            sender = running;
        }
        return running;
    }
}
