package dev.medley.exchange.shared;

import dev.medley.base.Fault;
import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Parts;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.sum.Transport;
import dev.medley.net.link.FaultSignal;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Sums through shared segments.
 *
 * <p>Small slices: everyone copies its values into a box of its own segment, says READY, and adds
 * what lies in all boxes. One wait. A box is used again two slices later: whoever is READY for the
 * slice between has read it.
 *
 * <p>Large slices: everyone says READY; rank r adds part r of all buffers, in place in its own
 * segment, piece by piece; and copies the pieces of the other parts as soon as they are ADDED,
 * while they are in the cache. A rank's buffer may be written again when all others have COPIED.
 */
public final class SharedSum implements Transport {
    private final Peers peers;
    private final String description;
    private final Segment[] segments;
    private final Segment own;
    private final int boxBytes;
    private final int pieceBytes;
    private final Adder adder = new Adder();
    private final ByteBuffer[] summands;
    private final long[] rungAt;

    private long piecesDone;
    private long lastLarge;

    SharedSum(Peers peers, String description, Segment[] segments, int boxBytes, int pieceBytes) {
        this.peers = peers;
        this.description = description;
        this.segments = segments;
        this.own = segments[peers.rank()];
        this.boxBytes = boxBytes;
        this.pieceBytes = pieceBytes;
        this.summands = new ByteBuffer[segments.length];
        this.rungAt = new long[segments.length];
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Span buffer() {
        return own.buffer();
    }

    @Override
    public void sum(Slice slice) throws FaultSignal {
        own.describe(slice);
        if (slice.bytes() <= boxBytes) {
            sumSmall(slice);
        } else {
            sumLarge(slice);
        }
    }

    @Override
    public void settle() throws FaultSignal {
        for (int peer = 0; peer < segments.length; peer++) {
            if (peer != peers.rank() && segments[peer].counter(Segment.READY) <= lastLarge) {
                await(peer, Segment.COPIED, lastLarge);
            }
        }
    }

    @Override
    public void close() {}

    private void sumSmall(Slice slice) throws FaultSignal {
        Span values = own.buffer().slice(slice.offsetBytes(), slice.bytes());
        ByteBuffer box = own.box(slice.number(), 0, (int) slice.bytes());
        for (ByteBuffer piece : values.buffers()) {
            box.put(piece);
        }
        publish(Segment.READY, slice.number());
        awaitAll(slice);
        Parts parts = new Parts(slice, segments.length);
        for (int part = 0; part < segments.length; part++) {
            int from = (int) parts.startBytes(part);
            for (ByteBuffer target : values.slice(from, parts.bytes(part)).buffers()) {
                for (int place = 0; place < summands.length; place++) {
                    Segment segment = segments[parts.summand(part, place)];
                    summands[place] = segment.box(slice.number(), from, target.capacity());
                }
                adder.sum(target, summands, slice.type());
                from += target.capacity();
            }
        }
        peers.countMoved(slice.bytes(), slice.bytes() * (segments.length - 1));
    }

    private void sumLarge(Slice slice) throws FaultSignal {
        publish(Segment.READY, slice.number());
        awaitAll(slice);
        Parts parts = new Parts(slice, segments.length);
        long pieces = (parts.longestBytes() + pieceBytes - 1) / pieceBytes;
        for (long piece = 0; piece <= pieces; piece++) {
            if (piece < pieces) {
                add(slice, parts, piece);
                publish(Segment.ADDED, piecesDone + piece + 1);
            }
            if (piece > 0) {
                copy(slice, parts, piece - 1);
            }
        }
        piecesDone += pieces;
        lastLarge = slice.number();
        publish(Segment.COPIED, lastLarge);
    }

    private void add(Slice slice, Parts parts, long piece) {
        int part = peers.rank();
        long from = slice.offsetBytes() + parts.startBytes(part) + piece * pieceBytes;
        long length = Math.min(pieceBytes, parts.bytes(part) - piece * pieceBytes);
        if (length <= 0) {
            return;
        }
        for (ByteBuffer target : own.buffer().slice(from, length).buffers()) {
            for (int place = 0; place < summands.length; place++) {
                Segment segment = segments[parts.summand(part, place)];
                summands[place] = segment.buffer().slice(from, target.capacity()).buffer();
            }
            adder.sum(target, summands, slice.type());
            from += target.capacity();
        }
        peers.countMoved(length, 0);
    }

    private void copy(Slice slice, Parts parts, long piece) throws FaultSignal {
        for (int step = 1; step < segments.length; step++) {
            int part = (peers.rank() + step) % segments.length;
            long from = slice.offsetBytes() + parts.startBytes(part) + piece * pieceBytes;
            long length = Math.min(pieceBytes, parts.bytes(part) - piece * pieceBytes);
            if (length > 0) {
                await(part, Segment.ADDED, piecesDone + piece + 1);
                own.buffer()
                        .slice(from, length)
                        .copyFrom(segments[part].buffer().slice(from, length));
                peers.countMoved(0, length);
            }
        }
    }

    private void awaitAll(Slice slice) throws FaultSignal {
        for (int step = 1; step < segments.length; step++) {
            int peer = (peers.rank() + step) % segments.length;
            await(peer, Segment.READY, slice.number());
            long[] words = segments[peer].description(slice.number());
            if (!slice.isSaidBy(words)) {
                throw peers.fault(Fault.Kind.PEER, peer, slice.difference(peers.name(peer), words));
            }
        }
    }

    // ---- Waiting

    /** Sets an own counter and rings where somebody sleeps. */
    private void publish(int counter, long value) throws FaultSignal {
        own.set(counter, value);
        VarHandle.fullFence();
        for (int peer = 0; peer < segments.length; peer++) {
            long asleep = segments[peer].counter(Segment.ASLEEP);
            if (peer != peers.rank() && (asleep & 1) == 1 && rungAt[peer] != asleep) {
                rungAt[peer] = asleep;
                peers.ring(peer);
            }
        }
    }

    private void await(int peer, int counter, long atLeast) throws FaultSignal {
        Segment segment = segments[peer];
        if (segment.counter(counter) >= atLeast) {
            return;
        }
        peers.expect(peer);
        while (segment.counter(counter) < atLeast) {
            if (!peers.looksAgain()) {
                sleep(segment, counter, atLeast);
            }
        }
        peers.moved();
    }

    private void sleep(Segment segment, int counter, long atLeast) throws FaultSignal {
        long awake = own.counter(Segment.ASLEEP);
        own.setBeforeAll(Segment.ASLEEP, awake + 1);
        VarHandle.fullFence();
        if (segment.counter(counter) < atLeast) {
            peers.sleep();
        }
        own.setBeforeAll(Segment.ASLEEP, awake + 2);
    }
}
