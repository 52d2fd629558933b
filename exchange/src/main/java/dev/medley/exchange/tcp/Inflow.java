package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Slice;
import dev.medley.net.link.FaultSignal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Receives one slice from the rank before: first values to be added, then whole sums. */
final class Inflow {
    private final Peers peers;
    private final int before;
    private final Slice slice;
    private final Span values;
    private final RingTurns course;
    private final Adder adder;
    private final ByteBuffer scratch;
    private final ByteBuffer frame = ByteBuffer.allocate(SliceFrame.BYTES);
    private final ByteBuffer[] summands = new ByteBuffer[2];

    private int step;
    private long stepBytes;

    /** Bytes that are in place: they may be sent on. Read by the sender. */
    private volatile long total;

    /**
     * One slice.
     *
     * @param before the rank from which it comes
     * @param values the slice's memory
     * @param scratch where bytes wait to be added; as long as what is read at once
     */
    Inflow(
            Peers peers,
            int before,
            Slice slice,
            Span values,
            RingTurns course,
            Adder adder,
            ByteBuffer scratch) {
        this.peers = peers;
        this.before = before;
        this.slice = slice;
        this.values = values;
        this.course = course;
        this.adder = adder;
        this.scratch = scratch.clear();
        skipWhole();
    }

    boolean isDone() {
        return step == course.steps() && !frame.hasRemaining();
    }

    long total() {
        return total;
    }

    /** Takes what has come, up to one segment; whether that was anything. */
    boolean receive() throws FaultSignal {
        if (frame.hasRemaining()) {
            return receiveFrame();
        }
        if (step == course.steps()) {
            return false;
        }
        boolean hasMoved = course.addsIn(step) ? receiveAndAdd() : receiveSum();
        skipWhole();
        return hasMoved;
    }

    private boolean receiveFrame() throws FaultSignal {
        boolean hasMoved = peers.read(before, frame) > 0;
        if (!frame.hasRemaining()) {
            SliceFrame.check(frame.flip(), slice, peers, before);
        }
        return hasMoved;
    }

    private boolean receiveAndAdd() throws FaultSignal {
        long left = partBytes() - stepBytes;
        scratch.limit((int) Math.min(scratch.capacity(), left));
        if (peers.read(before, scratch) == 0) {
            return false;
        }
        int whole = scratch.position() / slice.type().bytes() * slice.type().bytes();
        int done = 0;
        for (ByteBuffer own : values.slice(place(), whole).buffers()) {
            summands[0] = scratch.slice(done, own.capacity()).order(ByteOrder.nativeOrder());
            summands[1] = own;
            adder.sum(own, summands, slice.type());
            done += own.capacity();
        }
        scratch.flip().position(whole);
        scratch.compact();
        count(whole);
        return true;
    }

    private boolean receiveSum() throws FaultSignal {
        long length = Math.min(partBytes() - stepBytes, scratch.capacity());
        int bytes = peers.read(before, values.slice(place(), length).buffers().get(0));
        count(bytes);
        return bytes > 0;
    }

    private void count(int bytes) {
        long soFar = total; // This thread alone writes it.
        stepBytes += bytes;
        total = soFar + bytes;
    }

    private long partBytes() {
        return course.parts().bytes(course.receivedIn(step));
    }

    private long place() {
        return course.parts().startBytes(course.receivedIn(step)) + stepBytes;
    }

    /** Goes on to the next step where a part is whole. */
    private void skipWhole() {
        while (step < course.steps() && stepBytes == partBytes()) {
            step++;
            stepBytes = 0;
        }
    }
}
