package dev.medley.profile.speed;

import java.util.List;

/**
 * A worker's time for a share of b samples, t(b) = alpha + beta b, fitted to what was measured by
 * least squares with forgetting: an observation that is n others old counts {@value #KEEP} to the
 * power of n.
 *
 * <p>As long as the share is always the same, alpha and beta cannot be told apart. So the squares
 * have one more term, which pulls alpha to a prior with the weight of {@value #PRIOR} observations
 * each; it is added anew at each solution and not forgotten, so nothing winds up (the trouble of
 * recursive least squares under a constant input: "estimator windup" in Astrom and Wittenmark,
 * Adaptive Control). Shares that differ by a tenth outweigh it.
 *
 * <p>A single observation that is far from the expected is cut. Far is more than {@value #NEAR}
 * times that, or three standard deviations where a worker's times scatter by nature (a quota of the
 * processor is given out in slices), up to {@value #FAR} times: a halved machine is always seen.
 * Two slow ones in a row are a machine that has changed: what was before them is forgotten. Of fast
 * ones it takes {@value #ENOUGH_FAST}: a process under a quota of the processor that has spared
 * some of it computes a small share at full speed, now and then for some steps, and would be given
 * what it cannot do. Against a single one before it, what is {@value #FAR} times off is believed at
 * once.
 *
 * <p>Thread: an immutable value.
 *
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
        double priorAlphaNs,
        double weight,
        double b,
        double bb,
        double t,
        double bt,
        double squares,
        int surprises) {
    private static final double KEEP = 0.95;
    private static final double PRIOR = 0.01;
    private static final double NEAR = 1.25;
    private static final double FAR = 1.75;
    private static final double DEVIATIONS = 3;
    private static final double FAMILIAR = 0.1;
    private static final int ENOUGH_SLOW = 2;
    private static final int ENOUGH_FAST = 3;

    /** Weight of two observations, the older of which is a little forgotten. */
    private static final double SETTLED = 1.9;

    /** How far the first observation may be off, as a part of it: nothing is known yet. */
    private static final double SCATTER = 0.1;

    /** Standard deviations by which a worker is planned to be late. */
    private static final double CAUTION = 1.5;

    /** Nothing was measured yet. */
    public static StepTimeFit unknown(double priorAlphaNs) {
        return new StepTimeFit(priorAlphaNs, 0, 0, 0, 0, 0, 0, 0);
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
        return new StepTimeFit(alphaNs, weight, b, bb, t, bt, squares, surprises);
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
        return weight >= SETTLED;
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
        if (!isFamiliar(share)) {
            return with(share, ns, isKnown() ? 0 : SCATTER * ns, 0);
        }
        double expectedNs = line().predictNs(share);
        double far = far();
        int now = surprise(expectedNs, ns, far);
        boolean isAgainstOne = !isSettled() && surprise(expectedNs, ns, FAR) != 0;
        if (isAgainstOne || now >= ENOUGH_SLOW || now <= -ENOUGH_FAST) {
            double off = Math.max(SCATTER, scatter());
            return unknown(priorAlphaNs).with(share, ns, off * ns, 0);
        }
        double believedNs = Math.max(expectedNs / far, Math.min(ns, far * expectedNs));
        return with(share, believedNs, believedNs - expectedNs, now);
    }

    /** The line through the observations. Both of its numbers are at least 0. */
    public StepTime line() {
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
        return new StepTimeFit(
                priorAlphaNs,
                KEEP * weight + 1,
                KEEP * b + share,
                KEEP * bb + (double) share * share,
                KEEP * t + ns,
                KEEP * bt + share * ns,
                KEEP * squares + offNs * offNs,
                nowSurprises);
    }

    /** Whether the share is like those before; of another one the line may rightly know little. */
    private boolean isFamiliar(int share) {
        return isKnown() && Math.abs(share - b / weight) <= FAMILIAR * share;
    }

    /** From this factor on an observation is a surprise. */
    private double far() {
        return Math.max(NEAR, Math.min(FAR, 1 + DEVIATIONS * scatter()));
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
