package dev.medley.exchange.sum;

import dev.medley.base.memory.Span;
import dev.medley.net.link.FaultSignal;

/** How bytes travel between the ranks of a collective. All ranks make the same calls in order. */
public interface Transport extends AutoCloseable {
    /** For the user: "shared memory between 3 processes". */
    String description();

    /** This rank's exchange memory. */
    Span buffer();

    /** Sums one slice of the buffer in place over all ranks. */
    void sum(Slice slice) throws FaultSignal;

    /** Waits until no peer reads this rank's buffer any more: it may be written again. */
    void settle() throws FaultSignal;

    /** Stops what it has running. The buffer stays usable. */
    @Override
    void close();
}
