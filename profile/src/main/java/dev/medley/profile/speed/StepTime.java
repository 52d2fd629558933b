package dev.medley.profile.speed;

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

    /** Time of a share; a worker that computes nothing takes none. */
    public double predictNs(double share) {
        return share > 0 ? alphaNs + betaNs * share : 0;
    }

    /** Samples a second with a share of this size. */
    public double samplesPerSecond(double share) {
        return share / predictNs(share) * 1e9;
    }
}
