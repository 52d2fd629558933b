package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Adder;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.sum.Transport;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Interest;

/** Slices travel over TCP links. */
public final class TcpTransport implements Transport {
    private final Peers peers;
    private final Span buffer;
    private final String description;
    private final int directBytes;
    private final DirectSum direct;
    private final RingSum ring;

    /**
     * Sums {@code buffer} with those of {@code peers}.
     *
     * @param description for the user
     * @param directBytes slices up to this length go to everyone at once
     * @param segmentBytes what a ring moves at once
     */
    public TcpTransport(
            Peers peers, Span buffer, String description, int directBytes, int segmentBytes) {
        Adder adder = new Adder();
        this.peers = peers;
        this.buffer = buffer;
        this.description = description;
        this.directBytes = directBytes;
        this.direct = new DirectSum(peers, adder, directBytes);
        this.ring = new RingSum(peers, adder, segmentBytes);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Span buffer() {
        return buffer;
    }

    @Override
    public void sum(Slice slice) throws FaultSignal {
        for (int peer = 0; peer < peers.size(); peer++) {
            if (peer != peers.rank()) {
                peers.want(peer, Interest.NONE);
            }
        }
        Span values = buffer.slice(slice.offsetBytes(), slice.bytes());
        if (slice.bytes() <= directBytes) {
            direct.sum(slice, values);
        } else {
            ring.sum(slice, values);
        }
    }

    /** What peers need of this rank is in the hands of the kernel already. */
    @Override
    public void settle() {}

    @Override
    public void close() {
        ring.close();
    }
}
