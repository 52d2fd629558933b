package dev.medley.exchange.sum;

import dev.medley.base.memory.Span;
import dev.medley.net.link.FaultSignal;
import java.util.Queue;

/**
 * Moves and sums slices between the ranks of a collective. All ranks make the same calls in order.
 */
public interface Transport extends AutoCloseable {
    /** For the user: "shared memory between 3 processes". */
    String description();

    /** This rank's exchange memory. */
    Span buffer();

    /**
     * Sums one slice of the buffer in place over all ranks of its scope.
     *
     * @param behind the slices that come after it, which may grow meanwhile. A transport may take
     *     slices from its head and sum them in the same call
     */
    void sum(Slice slice, Queue<Slice> behind) throws FaultSignal;

    /** A slice has been queued while {@link #sum} may be under way. From any thread. */
    default void queued() {}

    /**
     * The step that was summed last has been applied: what codecs left out of it stays left out.
     */
    default void applied() {}

    /** Where it was not said to be applied, what codecs left out is as it was before it. */
    default void discarded() {}

    /** Waits until no peer reads this rank's buffer any more: it may be written again. */
    void settle() throws FaultSignal;

    /** Stops what it has running. The buffer stays usable. */
    @Override
    void close();
}
