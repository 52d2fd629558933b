package dev.medley.serving.traffic;

import java.util.Arrays;

/**
 * Tests, as often as one likes, whether the mean loss of B is larger than that of A. Its e-value is
 * at least {@code 1/alpha} at any time with probability at most {@code alpha} where it is not
 * (Ville's inequality), so that stopping when it is has level {@code alpha} however often one
 * looks.
 *
 * <p>A block of {@code na} and {@code nb} losses multiplies it by the product of {@code 1 + (y -
 * m)(t - m) / (m(1 - m))} over its losses y, with t the mean that is expected of A or of B and
 * {@code m = (na ta + nb tb) / (na + nb)}. For losses of 0 and 1 that is the e-variable of two
 * streams of Turner, Ly and Grünwald (Generic E-Variables for Exact Sequential k-Sample Tests that
 * Allow for Optional Stopping, 2024, theorem 1 and equation 6). Since it is linear in y, its
 * expectation hangs on the means alone, so that it holds for any losses between 0 and 1: with
 * {@code na(ta - m) = -nb(tb - m)} and {@code log(1 + x) <= x} the logarithm of the expectation is
 * at most {@code nb(tb - m)(mean of B - mean of A) / (m(1 - m))}, which is not above 0. What is
 * expected comes of earlier blocks. Bets on several sizes of a difference are averaged (the mixture
 * of Waudby-Smith and Ramdas, Estimating Means of Bounded Random Variables by Betting, 2024,
 * section 4), so that no size has to be known before.
 *
 * <p>Thread: one at a time.
 */
final class MeanTest {
    /** How much nearer to 1 than A's the mean of B is expected to be, where little is much. */
    static final double[] ANY = {0.9, 0.5, 0.25, 0.12, 0.06, 0.03, 0.015, 0.007};

    /** The same where little does not matter. */
    static final double[] LARGE = {0.9, 0.6, 0.35, 0.15};

    /** Of one version while the other has none; which are left out hangs on their number alone. */
    private static final int MOST_WAITING = 20_000;

    private static final double PRIOR_WEIGHT = 2;
    private static final double LEAST_MEAN = 1e-4;

    private final double priorMean;
    private final double[] effects;
    private final double[] logs;
    private Losses waitingA = Losses.NONE;
    private Losses waitingB = Losses.NONE;
    private double sumA;
    private long countA;

    /** Before the first block, with the mean that is guessed of A; a wrong guess costs time. */
    MeanTest(double priorMean, double[] effects) {
        this.priorMean = priorMean;
        this.effects = effects;
        this.logs = new double[effects.length];
    }

    /** One more block. Where it lacks A or B, it waits for one that has both. */
    void add(Losses a, Losses b) {
        waitingA = waitingA.values().length < MOST_WAITING ? waitingA.and(a) : waitingA;
        waitingB = waitingB.values().length < MOST_WAITING ? waitingB.and(b) : waitingB;
        long na = waitingA.count();
        long nb = waitingB.count();
        if (na == 0 || nb == 0) {
            return;
        }
        double guess = (PRIOR_WEIGHT * priorMean + sumA) / (PRIOR_WEIGHT + countA);
        double ofA = Math.min(1 - LEAST_MEAN, Math.max(LEAST_MEAN, guess));
        for (int i = 0; i < effects.length; i++) {
            double ofB = ofA + effects[i] * (1 - ofA);
            double middle = (na * ofA + nb * ofB) / (na + nb);
            logs[i] += log(waitingA, ofA, middle) + log(waitingB, ofB, middle);
        }
        sumA += waitingA.sum();
        countA += na;
        waitingA = Losses.NONE;
        waitingB = Losses.NONE;
    }

    private static double log(Losses losses, double expected, double middle) {
        double slope = (expected - middle) / (middle * (1 - middle));
        double sum = 0;
        for (int i = 0; i < losses.values().length; i++) {
            if (losses.counts()[i] > 0) {
                sum += losses.counts()[i] * Math.log1p(slope * (losses.values()[i] - middle));
            }
        }
        return sum;
    }

    /** The natural logarithm of the e-value. */
    double logE() {
        double most = Arrays.stream(logs).max().orElse(0);
        double sum = 0;
        for (double log : logs) {
            sum += Math.exp(log - most);
        }
        return most + Math.log(sum / logs.length);
    }
}
