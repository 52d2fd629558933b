package dev.medley.exchange.shared;

import dev.medley.base.Fault;
import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Parts;
import dev.medley.exchange.sum.Scope;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.sum.Transport;
import dev.medley.net.link.FaultSignal;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;

/**
 * Sums slices through shared segments.
 *
 * <p>Small slices: everyone copies its values into a box of its own segment, says READY, and adds
 * what lies in all boxes. One wait. A box is used again two slices later: a rank that is READY for
 * the slice between has read it.
 *
 * <p>Large slices: everyone says READY; rank r adds part r of all buffers and writes the sum into
 * all of them, block by block, while the block is in its cache; then it says ADDED. The step ends
 * when all have ADDED. Slices that are summed over a site have counters and boxes of their own,
 * since other sites sum others meanwhile. A rank that was paused may wake in a dead epoch and write
 * into the buffers of its peers: those of that epoch, which nobody reads any more.
 */
public final class SharedSum implements Transport {
    /** The blocks of four ranks fit in the cache of a core. */
    private static final int BLOCK_BYTES = 128 << 10;

    private final Peers peers;
    private final String description;
    private final List<Integer> everyone;
    private final List<Integer> mates;
    private final Segment[] segments;
    private final Segment own;
    private final int boxBytes;
    private final Adder adder = new Adder();
    private final long[] rungAt;

    private long lastLarge;
    private long lastLargeAtSite;

    SharedSum(
            Peers peers,
            List<Integer> mates,
            String description,
            Segment[] segments,
            int boxBytes) {
        this.peers = peers;
        this.mates = List.copyOf(mates);
        this.everyone = IntStream.range(0, segments.length).boxed().toList();
        this.description = description;
        this.segments = segments;
        this.own = segments[peers.rank()];
        this.boxBytes = boxBytes;
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
        if (slice.scope() == Scope.SITE) {
            settle(Scope.ALL, lastLarge); // Those elsewhere do not say READY for this one.
        }
        own.describe(slice);
        if (slice.bytes() <= boxBytes) {
            sumSmall(slice);
        } else {
            sumLarge(slice);
        }
    }

    @Override
    public void settle() throws FaultSignal {
        settle(Scope.ALL, lastLarge);
        settle(Scope.SITE, lastLargeAtSite);
    }

    private void settle(Scope scope, long last) throws FaultSignal {
        for (int peer : ranksOf(scope)) {
            if (peer != peers.rank()) {
                await(peer, Segment.added(scope), last);
            }
        }
    }

    private List<Integer> ranksOf(Scope scope) {
        return scope == Scope.SITE ? mates : everyone;
    }

    @Override
    public void close() {}

    private void sumSmall(Slice slice) throws FaultSignal {
        List<Integer> ranks = ranksOf(slice.scope());
        Span values = own.buffer().slice(slice.offsetBytes(), slice.bytes());
        ByteBuffer box = own.box(slice, 0, (int) slice.bytes());
        for (ByteBuffer piece : values.buffers()) {
            box.put(piece);
        }
        publish(slice.scope(), Segment.ready(slice.scope()), slice.number());
        awaitAll(slice);
        Parts parts = new Parts(slice, ranks.size());
        ByteBuffer[] summands = new ByteBuffer[ranks.size()];
        for (int part = 0; part < summands.length; part++) {
            int from = (int) parts.startBytes(part);
            for (ByteBuffer target : values.slice(from, parts.bytes(part)).buffers()) {
                for (int place = 0; place < summands.length; place++) {
                    Segment segment = segments[ranks.get(parts.summand(part, place))];
                    summands[place] = segment.box(slice, from, target.capacity());
                }
                adder.sum(target, summands, slice.type());
                from += target.capacity();
            }
        }
        peers.traffic().moved(slice.bytes(), slice.bytes() * (ranks.size() - 1));
    }

    private void sumLarge(Slice slice) throws FaultSignal {
        List<Integer> ranks = ranksOf(slice.scope());
        publish(slice.scope(), Segment.ready(slice.scope()), slice.number());
        awaitAll(slice);
        Parts parts = new Parts(slice, ranks.size());
        int part = ranks.indexOf(peers.rank());
        long from = slice.offsetBytes() + parts.startBytes(part);
        long end = from + parts.bytes(part);
        for (long at = from; at < end; at += BLOCK_BYTES) {
            addBlock(slice, parts, at, Math.min(BLOCK_BYTES, end - at));
        }
        peers.traffic().moved((end - from) * (ranks.size() - 1), slice.bytes() - (end - from));
        if (slice.scope() == Scope.SITE) {
            lastLargeAtSite = slice.number();
        } else {
            lastLarge = slice.number();
        }
        publish(slice.scope(), Segment.added(slice.scope()), slice.number());
    }

    /** Sums a block of this rank's part, here and in the buffers of all others. */
    private void addBlock(Slice slice, Parts parts, long from, long length) {
        List<Integer> ranks = ranksOf(slice.scope());
        int part = ranks.indexOf(peers.rank());
        ByteBuffer[] summands = new ByteBuffer[ranks.size()];
        for (ByteBuffer target : own.buffer().slice(from, length).buffers()) {
            for (int place = 0; place < summands.length; place++) {
                Segment segment = segments[ranks.get(parts.summand(part, place))];
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
        List<Integer> ranks = ranksOf(slice.scope());
        int place = ranks.indexOf(peers.rank());
        for (int step = 1; step < ranks.size(); step++) {
            int peer = ranks.get((place + step) % ranks.size());
            await(peer, Segment.ready(slice.scope()), slice.number());
            long[] words = segments[peer].description(slice);
            if (!slice.isSaidBy(words)) {
                throw peers.fault(Fault.Kind.PEER, peer, slice.difference(peers.name(peer), words));
            }
        }
    }

    // ---- Waiting

    /** Sets an own counter and rings where somebody sleeps who may wait for it. */
    private void publish(Scope scope, int counter, long value) throws FaultSignal {
        own.set(counter, value);
        VarHandle.fullFence();
        for (int peer : ranksOf(scope)) {
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
