package dev.medley.training.bucket;

import dev.medley.base.memory.ElementType;

/**
 * The layout of a worker's exchange memory, in regions that each begin on a cache line of their
 * own. The regions are the gradients, the weighted statistics of normalisation layers, the tail
 * with one slot a rank, the values of an evaluation, the sums of fragments, the factors of
 * gradients that do not travel as they are, the table of a round that does not wait for all, the
 * weight of a step, and what a strategy sums by itself.
 *
 * @param elementType of gradients and statistics
 * @param gradientBytes of the model
 * @param bufferBytes of running statistics, 0 for most models
 * @param ranks of the group
 * @param evaluationValues doubles that an evaluation exchanges
 * @param fragments that travel one after another; 0 where there are none
 * @param factorBytes of factors, 0 where gradients travel as they are
 * @param tableBytes of a {@link RoundTable}, 0 where rounds wait for all
 * @param weightBytes of what a step weighs, 0 where nobody has to tell
 * @param ownBytes of what a strategy sums by itself, 0 for most
 */
public record ExchangeLayout(
        ElementType elementType,
        long gradientBytes,
        long bufferBytes,
        int ranks,
        long evaluationValues,
        int fragments,
        long factorBytes,
        long tableBytes,
        long weightBytes,
        long ownBytes) {
    /** Length of what a step weighs, where ranks tell. */
    public static final long WEIGHT_BYTES = Double.BYTES;

    private static final long LINE_BYTES = 64;

    /** A layout for rounds that wait for all. */
    public ExchangeLayout(
            ElementType elementType,
            long gradientBytes,
            long bufferBytes,
            int ranks,
            long evaluationValues,
            int fragments,
            long factorBytes) {
        this(
                elementType,
                gradientBytes,
                bufferBytes,
                ranks,
                evaluationValues,
                fragments,
                factorBytes,
                0,
                0,
                0);
    }

    /** A layout for gradients that travel as they are, at the end of a step. */
    public ExchangeLayout(
            ElementType elementType,
            long gradientBytes,
            long bufferBytes,
            int ranks,
            long evaluationValues) {
        this(elementType, gradientBytes, bufferBytes, ranks, evaluationValues, 0, 0);
    }

    /** Where the statistics begin. */
    public long bufferOffset() {
        return align(gradientBytes);
    }

    /** Where the tail begins. */
    public long tailOffset() {
        return align(bufferOffset() + bufferBytes);
    }

    /** Length of the tail. */
    public long tailBytes() {
        return (long) ranks * Tail.FIELDS * Double.BYTES;
    }

    /** Where the values of an evaluation begin. */
    public long evaluationOffset() {
        return align(tailOffset() + tailBytes());
    }

    /** Length of the values of an evaluation. */
    public long evaluationBytes() {
        return evaluationValues * Double.BYTES;
    }

    /** Where what is said of a fragment begins. */
    public long fragmentOffset(int fragment) {
        return align(evaluationOffset() + evaluationBytes()) + fragment * fragmentBytes();
    }

    /** Length of what is said of one fragment. */
    public long fragmentBytes() {
        return (long) FragmentSums.FIELDS * Double.BYTES;
    }

    /** Where the factors begin. */
    public long factorOffset() {
        return align(fragmentOffset(fragments));
    }

    /** Where the table of a round begins. */
    public long tableOffset() {
        return align(factorOffset() + factorBytes);
    }

    /** Where what the step weighs begins. */
    public long weightOffset() {
        return align(tableOffset() + tableBytes);
    }

    /** Where what a strategy sums by itself begins. */
    public long ownOffset() {
        return align(weightOffset() + weightBytes);
    }

    /** Length of the whole. */
    public long bytes() {
        return align(ownOffset() + ownBytes);
    }

    private static long align(long bytes) {
        return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    }
}
