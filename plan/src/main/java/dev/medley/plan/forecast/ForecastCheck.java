package dev.medley.plan.forecast;

import org.jspecify.annotations.Nullable;

/**
 * Gathers the steps of a strategy until there are enough to judge its forecast by, again and again.
 * The first batches are left out, since the JVM compiles in them.
 *
 * <p>Thread: owned by its caller.
 */
final class ForecastCheck {
    private static final int WARM_UP_BATCHES = 5;
    private static final int LEAST_STEPS = 5;
    private static final int LEAST_ROUNDS = 3;
    private static final double LEAST_NS = 3e9;
    private static final double NS_PER_SECOND = 1e9;

    private final int leastSteps;
    private int warmUpSteps;
    private int steps;
    private double samples;
    private double stepNs;
    private double computeNs;

    /**
     * What was seen of some steps.
     *
     * @param samples over all machines
     * @param stepNs from the beginning of each to its end
     * @param computeNs of them in which the busiest machine computed
     */
    record Seen(double samples, double stepNs, double computeNs) {
        double samplesPerSecond() {
            return samples / stepNs * NS_PER_SECOND;
        }
    }

    ForecastCheck(Candidate candidate) {
        int batches = candidate.syncEvery();
        leastSteps = candidate.hasRounds() ? LEAST_ROUNDS : LEAST_STEPS;
        warmUpSteps = (WARM_UP_BATCHES + batches - 1) / batches;
    }

    /** The busiest worker's compute of the step that {@link #took} is told of next. */
    void computed(long ns) {
        if (warmUpSteps == 0) {
            computeNs += ns;
        }
    }

    /** One more step; what was seen when there were enough, and null before. */
    @Nullable Seen took(long ofSamples, long ns) {
        if (warmUpSteps > 0) {
            warmUpSteps--;
            return null;
        }
        steps++;
        samples += ofSamples;
        stepNs += ns;
        if (steps < leastSteps || stepNs < LEAST_NS) {
            return null;
        }
        Seen seen = new Seen(samples, stepNs, computeNs);
        steps = 0;
        samples = 0;
        stepNs = 0;
        computeNs = 0;
        return seen;
    }
}
