package dev.medley.exchange.peer;

import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Link;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Sends and reads notes on one peer's control link, and keeps what they tell of the peer. */
final class PeerNotes {
    private static final int BUFFER_BYTES = 16 << 10;

    private final Link link;
    private final int groupSize;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(BUFFER_BYTES);

    /** The rank that the peer says it waits for, or null. */
    @Nullable Integer waitsFor;

    /** Whether the peer left in good order. */
    boolean hasLeft;

    /** Whether the link has ended. */
    boolean isClosed;

    /** Whether the peer sent what is no note: where the next one begins, nobody knows. */
    boolean isGarbled;

    PeerNotes(Link link, int groupSize) {
        this.link = link;
        this.groupSize = groupSize;
        incoming.limit(0);
    }

    Link link() {
        return link;
    }

    /**
     * The next whole note, or null if there is none yet; sets {@link #isClosed} at the end, and
     * {@link #isGarbled} where it is none.
     */
    @Nullable Note next() {
        if (isGarbled) {
            return null;
        }
        if (!Note.isWhole(incoming) && !isClosed) {
            incoming.compact();
            isClosed = hasEnded();
            incoming.flip();
        }
        if (!Note.isWhole(incoming)) {
            return null;
        }
        Note note = Note.decode(incoming, groupSize);
        isGarbled = note == null;
        return note;
    }

    /** Reads what has come; whether that was the end, in good order or by a broken connection. */
    private boolean hasEnded() {
        try {
            return link.read(incoming) < 0;
        } catch (FaultSignal broken) {
            return true;
        }
    }

    /**
     * Sends a note, or as much of it as can go now; the rest goes with a later {@link #flush}. A
     * peer that has read nothing for so long that there is no room loses the note: its silence will
     * be noticed otherwise.
     */
    void say(Note note) throws FaultSignal {
        ByteBuffer frame = note.encode();
        if (!isClosed && frame.remaining() <= outgoing.remaining()) {
            outgoing.put(frame);
            flush();
        }
    }

    /** Whether something is left to send. */
    boolean isBehind() {
        return outgoing.position() > 0;
    }

    void flush() throws FaultSignal {
        outgoing.flip();
        try {
            link.write(outgoing);
        } finally {
            outgoing.compact();
        }
    }
}
