package dev.medley.profile.speed;

import java.util.List;

/**
 * A worker's time for a share of b samples, t(b) = alpha + beta b. It is fitted to what was
 * measured by least squares with forgetting, as {@link TrackingOptions} says.
 *
 * <p>As long as the share is always the same, alpha and beta cannot be told apart. So the squares
 * have one more term, which pulls alpha to a prior with the weight of {@value #PRIOR} observations
 * each; it is added anew at each solution and not forgotten, so nothing winds up (the trouble of
 * recursive least squares under a constant input: "estimator windup" in Astrom and Wittenmark,
 * Adaptive Control). Shares that differ by a tenth outweigh it.
 *
 * <p>A single observation that is far from the expected is cut. Far is more than {@link
 * TrackingOptions#near} times that, or three standard deviations where a worker's times scatter by
 * nature (a quota of the processor is given out in slices), up to {@value #FAR} times: a halved
 * machine is always seen. Enough of them in a row are a machine that has changed: what was before
 * them is forgotten. Against a single one before it, what is {@value #FAR} times off is believed at
 * once.
 *
 * <p>Thread: an immutable value.
 *
 * @param following how closely
 * @param priorAlphaNs what a step costs that has no samples, guessed or measured beforehand
 * @param weight of all observations
 * @param b weighted sum of the shares
 * @param bb of their squares
 * @param t of the times, ns
 * @param bt of the products
 * @param squares of the distances from what was expected, ns squared
 * @param surprises observations in a row that were far from the expected, all to one side: above
 *     zero for slow ones, below for fast ones
 */
public record StepTimeFit(
        TrackingOptions following,
        double priorAlphaNs,
        double weight,
        double b,
        double bb,
        double t,
        double bt,
        double squares,
        int surprises) {
    private static final double PRIOR = 0.01;
    private static final double FAR = 1.75;
    private static final double DEVIATIONS = 3;
    private static final double FAMILIAR = 0.1;

    /** Standard deviations by which a worker is planned to be late. */
    private static final double CAUTION = 1.5;

    /** Nothing was measured yet, of steps. */
    public static StepTimeFit unknown(double priorAlphaNs) {
        return unknown(TrackingOptions.STEPS, priorAlphaNs);
    }

    /** Nothing was measured yet. */
    static StepTimeFit unknown(TrackingOptions following, double priorAlphaNs) {
        return new StepTimeFit(following, priorAlphaNs, 0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * What to plan for each of some workers: one of which nothing is known is taken for the mean of
     * the others. A step ends with its last worker, so one whose times scatter is planned with more
     * than its mean: all are to be late equally seldom, in proportion to what they do.
     */
    public static List<StepTime> lines(List<StepTimeFit> fits) {
        StepTime usual =
                StepTime.mean(
                        fits.stream()
                                .filter(StepTimeFit::isKnown)
                                .map(StepTimeFit::lateLine)
                                .toList());
        return fits.stream().map(fit -> fit.isKnown() ? fit.lateLine() : usual).toList();
    }

    /** The same with another prior: what was measured of a step without samples. */
    public StepTimeFit withPrior(double alphaNs) {
        return new StepTimeFit(following, alphaNs, weight, b, bb, t, bt, squares, surprises);
    }

    /** The same with the shape of a guess, as long as its own shares cannot say. */
    public StepTimeFit shapedBy(StepTimeGuess guess) {
        return isKnown() ? withPrior(guess.through(b / weight, t / weight).alphaNs()) : this;
    }

    /** Whether anything was measured. */
    public boolean isKnown() {
        return weight > 0 && bb > 0;
    }

    /** Whether there are enough observations to act on. */
    public boolean isSettled() {
        return weight >= following.settled();
    }

    /**
     * Standard error of the expected time, ns: of the mean of as many observations as count, which
     * scatter as they did.
     */
    public double errorNs() {
        if (!isKnown()) {
            return Double.POSITIVE_INFINITY;
        }
        return Math.sqrt(squares) / weight;
    }

    /** With one more observation; one without samples teaches nothing. */
    public StepTimeFit after(int share, double ns) {
        if (share <= 0 || !(ns > 0)) {
            return this;
        }
        if (!isKnown()) {
            return with(share, ns, following.firstOff() * ns, 0);
        }
        double expectedNs = expectedNs(share, ns);
        double far = far();
        int now = surprise(expectedNs, ns, far);
        boolean isAgainstOne = !isSettled() && surprise(expectedNs, ns, FAR) != 0;
        if (isAgainstOne || now >= following.enoughSlow() || now <= -following.enoughFast()) {
            double off = Math.max(following.firstOff(), scatter());
            return unknown(following, priorAlphaNs).with(share, ns, off * ns, 0);
        }
        double believedNs = Math.max(expectedNs / far, Math.min(ns, far * expectedNs));
        return with(share, believedNs, believedNs - expectedNs, now);
    }

    /** The line through the observations. Both of its numbers are at least 0. */
    public StepTime line() {
        if (following.isInProportion()) {
            return new StepTime(0, bt / bb);
        }
        double pull = PRIOR * weight;
        double a = weight + pull;
        double y = t + pull * priorAlphaNs;
        double determinant = a * bb - b * b;
        double beta = determinant > 0 ? (a * bt - b * y) / determinant : 0;
        double alpha = (y - beta * b) / a;
        if (alpha < 0) {
            return new StepTime(0, bt / bb);
        }
        if (beta <= 0) {
            double rest = Math.max(0, t / weight - priorAlphaNs);
            return rest > 0
                    ? new StepTime(priorAlphaNs, rest * weight / b)
                    : new StepTime(0, t / b);
        }
        return new StepTime(alpha, beta);
    }

    /** The line, stretched by what the worker scatters: what to plan for one that is known. */
    public StepTime lateLine() {
        StepTime line = line();
        double stretch = 1 + CAUTION * scatter();
        return new StepTime(stretch * line.alphaNs(), stretch * line.betaNs());
    }

    /** Standard deviation of an observation, as a part of it. */
    private double scatter() {
        return Math.sqrt(squares / weight) / (t / weight);
    }

    private StepTimeFit with(int share, double ns, double offNs, int nowSurprises) {
        double keep = following.keep();
        return new StepTimeFit(
                following,
                priorAlphaNs,
                keep * weight + 1,
                keep * b + share,
                keep * bb + (double) share * share,
                keep * t + ns,
                keep * bt + share * ns,
                keep * squares + offNs * offNs,
                nowSurprises);
    }

    /**
     * What the share was to take. Of one unlike those before the line may rightly know little: it
     * was to take what comes nearest to {@code ns} of all that lines through their mean allow, from
     * as long as they to longer, or shorter, in proportion.
     */
    private double expectedNs(int share, double ns) {
        double mean = b / weight;
        boolean isLike = Math.abs(share - mean) <= FAMILIAR * share;
        if (isLike || following.isInProportion()) {
            return line().predictNs(share);
        }
        double sameNs = t / weight;
        double inProportionNs = sameNs * share / mean;
        double least = Math.min(sameNs, inProportionNs);
        return Math.max(least, Math.min(ns, Math.max(sameNs, inProportionNs)));
    }

    /** From this factor on an observation is a surprise. */
    private double far() {
        return Math.max(following.near(), Math.min(FAR, 1 + DEVIATIONS * scatter()));
    }

    private int surprise(double expectedNs, double ns, double far) {
        if (ns > far * expectedNs) {
            return Math.max(0, surprises) + 1;
        }
        if (ns < expectedNs / far) {
            return Math.min(0, surprises) - 1;
        }
        return 0;
    }
}
