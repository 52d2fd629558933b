package dev.medley.exchange;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.post.Post;
import dev.medley.exchange.sum.Fidelity;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sums slices of one buffer over a fixed group for one epoch. The order of addition is fixed by
 * rank, position and the group's {@linkplain dev.medley.base.MeasuredRoute route}: all ranks end
 * bit-equal, and a run repeats bit for bit. Inside one site, on the usual route, the order is the
 * same whatever the transport.
 *
 * <p>One training thread per rank makes all calls but {@link #abort}; every rank makes the same
 * calls with the same arguments in the same order, but for those of {@link #sumAtSite}. Between
 * {@link #sum} and {@link #finish} the slice belongs to the exchange. After a fault the collective
 * is dead: every later call returns the first fault or does nothing.
 */
public interface Collective extends AutoCloseable {
    /** This member's rank. */
    int rank();

    /** Number of members. */
    int size();

    /** For the user: "shared memory between 3 processes". */
    String description();

    /**
     * This rank's exchange memory, zeroed at first; in shared memory where that is the transport.
     * It stays mapped for as long as the span is held, also after {@link #close}.
     */
    Span buffer();

    /** Begins a step, in units of one. */
    void begin(StepTag tag);

    /**
     * Sets the divisor of sums that may be coded, until the next {@link #begin}, equal on all
     * ranks. What a codec left out of a step with one unit is sent in a step with another as so
     * much more or less as the units differ; where the unit is 0, nothing of it is sent.
     */
    default void inUnits(double unit) {}

    /**
     * Starts the sum, in place, of a slice of {@link #buffer}, and returns at once. Slices are
     * summed in the order handed over.
     *
     * @param offsetBytes a multiple of the element's length
     * @param type FLOAT32 or FLOAT64
     */
    default void sum(long offsetBytes, long bytes, ElementType type) {
        sum(offsetBytes, bytes, type, Fidelity.EXACT);
    }

    /**
     * The same; what is {@link Fidelity#CODED} goes through the group's codec where it crosses the
     * border of a site. All ranks end bit-equal then too.
     */
    void sum(long offsetBytes, long bytes, ElementType type, Fidelity fidelity);

    /**
     * The ranks of this member's site, ascending, this one among them: over whom {@link #sumAtSite}
     * sums.
     */
    List<Integer> mates();

    /**
     * Starts the sum, in place, of a slice of {@link #buffer} over {@link #mates} alone, exactly,
     * and returns at once. All mates make the same calls in the same order, also among those of
     * {@link #sum}; members of other sites may make others, or none. The mates end bit-equal; a
     * member that is alone at its site keeps its values.
     *
     * @param offsetBytes a multiple of the element's length
     * @param type FLOAT32 or FLOAT64
     */
    void sumAtSite(long offsetBytes, long bytes, ElementType type);

    /**
     * The step that was finished last has been applied: what codecs left out of it is sent with the
     * next one. Where nobody says so before the next {@link #begin}, the step counts as discarded,
     * and what was left out is as it was before it.
     */
    void applied();

    /**
     * Waits until the slices handed over so far are summed, and this rank's buffer may be written
     * again, except where slices that are handed over later lie; the step goes on. Ranks may make
     * this call at different places.
     *
     * @return the fault that ended the step, or null
     */
    default @Nullable Fault await() {
        return finish();
    }

    /**
     * Whether the sums that were started are done, so far as this rank has a part in them: {@link
     * #finish} hardly waits then. Does not wait itself.
     */
    boolean isSummed();

    /**
     * Waits until all slices of this step are summed and this rank's buffer may be written again.
     *
     * @return the fault that ended the step, or null
     */
    @Nullable Fault finish();

    /**
     * Copies memory at a step border: {@code spans} of rank {@code from} into those of the ranks
     * {@code to}, which have the same lengths. Ranks that are neither return at once.
     *
     * @return the fault that ended it, or null; with a fault the receivers' spans hold anything
     */
    @Nullable Fault copy(int from, Set<Integer> to, List<Span> spans);

    /**
     * Letters between single members, where the group was formed with a post; else null. It lives
     * as long as this collective.
     */
    default @Nullable Post post() {
        return null;
    }

    /** Why this epoch has ended, or null while it lives. */
    default @Nullable Fault ended() {
        return null;
    }

    /**
     * Between steps: the same members go on as another epoch, over the links that they have, and
     * with memory that is zeroed again. All members make this call, and begin steps of that epoch
     * only after it.
     *
     * @param epoch of the next group, higher than that of this one
     * @return false where a new one has to be formed: this one has ended, or holds what belongs to
     *     one epoch alone
     */
    default boolean continueAs(int epoch) {
        return false;
    }

    /** Ends this epoch: current and later waits return {@code why}. From any thread. */
    void abort(Fault why);

    /** The times and bytes since the last call. */
    ExchangeTimes times();

    /** Leaves the group in good order, between steps. The buffer stays usable. */
    @Override
    void close();
}
