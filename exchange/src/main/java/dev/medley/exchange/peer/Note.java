package dev.medley.exchange.peer;

import dev.medley.base.Fault;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A small message beside the data.
 *
 * @param kind what it tells
 * @param rank the rank that it is about
 * @param value kind of the fault, or number of the ballot or ping
 * @param text for people, or the vote
 */
record Note(Kind kind, int rank, int value, String text) {
    static final int HEADER_BYTES = 16;
    static final int MOST_TEXT_BYTES = 2000;

    /** The kinds of notes. */
    enum Kind {
        /** What the sleeper waits for may have come. */
        DOORBELL,
        /** The sender has waited long for {@code rank}. */
        WAITING,
        /** The sender goes on. */
        GOING_ON,
        /** The sender's vote in ballot {@code value}. */
        VOTE,
        /** The sender wants an answer now, with the same {@code value}. */
        PING,
        /** The answer. */
        PONG,
        /** The step is lost because of {@code rank}. */
        FAULT,
        /** The sender leaves in good order. */
        BYE
    }

    /** The code of a kind of fault in {@link #value}. */
    @SuppressWarnings("EnumOrdinal") // All ranks of a run have the same build.
    static int code(Fault.Kind kind) {
        return kind.ordinal();
    }

    /** The kind of fault that a code stands for. */
    @SuppressWarnings("EnumOrdinal") // All ranks of a run have the same build.
    static Fault.Kind kindOf(int code) {
        return Fault.Kind.values()[code];
    }

    @SuppressWarnings("EnumOrdinal") // All ranks of a run have the same build.
    ByteBuffer encode() {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MOST_TEXT_BYTES);
        ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + length);
        frame.putInt(kind.ordinal()).putInt(rank).putInt(value).putInt(length);
        return frame.put(bytes, 0, length).flip();
    }

    /** Whether {@code frame} begins with a whole note, or with what is none. */
    static boolean isWhole(ByteBuffer frame) {
        if (frame.remaining() < HEADER_BYTES) {
            return false;
        }
        int length = frame.getInt(frame.position() + 12);
        return !isLength(length) || frame.remaining() >= HEADER_BYTES + length;
    }

    private static boolean isLength(int length) {
        return length >= 0 && length <= MOST_TEXT_BYTES;
    }

    /**
     * Takes a whole note from {@code frame}.
     *
     * @param size of the group
     * @return null where it is none that a member of such a group says
     */
    @SuppressWarnings("EnumOrdinal") // All ranks of a run have the same build.
    static @Nullable Note decode(ByteBuffer frame, int size) {
        int kind = frame.getInt();
        int rank = frame.getInt();
        int value = frame.getInt();
        int length = frame.getInt();
        boolean isSound =
                isIndex(kind, Kind.values().length)
                        && isIndex(rank, size)
                        && isLength(length)
                        && (kind != Kind.FAULT.ordinal()
                                || isIndex(value, Fault.Kind.values().length));
        if (!isSound) {
            return null;
        }
        byte[] text = new byte[length];
        frame.get(text);
        String words = new String(text, StandardCharsets.UTF_8);
        return new Note(Kind.values()[kind], rank, value, words);
    }

    private static boolean isIndex(int index, int size) {
        return index >= 0 && index < size;
    }
}
