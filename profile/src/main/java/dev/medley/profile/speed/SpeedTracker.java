package dev.medley.profile.speed;

import java.util.ArrayList;
import java.util.List;

/**
 * Follows a worker's speed from step to step: of {@value #WINDOW} steps with the same share the
 * median is one observation of the fit, so that a garbage collection or a noisy neighbour, which
 * makes one of them several times as long, is not even seen.
 *
 * <p>Thread: an immutable value.
 *
 * @param fit to the medians
 * @param share of the steps at hand
 * @param timesNs of the steps that make no observation yet
 */
public record SpeedTracker(StepTimeFit fit, int share, List<Double> timesNs) {
    private static final int WINDOW = 3;

    public SpeedTracker {
        timesNs = List.copyOf(timesNs);
    }

    /** Nothing was measured yet. */
    public static SpeedTracker unknown() {
        return new SpeedTracker(StepTimeFit.unknown(0), 0, List.of());
    }

    /** With a time that was measured over many passes beforehand. */
    public SpeedTracker tried(int ofShare, double ns) {
        return new SpeedTracker(fit.after(ofShare, ns), share, timesNs);
    }

    /** With one more step; one without samples teaches nothing. */
    public SpeedTracker after(int ofShare, double ns) {
        if (ofShare <= 0) {
            return this;
        }
        List<Double> window = new ArrayList<>(ofShare == share ? timesNs : List.of());
        window.add(ns);
        if (window.size() < WINDOW) {
            return new SpeedTracker(fit, ofShare, window);
        }
        double median = window.stream().sorted().toList().get(WINDOW / 2);
        return new SpeedTracker(fit.after(ofShare, median), ofShare, List.of());
    }
}
