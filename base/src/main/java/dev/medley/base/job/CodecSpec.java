package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import java.util.Objects;

/**
 * How far a codec goes.
 *
 * @param density part of the elements that topk sends, in every block at least one
 * @param exactSteps exchanges at the beginning of a run that no codec touches: there gradients are
 *     longest and change most
 * @param rank columns of the two matrices that powersgd sends for one. Null, as in the records of
 *     versions that had no such component, is 4
 */
public record CodecSpec(double density, long exactSteps, Integer rank) {
    private static final int USUAL_RANK = 4;

    /** One element of a hundred, four columns, from the first step on. */
    public static final CodecSpec DEFAULT = new CodecSpec(0.01, 0, USUAL_RANK);

    public CodecSpec {
        rank = Objects.requireNonNullElse(rank, USUAL_RANK);
        check(
                density > 0 && density <= 0.5,
                "strategy.density=%s: above 0, at most 0.5; above that int8 sends less",
                density);
        check(exactSteps >= 0, "strategy.exact_steps=%d: not below 0", exactSteps);
        check(rank >= 1, "strategy.rank=%d: at least 1 column", rank);
    }

    /** A codec with the usual rank. */
    public CodecSpec(double density, long exactSteps) {
        this(density, exactSteps, USUAL_RANK);
    }

    /** The same with this part of the elements. */
    public CodecSpec keeping(double part) {
        return new CodecSpec(part, exactSteps, rank);
    }

    /** The same after so many exact exchanges. */
    public CodecSpec after(long steps) {
        return new CodecSpec(density, steps, rank);
    }

    /** The same with so many columns. */
    public CodecSpec ofRank(int columns) {
        return new CodecSpec(density, exactSteps, columns);
    }
}
