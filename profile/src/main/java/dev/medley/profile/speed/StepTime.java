package dev.medley.profile.speed;

import java.util.List;

/**
 * A worker's time for a share of b samples: alpha + beta b.
 *
 * @param alphaNs of a share without samples
 * @param betaNs of each sample
 */
public record StepTime(double alphaNs, double betaNs) {
    public StepTime {
        if (!(alphaNs >= 0) || !(betaNs >= 0)) {
            throw new IllegalArgumentException("alpha %s, beta %s".formatted(alphaNs, betaNs));
        }
    }

    /**
     * Of machines of which nothing is known, where these are known; a sample a ns where none is.
     */
    public static StepTime mean(List<StepTime> known) {
        return new StepTime(
                known.stream().mapToDouble(StepTime::alphaNs).average().orElse(0),
                known.stream().mapToDouble(StepTime::betaNs).average().orElse(1));
    }

    /** Time of a share; a worker that computes nothing takes none. */
    public double predictNs(double share) {
        return share > 0 ? alphaNs + betaNs * share : 0;
    }

    /** Samples a second with a share of this size. */
    public double samplesPerSecond(double share) {
        return share / predictNs(share) * 1e9;
    }
}
