package dev.medley.profile.speed;

import java.util.ArrayList;
import java.util.List;

/**
 * Follows a worker's speed from step to step: of some steps with the same share (three, as a rule)
 * the median is one observation of the fit, so that a garbage collection or a noisy neighbour,
 * which makes one of them several times as long, is not even seen.
 *
 * <p>Thread: an immutable value.
 *
 * @param fit to the medians
 * @param share of the steps at hand
 * @param timesNs of the steps that make no observation yet
 * @param window steps that make an observation: 1 where each is long enough to be a mean by itself
 */
public record SpeedTracker(StepTimeFit fit, int share, List<Double> timesNs, int window) {
    private static final int USUAL_WINDOW = 3;

    public SpeedTracker {
        timesNs = List.copyOf(timesNs);
    }

    /** Nothing was measured yet. */
    public static SpeedTracker unknown() {
        return unknown(USUAL_WINDOW);
    }

    /** Nothing was measured yet, and so many steps make an observation. */
    public static SpeedTracker unknown(int window) {
        return new SpeedTracker(StepTimeFit.unknown(0), 0, List.of(), window);
    }

    /** With a time that was measured over many passes beforehand. */
    public SpeedTracker tried(int ofShare, double ns) {
        return new SpeedTracker(fit.after(ofShare, ns), share, timesNs, window);
    }

    /**
     * Keeps what a step without samples costs by what was tried so far: as long as steps have the
     * same share, they cannot say.
     */
    public SpeedTracker keepingAlpha() {
        return new SpeedTracker(fit.withPrior(fit.line().alphaNs()), share, timesNs, window);
    }

    /** Takes the shape of a guess, as long as steps have the same share. */
    public SpeedTracker shapedBy(StepTimeGuess guess) {
        return new SpeedTracker(fit.shapedBy(guess), share, timesNs, window);
    }

    /** With one more step; one without samples teaches nothing. */
    public SpeedTracker after(int ofShare, double ns) {
        if (ofShare <= 0) {
            return this;
        }
        List<Double> times = new ArrayList<>(ofShare == share ? timesNs : List.of());
        times.add(ns);
        if (times.size() < window) {
            return new SpeedTracker(fit, ofShare, times, window);
        }
        double median = times.stream().sorted().toList().get(window / 2);
        return new SpeedTracker(fit.after(ofShare, median), ofShare, List.of(), window);
    }
}
