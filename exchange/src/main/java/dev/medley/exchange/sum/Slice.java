package dev.medley.exchange.sum;

import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import java.util.Arrays;

/**
 * A stretch of the exchange buffer that is summed in one go.
 *
 * @param tag the step that it belongs to
 * @param number of slices of this scope that the collective has summed before, plus one
 * @param offsetBytes where it begins
 * @param bytes its length
 * @param type of its elements
 * @param fidelity whether a codec may be used
 * @param scope the ranks over which it is summed
 * @param unit the number that the sum is divided by for a mean, where it may be coded. What codecs
 *     left out of a step comes with another in its unit; 0 where nothing will be applied
 */
public record Slice(
        StepTag tag,
        long number,
        long offsetBytes,
        long bytes,
        ElementType type,
        Fidelity fidelity,
        Scope scope,
        double unit) {
    /** Longs of {@link #words}. */
    public static final int WORDS = 9;

    /** A slice that is summed over all, in units of one. */
    public Slice(
            StepTag tag,
            long number,
            long offsetBytes,
            long bytes,
            ElementType type,
            Fidelity fidelity) {
        this(tag, number, offsetBytes, bytes, type, fidelity, Scope.ALL, 1);
    }

    /** The slice as it is said to peers, who must be summing the very same. */
    public long[] words() {
        return new long[] {
            tag.epoch(),
            tag.step(),
            tag.planVersion(),
            number,
            offsetBytes,
            bytes,
            typeCode(),
            fidelityCode(),
            scopeCode()
        };
    }

    /** Whether a peer that said these words sums the same slice of the same step. */
    public boolean isSaidBy(long[] words) {
        return Arrays.equals(words, words());
    }

    /** The difference between two slices, for the message of a fault. */
    public String difference(String peer, long[] words) {
        boolean isOtherStep =
                words[0] != tag.epoch() || words[1] != tag.step() || words[2] != tag.planVersion();
        return isOtherStep
                ? "%s is in epoch %d, step %d, plan %d, not in epoch %d, step %d, plan %d"
                        .formatted(
                                peer,
                                words[0],
                                words[1],
                                words[2],
                                tag.epoch(),
                                tag.step(),
                                tag.planVersion())
                : ("%s sums slice %d with %d bytes at %d as type %d, not slice %d with %d bytes at"
                                + " %d as type %d (fidelity %d and %d, scope %d and %d)")
                        .formatted(
                                peer,
                                words[3],
                                words[5],
                                words[4],
                                words[6],
                                number,
                                bytes,
                                offsetBytes,
                                typeCode(),
                                words[7],
                                fidelityCode(),
                                words[8],
                                scopeCode());
    }

    /** Number of elements. */
    public long elements() {
        return bytes / type.bytes();
    }

    @SuppressWarnings("EnumOrdinal") // All ranks of a run have the same build.
    private int fidelityCode() {
        return fidelity.ordinal();
    }

    @SuppressWarnings("EnumOrdinal") // All ranks of a run have the same build.
    private int scopeCode() {
        return scope.ordinal();
    }

    @SuppressWarnings("EnumOrdinal") // All ranks of a run have the same build.
    private int typeCode() {
        return type.ordinal();
    }
}
