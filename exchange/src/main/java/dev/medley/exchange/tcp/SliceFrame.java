package dev.medley.exchange.tcp;

import dev.medley.base.Fault;
import dev.medley.exchange.peer.Peers;
import dev.medley.exchange.sum.Slice;
import dev.medley.net.link.FaultSignal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes and checks the frame ahead of a slice on a link, which names the slice and its step. Its
 * bytes are in one order whatever that of the values, so that sums of unlike schemes can tell that
 * they differ.
 */
final class SliceFrame {
    static final int BYTES = Slice.WORDS * Long.BYTES;

    private SliceFrame() {}

    static void put(ByteBuffer into, Slice slice) {
        ByteOrder ofValues = into.order();
        into.order(ByteOrder.BIG_ENDIAN);
        for (long word : slice.words()) {
            into.putLong(word);
        }
        into.order(ofValues);
    }

    /** Takes a frame and checks that the peer sums the same slice. */
    static void check(ByteBuffer from, Slice slice, Peers peers, int peer) throws FaultSignal {
        long[] words = new long[Slice.WORDS];
        ByteOrder ofValues = from.order();
        from.order(ByteOrder.BIG_ENDIAN);
        for (int i = 0; i < words.length; i++) {
            words[i] = from.getLong();
        }
        from.order(ofValues);
        if (!slice.isSaidBy(words)) {
            throw peers.fault(Fault.Kind.PEER, peer, slice.difference(peers.name(peer), words));
        }
    }
}
