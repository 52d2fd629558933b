package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.sum.Slice;
import dev.medley.net.link.FaultSignal;
import dev.medley.net.link.Link;
import java.nio.ByteBuffer;

/**
 * Sends one slice to the next rank: this rank's own first part, then whatever came in. Belongs to
 * the role's holder or to the sender.
 */
final class Outflow {
    private final Link next;
    private final Span values;
    private final RingTurns course;
    private final Inflow inflow;
    private final int segmentBytes;
    private final ByteBuffer frame = ByteBuffer.allocate(SliceFrame.BYTES);

    private int step;
    private long stepBytes;
    private volatile long total;

    /**
     * One slice.
     *
     * @param values the slice's memory
     * @param inflow what comes in meanwhile
     * @param segmentBytes what is sent at once
     */
    Outflow(
            Link next,
            Slice slice,
            Span values,
            RingTurns course,
            Inflow inflow,
            int segmentBytes) {
        this.next = next;
        this.values = values;
        this.course = course;
        this.inflow = inflow;
        this.segmentBytes = segmentBytes;
        SliceFrame.put(frame, slice);
        frame.flip();
        skipWhole();
    }

    boolean isDone() {
        return step == course.steps() && !frame.hasRemaining();
    }

    /** Bytes sent. From any thread. */
    long total() {
        return total;
    }

    /** Whether there is anything that may go now. */
    boolean isReady() {
        return frame.hasRemaining() || ready() > 0;
    }

    /** Sends what can go, up to one segment; whether that was anything. */
    boolean send() throws FaultSignal {
        if (frame.hasRemaining()) {
            return next.write(frame) > 0;
        }
        long length = Math.min(ready(), segmentBytes);
        if (length == 0) {
            return false;
        }
        long place = course.parts().startBytes(course.sentIn(step)) + stepBytes;
        int bytes = next.write(values.slice(place, length).buffers().get(0));
        long soFar = total; // This thread alone writes it.
        stepBytes += bytes;
        total = soFar + bytes;
        skipWhole();
        return bytes > 0;
    }

    /** Bytes of the current part that are in place. */
    private long ready() {
        if (step == course.steps()) {
            return 0;
        }
        long inPlace = course.parts().bytes(course.sentIn(0)) + inflow.total() - total;
        return Math.min(inPlace, course.parts().bytes(course.sentIn(step)) - stepBytes);
    }

    /** Goes on to the next step where a part has gone. */
    private void skipWhole() {
        while (step < course.steps() && stepBytes == course.parts().bytes(course.sentIn(step))) {
            step++;
            stepBytes = 0;
        }
    }
}
