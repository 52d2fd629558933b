package dev.medley.base;

import static dev.medley.base.ConfigException.check;

/**
 * How thoroughly a worker tries how fast it is, where that is asked for.
 *
 * @param isFull whether two shares are tried, from which it follows how the time of a step grows
 *     with its samples; else one, where that is known from earlier runs
 * @param mostSamples that go through the model at once: memory has not lasted for more
 */
public record TrialScope(boolean isFull, int mostSamples) {
    /** Two shares. */
    public static final TrialScope FULL = new TrialScope(true, Integer.MAX_VALUE);

    /** One share. */
    public static final TrialScope LEVEL = new TrialScope(false, Integer.MAX_VALUE);

    public TrialScope {
        check(mostSamples >= 1, "a trial of %d samples: at least 1", mostSamples);
    }

    /** The same with one share. */
    public TrialScope level() {
        return new TrialScope(false, mostSamples);
    }

    /** The same with at most so many samples at once. */
    public TrialScope atMost(int samples) {
        return new TrialScope(isFull, Math.min(mostSamples, samples));
    }
}
