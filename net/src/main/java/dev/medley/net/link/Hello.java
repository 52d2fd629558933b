package dev.medley.net.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The first frame on a link, from the side that dials. It is signed with the run's key, and carries
 * a nonce, so that whoever records it cannot replay it.
 *
 * <p>The same frame, under another magic number, asks a relay to join its sender with the member
 * that it names. The two differ in their first byte already: a call to a relay comes in plain text
 * also where links are secured, since the two ends start TLS with each other.
 *
 * @param epoch of the group that the link belongs to
 * @param groupSize members of that group
 * @param fromRank the rank that dials
 * @param toRank the rank that is meant
 * @param lane what the link is for
 */
record Hello(int epoch, int groupSize, int fromRank, int toRank, Lane lane) {
    private static final long MAGIC = 0x4D65646C65793035L;
    private static final long RELAY_MAGIC = 0x52656C6179656435L;
    private static final int SIGNED_BYTES = Long.BYTES + RunKey.NONCE_BYTES + 7 * Integer.BYTES;

    static final int FRAME_BYTES = SIGNED_BYTES + RunKey.SIGNATURE_BYTES;

    /** The frame of this hello to a peer, which no other is equal to. */
    ByteBuffer encode(RunKey key) {
        return encode(MAGIC, key);
    }

    /** The same to a relay: the one who speaks wants to be joined with {@code toRank}. */
    ByteBuffer encodeToRelay(RunKey key) {
        return encode(RELAY_MAGIC, key);
    }

    @SuppressWarnings("EnumOrdinal") // The magic changes with the uses.
    private ByteBuffer encode(long magic, RunKey key) {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
        frame.putLong(magic).put(key.nonce()).putInt(orderMark());
        frame.putInt(epoch).putInt(groupSize).putInt(fromRank).putInt(toRank);
        frame.putInt(lane.use().ordinal()).putInt(lane.strand());
        return frame.put(key.sign(frame.slice(0, SIGNED_BYTES))).flip();
    }

    /** Whether a frame, of which one byte or more is there, is said to a relay. */
    static boolean isToRelay(ByteBuffer frame) {
        return frame.get(0) == (byte) (RELAY_MAGIC >>> (Long.SIZE - Byte.SIZE));
    }

    /** The hello of the other end of the same link. */
    Hello reversed() {
        return new Hello(epoch, groupSize, toRank, fromRank, lane);
    }

    /** The hello in a whole frame, to a peer or a relay; null if it is not one of this run. */
    @SuppressWarnings("EnumOrdinal") // The magic changes with the uses.
    static @Nullable Hello decode(ByteBuffer frame, RunKey key) {
        byte[] signature = new byte[RunKey.SIGNATURE_BYTES];
        frame.get(SIGNED_BYTES, signature);
        long magic = frame.getLong();
        boolean isOurs =
                (magic == MAGIC || magic == RELAY_MAGIC)
                        && key.hasSigned(frame.slice(0, SIGNED_BYTES), signature);
        frame.position(frame.position() + RunKey.NONCE_BYTES);
        if (!isOurs || frame.getInt() != orderMark()) {
            return null;
        }
        int epoch = frame.getInt();
        int size = frame.getInt();
        int from = frame.getInt();
        int to = frame.getInt();
        int use = frame.getInt();
        int strand = frame.getInt();
        boolean isSound = from >= 0 && from < size && to >= 0 && to < size;
        if (!isSound || use < 0 || use >= Lane.Use.values().length || strand < 0) {
            return null;
        }
        return new Hello(epoch, size, from, to, new Lane(Lane.Use.values()[use], strand));
    }

    /** The nonce, which no two frames share; a copy, equal by content. */
    static ByteBuffer nonce(ByteBuffer frame) {
        byte[] nonce = new byte[RunKey.NONCE_BYTES];
        frame.get(Long.BYTES, nonce);
        return ByteBuffer.wrap(nonce);
    }

    /** Bytes of tensors travel in native order, so both sides must have the same. */
    private static int orderMark() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 2;
    }
}
