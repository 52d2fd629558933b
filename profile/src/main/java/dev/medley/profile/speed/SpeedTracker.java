package dev.medley.profile.speed;

import java.util.ArrayList;
import java.util.List;

/**
 * Follows a worker's speed from step to step. Of some steps with the same share (three, unless they
 * are rounds) the median is one observation of the fit, so that a garbage collection or a noisy
 * neighbour, which makes one of them several times as long, is not even seen.
 *
 * <p>Thread: an immutable value.
 *
 * @param fit to the medians
 * @param share of the steps at hand
 * @param timesNs of the steps that make no observation yet
 */
public record SpeedTracker(StepTimeFit fit, int share, List<Double> timesNs) {
    public SpeedTracker {
        timesNs = List.copyOf(timesNs);
    }

    /** Nothing was measured yet, of steps. */
    public static SpeedTracker unknown() {
        return unknown(TrackingOptions.STEPS);
    }

    /** Nothing was measured yet. */
    public static SpeedTracker unknown(TrackingOptions following) {
        return new SpeedTracker(StepTimeFit.unknown(following, 0), 0, List.of());
    }

    /** With a time that was measured over many passes beforehand. */
    public SpeedTracker tried(int ofShare, double ns) {
        return new SpeedTracker(fit.after(ofShare, ns), share, timesNs);
    }

    /**
     * Keeps what a step without samples costs by what was tried so far: as long as steps have the
     * same share, they cannot say.
     */
    public SpeedTracker keepingAlpha() {
        return new SpeedTracker(fit.withPrior(fit.line().alphaNs()), share, timesNs);
    }

    /** Takes the shape of a guess, as long as steps have the same share. */
    public SpeedTracker shapedBy(StepTimeGuess guess) {
        return new SpeedTracker(fit.shapedBy(guess), share, timesNs);
    }

    /** With one more step; one without samples teaches nothing. */
    public SpeedTracker after(int ofShare, double ns) {
        if (ofShare <= 0) {
            return this;
        }
        List<Double> times = new ArrayList<>(ofShare == share ? timesNs : List.of());
        times.add(ns);
        int window = fit.following().window();
        if (times.size() < window) {
            return new SpeedTracker(fit, ofShare, times);
        }
        double median = times.stream().sorted().toList().get(window / 2);
        return new SpeedTracker(fit.after(ofShare, median), ofShare, List.of());
    }
}
