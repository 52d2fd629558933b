package dev.medley.profile.speed;

/**
 * The settings by which a worker's speed is followed from one observation to the next.
 *
 * <p>A step is short and scatters, and there are many: much is remembered, and it takes some of
 * them to believe that a machine is another one now. A round is a mean of many batches, and there
 * are few: each is believed, and two that agree are enough to act on.
 *
 * @param window steps that make an observation, their median
 * @param keep an observation that is n others old counts this to the power of n
 * @param steady the same for plain means of what each step says
 * @param near times the expected from which on an observation is a surprise, unless the worker's
 *     times scatter by nature
 * @param firstOff what the first observation may be off, as a part of it
 * @param enoughSlow slow surprises in a row that are a machine that has changed
 * @param enoughFast fast ones
 * @param warmRounds so many of a worker's first observations say nothing, where its speed was tried
 *     before: code is being compiled
 * @param warmNs the same, of those that begin in its first so many nanoseconds
 * @param isInProportion whether times go with shares, so that an observation says something of any
 *     share: a round is so many batches, each with its own part of what a batch costs beside
 */
public record TrackingOptions(
        int window,
        double keep,
        double steady,
        double near,
        double firstOff,
        int enoughSlow,
        int enoughFast,
        int warmRounds,
        double warmNs,
        boolean isInProportion) {
    /**
     * Of fast steps it takes one more: a process under a quota of the processor that has spared
     * some of it computes a small share at full speed, now and then for some steps, and would be
     * given what it cannot do.
     */
    public static final TrackingOptions STEPS =
            new TrackingOptions(3, 0.95, 0.9, 1.25, 0.1, 2, 3, 0, 0, false);

    /** The first three, or those of the first ten seconds, are not counted. */
    public static final TrackingOptions ROUNDS =
            new TrackingOptions(1, 0.6, 0.6, 1.15, 0.05, 1, 1, 3, 1e10, true);

    /** The weight of two observations, the older of which is a little forgotten. */
    double settled() {
        return 1 + 0.95 * keep;
    }

    /** A mean with one more value. */
    public double mean(double known, double now) {
        return steady * known + (1 - steady) * now;
    }
}
