package dev.medley.base;

import static dev.medley.base.ConfigException.check;

/**
 * The extent of a trial in which a worker measures its own speed.
 *
 * @param isFull whether two shares are tried, which shows how the time of a step grows with its
 *     samples; else one, where that is known from earlier runs
 * @param mostSamples that go through the model at once: memory has not sufficed for more
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
