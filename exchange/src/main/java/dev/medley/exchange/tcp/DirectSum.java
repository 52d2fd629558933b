package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Parts;
import dev.medley.exchange.sum.Slice;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Sums small slices: everyone sends its slice to everyone and adds all that come, part by part in
 * the order of the ring. One message time instead of the ring's 2(n-1); (n-1)S bytes sent by each
 * rank instead of 2(n-1)S/n.
 */
final class DirectSum {
    private final Peers peers;
    private final List<Integer> ranks;
    private final int place;
    private final Adder adder;

    /** One for each place among the ranks: what came from it, and for this one what goes out. */
    private final ByteBuffer[] boxes;

    private final ByteBuffer[] outgoing;

    /** Sums over {@code ranks}, this one among them, which may be some of the group. */
    DirectSum(Peers peers, List<Integer> ranks, Adder adder, int mostBytes) {
        this.peers = peers;
        this.ranks = List.copyOf(ranks);
        this.place = ranks.indexOf(peers.rank());
        this.adder = adder;
        this.boxes = new ByteBuffer[ranks.size()];
        this.outgoing = new ByteBuffer[ranks.size()];
        for (int i = 0; i < boxes.length; i++) {
            boxes[i] =
                    ByteBuffer.allocateDirect(SliceFrame.BYTES + mostBytes)
                            .order(ByteOrder.nativeOrder());
        }
    }

    void sum(Slice slice, Span values) throws FaultSignal {
        pack(slice, values);
        exchange();
        for (int other = 0; other < boxes.length; other++) {
            if (other != place) {
                SliceFrame.check(boxes[other].flip(), slice, peers, ranks.get(other));
            }
        }
        add(slice, values);
    }

    private void pack(Slice slice, Span values) {
        ByteBuffer own = boxes[place].clear();
        SliceFrame.put(own, slice);
        for (ByteBuffer piece : values.buffers()) {
            own.put(piece);
        }
        own.flip();
        for (int other = 0; other < boxes.length; other++) {
            if (other != place) {
                outgoing[other] = own.duplicate();
                boxes[other].clear().limit(own.limit());
            }
        }
    }

    private void exchange() throws FaultSignal {
        boolean isDone = false;
        while (!isDone) {
            isDone = true;
            boolean hasMoved = false;
            for (int step = 1; step < boxes.length; step++) {
                int other = (place + step) % boxes.length;
                int peer = ranks.get(other);
                if (outgoing[other].hasRemaining()) {
                    hasMoved |= peers.write(peer, outgoing[other]) > 0;
                }
                if (boxes[other].hasRemaining()) {
                    hasMoved |= peers.read(peer, boxes[other]) > 0;
                }
                isDone &= !boxes[other].hasRemaining() && !outgoing[other].hasRemaining();
            }
            if (hasMoved) {
                peers.moved();
            } else if (!isDone && !peers.looksAgain()) {
                sleep();
            }
        }
    }

    private void sleep() throws FaultSignal {
        for (int other = 0; other < boxes.length; other++) {
            if (other != place) {
                int peer = ranks.get(other);
                boolean writes = outgoing[other].hasRemaining();
                boolean reads = boxes[other].hasRemaining();
                if (reads || writes) {
                    peers.expect(peer);
                }
                peers.want(
                        peer,
                        Interest.of(
                                reads ? Interest.READ : Interest.NONE,
                                writes ? Interest.WRITE : Interest.NONE));
            }
        }
        peers.sleep();
    }

    private void add(Slice slice, Span values) {
        Parts parts = new Parts(slice, boxes.length);
        for (int part = 0; part < boxes.length; part++) {
            int bytes = (int) parts.bytes(part);
            if (bytes == 0) {
                continue;
            }
            int start = (int) parts.startBytes(part);
            long done = 0;
            for (ByteBuffer target : values.slice(start, bytes).buffers()) {
                adder.sum(
                        target,
                        summands(parts, part, (int) (start + done), target.remaining()),
                        slice.type());
                done += target.capacity();
            }
        }
    }

    private ByteBuffer[] summands(Parts parts, int part, int from, int bytes) {
        ByteBuffer[] summands = new ByteBuffer[boxes.length];
        for (int turn = 0; turn < summands.length; turn++) {
            summands[turn] =
                    boxes[parts.summand(part, turn)]
                            .slice(SliceFrame.BYTES + from, bytes)
                            .order(ByteOrder.nativeOrder());
        }
        return summands;
    }
}
