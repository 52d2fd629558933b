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
import java.util.Queue;

/**
 * Sums through shared segments.
 *
 * <p>Small slices: everyone copies its values into a box of its own segment, says READY, and adds
 * what lies in all boxes. One wait. A box is used again two slices later: whoever is READY for the
 * slice between has read it.
 *
 * <p>Large slices: everyone says READY; rank r adds part r of all buffers and writes the sum into
 * all of them, block by block, while the block is in its cache; then it says ADDED. The step ends
 * when all have ADDED. A rank that was paused may wake in a dead epoch and write into the buffers
 * of its peers: those of that epoch, which nobody reads any more.
 */
public final class SharedSum implements Transport {
    /** The blocks of four ranks fit in the cache of a core. */
    private static final int BLOCK_BYTES = 128 << 10;

    private final Peers peers;
    private final String description;
    private final Segment[] segments;
    private final Segment own;
    private final int boxBytes;
    private final Adder adder = new Adder();
    private final ByteBuffer[] summands;
    private final long[] rungAt;

    private long lastLarge;

    SharedSum(Peers peers, String description, Segment[] segments, int boxBytes) {
        this.peers = peers;
        this.description = description;
        this.segments = segments;
        this.own = segments[peers.rank()];
        this.boxBytes = boxBytes;
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
    public void sum(Slice slice, Queue<Slice> behind) throws FaultSignal {
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
            if (peer != peers.rank()) {
                await(peer, Segment.ADDED, lastLarge);
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
        int part = peers.rank();
        long from = slice.offsetBytes() + parts.startBytes(part);
        long end = from + parts.bytes(part);
        for (long at = from; at < end; at += BLOCK_BYTES) {
            addBlock(slice, parts, at, Math.min(BLOCK_BYTES, end - at));
        }
        peers.countMoved((end - from) * (segments.length - 1), slice.bytes() - (end - from));
        lastLarge = slice.number();
        publish(Segment.ADDED, lastLarge);
    }

    /** Sums a block of this rank's part, here and in the buffers of all others. */
    private void addBlock(Slice slice, Parts parts, long from, long length) {
        int part = peers.rank();
        for (ByteBuffer target : own.buffer().slice(from, length).buffers()) {
            for (int place = 0; place < summands.length; place++) {
                Segment segment = segments[parts.summand(part, place)];
                summands[place] = segment.buffer().slice(from, target.capacity()).buffer();
            }
            adder.sum(target, summands, slice.type());
            // The last summand is the target itself.
            for (int place = 0; place < summands.length - 1; place++) {
                summands[place].put(0, target, 0, target.capacity());
            }
            from += target.capacity();
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
