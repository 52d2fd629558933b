package dev.medley.exchange.tcp;

import dev.medley.base.Fault;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Slice;
import dev.medley.net.link.FaultSignal;
import java.nio.ByteBuffer;

/** What goes ahead of a slice on a link: which slice of which step this is. */
final class SliceFrame {
    static final int BYTES = Slice.WORDS * Long.BYTES;

    private SliceFrame() {}

    static void put(ByteBuffer into, Slice slice) {
        for (long word : slice.words()) {
            into.putLong(word);
        }
    }

    /** Takes a frame and checks that the peer sums the same slice. */
    static void check(ByteBuffer from, Slice slice, Peers peers, int peer) throws FaultSignal {
        long[] words = new long[Slice.WORDS];
        for (int i = 0; i < words.length; i++) {
            words[i] = from.getLong();
        }
        if (!slice.isSaidBy(words)) {
            throw peers.fault(Fault.Kind.PEER, peer, slice.difference(peers.name(peer), words));
        }
    }
}
