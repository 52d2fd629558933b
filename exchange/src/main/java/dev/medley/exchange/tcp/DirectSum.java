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

/**
 * Small slices: everyone sends its slice to everyone and adds all that come, part by part in the
 * order of the ring. One message time instead of the ring's 2(n-1); (n-1)S bytes sent by each rank
 * instead of 2(n-1)S/n.
 */
final class DirectSum {
    private final Peers peers;
    private final Adder adder;

    /** One for each rank: what came from it, and for this rank what goes out. */
    private final ByteBuffer[] boxes;

    private final ByteBuffer[] outgoing;

    DirectSum(Peers peers, Adder adder, int mostBytes) {
        this.peers = peers;
        this.adder = adder;
        this.boxes = new ByteBuffer[peers.size()];
        this.outgoing = new ByteBuffer[peers.size()];
        for (int rank = 0; rank < boxes.length; rank++) {
            boxes[rank] =
                    ByteBuffer.allocateDirect(SliceFrame.BYTES + mostBytes)
                            .order(ByteOrder.nativeOrder());
        }
    }

    void sum(Slice slice, Span values) throws FaultSignal {
        pack(slice, values);
        exchange();
        for (int peer = 0; peer < boxes.length; peer++) {
            if (peer != peers.rank()) {
                SliceFrame.check(boxes[peer].flip(), slice, peers, peer);
            }
        }
        add(slice, values);
    }

    private void pack(Slice slice, Span values) {
        ByteBuffer own = boxes[peers.rank()].clear();
        SliceFrame.put(own, slice);
        for (ByteBuffer piece : values.buffers()) {
            own.put(piece);
        }
        own.flip();
        for (int peer = 0; peer < boxes.length; peer++) {
            if (peer != peers.rank()) {
                outgoing[peer] = own.duplicate();
                boxes[peer].clear().limit(own.limit());
            }
        }
    }

    private void exchange() throws FaultSignal {
        boolean isDone = false;
        while (!isDone) {
            isDone = true;
            boolean hasMoved = false;
            for (int step = 1; step < boxes.length; step++) {
                int peer = (peers.rank() + step) % boxes.length;
                if (outgoing[peer].hasRemaining()) {
                    hasMoved |= peers.write(peer, outgoing[peer]) > 0;
                }
                if (boxes[peer].hasRemaining()) {
                    hasMoved |= peers.read(peer, boxes[peer]) > 0;
                }
                isDone &= !boxes[peer].hasRemaining() && !outgoing[peer].hasRemaining();
            }
            if (hasMoved) {
                peers.moved();
            } else if (!isDone && !peers.looksAgain()) {
                sleep();
            }
        }
    }

    private void sleep() throws FaultSignal {
        for (int peer = 0; peer < boxes.length; peer++) {
            if (peer != peers.rank()) {
                boolean writes = outgoing[peer].hasRemaining();
                boolean reads = boxes[peer].hasRemaining();
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
        int ranks = boxes.length;
        Parts parts = new Parts(slice, ranks);
        for (int part = 0; part < ranks; part++) {
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
        for (int place = 0; place < summands.length; place++) {
            summands[place] =
                    boxes[parts.summand(part, place)]
                            .slice(SliceFrame.BYTES + from, bytes)
                            .order(ByteOrder.nativeOrder());
        }
        return summands;
    }
}
