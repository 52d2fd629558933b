package dev.medley.profile.speed;

/**
 * The step times that earlier runs on machines of one type suggest. It is a guess: another machine
 * of that type may have neighbours, and this one may have them now. The measurements of this run
 * overrule its level at once; its shape, how much of the time a share has that does not grow with
 * it, holds until shares have differed.
 *
 * <p>Thread: an immutable value.
 *
 * @param line fitted to those steps
 * @param leastShare smallest share among them
 * @param largestShare largest share among them
 * @param steps how many there were
 * @param wallMillis when shares differed that the shape was found from
 */
public record StepTimeGuess(
        StepTime line, int leastShare, int largestShare, long steps, long wallMillis) {
    /** Shares that differ by less say nothing about what a step without samples costs. */
    private static final double APART = 1.25;

    public StepTimeGuess {
        boolean isSound =
                Double.isFinite(line.predictNs(1))
                        && line.predictNs(1) > 0
                        && leastShare > 0
                        && largestShare >= leastShare
                        && steps > 0;
        if (!isSound) {
            throw new IllegalArgumentException(
                    "%s of shares from %d to %d in %d steps"
                            .formatted(line, leastShare, largestShare, steps));
        }
    }

    /** Whether shares differed enough for both numbers of the line to mean something. */
    public boolean hasShape() {
        return largestShare >= APART * leastShare;
    }

    /** A line of the same shape through what was measured. */
    public StepTime through(double share, double ns) {
        double times = ns / line.predictNs(share);
        return new StepTime(times * line.alphaNs(), times * line.betaNs());
    }

    /** The guesses of two machines of one type, as one. */
    public StepTimeGuess and(StepTimeGuess other) {
        double part = (double) other.steps / (steps + other.steps);
        return new StepTimeGuess(
                new StepTime(
                        (1 - part) * line.alphaNs() + part * other.line.alphaNs(),
                        (1 - part) * line.betaNs() + part * other.line.betaNs()),
                Math.min(leastShare, other.leastShare),
                Math.max(largestShare, other.largestShare),
                steps + other.steps,
                Math.min(wallMillis, other.wallMillis));
    }
}
