package dev.medley.fleet.simulation;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;

/**
 * Says what policies know of jobs' sizes: all as declared, all with an error, or nothing.
 *
 * @param declared whether jobs say their work
 * @param deviation of the logarithm of declared over true work; 0 where it is exact
 * @param seed of the errors
 */
public record SizeKnowledge(boolean declared, double deviation, long seed) {
    /** All declare their work exactly. */
    public static final SizeKnowledge DECLARED = new SizeKnowledge(true, 0, 0);

    /** None declares anything. */
    public static final SizeKnowledge NONE = new SizeKnowledge(false, 0, 0);

    public SizeKnowledge {
        ConfigException.check(
                deviation >= 0 && deviation < 10,
                "declared sizes deviate by %s; give a number from 0 to 10",
                deviation);
    }

    /** Work that a job declares; NaN where it declares none. */
    double declared(long job, double work) {
        if (!declared) {
            return Double.NaN;
        }
        if (deviation == 0) {
            return work;
        }
        return work * Math.exp(deviation * Seeds.generator(seed, job).nextGaussian());
    }
}
