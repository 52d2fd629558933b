package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

/**
 * How far a codec between sites goes.
 *
 * @param density part of the elements that topk sends, in every block at least one
 * @param exactSteps exchanges at the beginning of a run that no codec touches: there gradients are
 *     longest and change most
 */
public record CodecSpec(double density, long exactSteps) {
    /** One element of a hundred, from the first step on. */
    public static final CodecSpec DEFAULT = new CodecSpec(0.01, 0);

    public CodecSpec {
        check(
                density > 0 && density <= 0.5,
                "strategy.density=%s: above 0, at most 0.5; above that int8 sends less",
                density);
        check(exactSteps >= 0, "strategy.exact_steps=%d: not below 0", exactSteps);
    }

    /** The same with this part of the elements. */
    public CodecSpec keeping(double part) {
        return new CodecSpec(part, exactSteps);
    }

    /** The same after so many exact exchanges. */
    public CodecSpec after(long steps) {
        return new CodecSpec(density, steps);
    }
}
