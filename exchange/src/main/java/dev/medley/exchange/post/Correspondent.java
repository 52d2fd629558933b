package dev.medley.exchange.post;

import dev.medley.base.Fault;
import dev.medley.base.memory.Span;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Link;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves the letters of one peer: the letter that is going out, and the one that is coming in. The
 * memory of incoming bodies is kept for the next one of that peer.
 *
 * <p>Thread: the post's.
 */
final class Correspondent {
    private static final int MOST_AT_ONCE_BYTES = 1 << 20;

    private final Link link;
    private final ByteBuffer head = Letter.blank();
    private final ByteBuffer leavingHead = Letter.blank();
    private Span memory = Span.allocate(0);
    private Span body = memory;
    private List<ByteBuffer> coming = List.of();
    private List<ByteBuffer> leaving = List.of();

    Correspondent(Link link) {
        this.link = link;
    }

    Link link() {
        return link;
    }

    /** Whether nothing is on its way out. */
    boolean isFree() {
        return leaving.isEmpty();
    }

    /** Begins to send a letter, whose body must stay as it is until {@link #isFree}. */
    void send(Letter letter) {
        leaving = new ArrayList<>();
        leaving.add(letter.head(leavingHead));
        leaving.addAll(letter.body().buffers());
    }

    /** Writes what can go now; the bytes. */
    int write() throws FaultSignal {
        int written = 0;
        while (!leaving.isEmpty()) {
            ByteBuffer piece = leaving.get(0);
            int end = piece.capacity();
            piece.limit(Math.min(end, piece.position() + MOST_AT_ONCE_BYTES));
            int count = link.write(piece);
            written += count;
            if (piece.hasRemaining()) {
                return written;
            }
            if (piece.position() == end) {
                leaving = leaving.subList(1, leaving.size());
            }
        }
        return written;
    }

    /**
     * Reads what has come, at most one letter.
     *
     * @param intake gets the letter if it is whole; its body is valid during the call
     * @return the bytes, -1 at the end of the link
     */
    int read(Intake intake) throws FaultSignal {
        int read = 0;
        while (head.hasRemaining()) {
            int count = link.read(head);
            if (count <= 0) {
                return count < 0 ? -1 : read;
            }
            read += count;
            if (!head.hasRemaining()) {
                beginBody(intake);
            }
        }
        while (!coming.isEmpty()) {
            ByteBuffer piece = coming.get(0);
            int end = piece.capacity();
            piece.limit(Math.min(end, piece.position() + MOST_AT_ONCE_BYTES));
            int count = link.read(piece);
            if (count <= 0) {
                return count < 0 ? -1 : read;
            }
            read += count;
            if (piece.position() == end) {
                coming = coming.subList(1, coming.size());
            }
        }
        Letter letter = Letter.of(head, body);
        head.clear();
        intake.take(link, letter);
        return read;
    }

    private void beginBody(Intake intake) throws FaultSignal {
        if (!Letter.isHead(head)) {
            String what = link.peer() + " sent what is no letter";
            throw new FaultSignal(new Fault(Fault.Kind.PEER, link.peer(), what));
        }
        long bytes = Letter.bodyBytes(head);
        intake.require(link, bytes);
        if (memory.bytes() < bytes) {
            memory = Span.allocate(bytes);
        }
        body = memory.slice(0, bytes);
        coming = body.buffers();
    }
}
