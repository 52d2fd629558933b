package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.base.route.TreeHop;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Slice;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Sums small slices of many ranks by a tree: about log2 n messages one behind the other instead of
 * a ring's 2(n-1). Each rank sends and takes as many, instead of the n-1 of a sum from everyone to
 * everyone ({@link TreeHop}). Each message is as long as the slice.
 *
 * <p>Two ranks that swap both add what the lower has and what the higher has, in that order, and
 * both hold the same of their side as their earlier partners: so all ranks end bit-equal. It is
 * another order than that of {@link dev.medley.exchange.sum.Parts}.
 *
 * <p>Belongs to the role's holder.
 */
final class TreeSum {
    private final Peers peers;
    private final List<Integer> ranks;
    private final int place;
    private final Adder adder;
    private final List<TreeHop> hops;
    private final ByteBuffer outgoing;
    private final ByteBuffer incoming;

    /** Sums slices of {@code mostBytes} at most over {@code ranks}, this one among them. */
    TreeSum(Peers peers, List<Integer> ranks, Adder adder, int mostBytes) {
        this.peers = peers;
        this.ranks = List.copyOf(ranks);
        this.place = ranks.indexOf(peers.rank());
        this.adder = adder;
        this.hops = TreeHop.of(place, ranks.size());
        this.outgoing = box(mostBytes);
        this.incoming = box(mostBytes);
    }

    private static ByteBuffer box(int mostBytes) {
        return ByteBuffer.allocateDirect(SliceFrame.BYTES + mostBytes)
                .order(ByteOrder.nativeOrder());
    }

    void sum(Slice slice, Span values) throws FaultSignal {
        for (TreeHop hop : hops) {
            pack(hop, slice, values);
            exchange(ranks.get(hop.place()), slice);
            if (hop.adds()) {
                add(hop, slice, values);
            } else if (hop.hears()) {
                take(values);
            }
        }
    }

    /** Sets what goes out and how much is to come in. */
    private void pack(TreeHop hop, Slice slice, Span values) {
        outgoing.clear();
        if (hop.gives()) {
            SliceFrame.put(outgoing, slice);
            for (ByteBuffer piece : values.buffers()) {
                outgoing.put(piece);
            }
        }
        outgoing.flip();
        incoming.clear().limit(hop.hears() ? SliceFrame.BYTES + (int) slice.bytes() : 0);
    }

    private void exchange(int peer, Slice slice) throws FaultSignal {
        boolean isHeard = !incoming.hasRemaining();
        while (outgoing.hasRemaining() || incoming.hasRemaining()) {
            boolean hasMoved = outgoing.hasRemaining() && peers.write(peer, outgoing) > 0;
            if (incoming.hasRemaining()) {
                hasMoved |= peers.read(peer, incoming) > 0;
            }
            if (!isHeard && incoming.position() >= SliceFrame.BYTES) {
                // At once: a peer that sums a shorter slice sends no more.
                SliceFrame.check(incoming.duplicate().flip(), slice, peers, peer);
                isHeard = true;
            }
            if (hasMoved) {
                peers.moved();
            } else if (!peers.looksAgain()) {
                sleep(peer);
            }
        }
        peers.want(peer, Interest.NONE);
    }

    private void sleep(int peer) throws FaultSignal {
        peers.expect(peer);
        peers.want(
                peer,
                Interest.of(
                        incoming.hasRemaining() ? Interest.READ : Interest.NONE,
                        outgoing.hasRemaining() ? Interest.WRITE : Interest.NONE));
        peers.sleep();
    }

    private void add(TreeHop hop, Slice slice, Span values) {
        int done = SliceFrame.BYTES;
        for (ByteBuffer own : values.buffers()) {
            ByteBuffer theirs = incoming.slice(done, own.capacity()).order(ByteOrder.nativeOrder());
            ByteBuffer[] summands =
                    hop.place() < place
                            ? new ByteBuffer[] {theirs, own}
                            : new ByteBuffer[] {own, theirs};
            adder.sum(own, summands, slice.type());
            done += own.capacity();
        }
    }

    private void take(Span values) {
        int done = SliceFrame.BYTES;
        for (ByteBuffer own : values.buffers()) {
            own.put(incoming.slice(done, own.capacity()));
            done += own.capacity();
        }
    }
}
