package dev.medley.net.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The first words on a link, from the side that dials.
 *
 * @param epoch of the group that the link belongs to
 * @param groupSize members of that group
 * @param fromRank who dials
 * @param toRank who is meant
 * @param lane what the link is for
 */
record Hello(int epoch, int groupSize, int fromRank, int toRank, Lane lane) {
    static final int FRAME_BYTES = 72;

    private static final long MAGIC = 0x4D65646C65793032L;
    private static final int DIGEST_BYTES = 32;

    /** What stands for the run's token on the wire: the token itself never leaves the process. */
    static byte[] digest(String runToken) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(runToken.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** The frame of this hello, in a run with that digest. */
    @SuppressWarnings("EnumOrdinal") // The magic changes with the lanes.
    ByteBuffer encode(byte[] digest) {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
        frame.putLong(MAGIC).put(digest).putInt(orderMark());
        frame.putInt(epoch).putInt(groupSize).putInt(fromRank).putInt(toRank);
        return frame.putInt(lane.ordinal()).putLong(0).flip();
    }

    /** The hello in a whole frame, or null if it is not one of this run. */
    @SuppressWarnings("EnumOrdinal") // The magic changes with the lanes.
    static @Nullable Hello decode(ByteBuffer frame, byte[] digest) {
        byte[] theirs = new byte[DIGEST_BYTES];
        boolean isMedley = frame.getLong() == MAGIC;
        frame.get(theirs);
        boolean isOurs = isMedley && MessageDigest.isEqual(theirs, digest);
        if (!isOurs || frame.getInt() != orderMark()) {
            return null;
        }
        int epoch = frame.getInt();
        int size = frame.getInt();
        int from = frame.getInt();
        int to = frame.getInt();
        int lane = frame.getInt();
        boolean isSound = from >= 0 && from < size && to >= 0 && to < size;
        if (!isSound || lane < 0 || lane >= Lane.values().length) {
            return null;
        }
        return new Hello(epoch, size, from, to, Lane.values()[lane]);
    }

    /** Bytes of tensors travel in native order, so both sides must have the same. */
    private static int orderMark() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 2;
    }
}
