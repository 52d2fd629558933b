package dev.medley.plan.policy;

import static dev.medley.base.ConfigException.check;

import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/**
 * Chooses the samples of a step: a pure function of the gradient's noise and the workers' speed. It
 * maximises goodput (Pollux: Qiao et al., OSDI 2021), the samples a second times what one of them
 * teaches. With B0 the batch that the run began with and phi the noise scale, AdaptDL's efficiency
 * [(v + m) / (v B0/B + m)] / (B/B0) is
 *
 * <pre>
 *     efficiency(B) = (phi + B0) / (phi + B)
 * </pre>
 *
 * <p>The learning rate follows AdaScale's gain (Johnson et al., ICML 2020, arXiv 2007.05105), which
 * is (phi/B0 + 1) / (phi/B + 1); its square root for optimizers that divide by the gradient's own
 * size.
 *
 * @param first samples of a step to begin with, and at least
 * @param largest samples of a step at most
 * @param rootOfGain whether the learning rate grows with the square root of the gain
 * @param leastGain the least part by which goodput has to grow for a change
 */
public record BatchPolicy(int first, int largest, boolean rootOfGain, double leastGain) {
    private static final int CANDIDATES = 50;

    /** How much a batch may change at once: times of much larger shares are guesses. */
    private static final double MOST_CHANGE = 2;

    public BatchPolicy {
        check(
                1 <= first && first <= largest,
                "a batch from %d to %d samples: the first at least 1, the second no less",
                first,
                largest);
    }

    /** Changes that are worth a tenth; the learning rate grows with the gain, as for SGD. */
    public static BatchPolicy of(int first, int largest) {
        return new BatchPolicy(first, largest, false, 0.1);
    }

    /** The same where the learning rate grows with the root of the gain, as for Adam. */
    public static BatchPolicy ofRoot(int first, int largest) {
        return new BatchPolicy(first, largest, true, 0.1);
    }

    /** The same with a bound on the batch beside the user's; the first batch stays in any case. */
    public BatchPolicy atMost(int samples) {
        int bounded = Math.max(first, Math.min(largest, samples));
        return new BatchPolicy(first, bounded, rootOfGain, leastGain);
    }

    /**
     * What to do.
     *
     * @param batch from now on
     * @param learningRateScale on top of the schedule's factor
     * @param isChange whether that is another batch
     * @param why one sentence
     */
    public record Decision(int batch, double learningRateScale, boolean isChange, String why) {}

    /**
     * The batch of the greatest goodput, if it is worth a change; else the one at hand. A larger
     * batch has to be worth it with the least noise that there may be, a smaller one with the most:
     * a batch that follows every doubt would never settle.
     *
     * @param batch at hand
     * @param noise scale phi
     * @param stepNs time of a step by its batch
     */
    public Decision decide(int batch, GradientNoise.Scale noise, IntToDoubleFunction stepNs) {
        int best = batch;
        double most = 1;
        for (int i = 0; i <= CANDIDATES; i++) {
            int candidate = candidate(batch, i);
            double phi = candidate > batch ? noise.least() : noise.most();
            double gain = goodput(candidate, phi, stepNs) / goodput(batch, phi, stepNs);
            if (gain > most) {
                best = candidate;
                most = gain;
            }
        }
        if (best == batch || most < 1 + leastGain) {
            String why = "the batch stays %d: the best one would gain %.0f %%";
            return new Decision(
                    batch,
                    learningRateScale(batch, noise.least()),
                    false,
                    why.formatted(batch, 100 * (most - 1)));
        }
        double phi = best > batch ? noise.least() : noise.most();
        return new Decision(
                best,
                learningRateScale(best, noise.least()),
                true,
                why(batch, best, phi, most, stepNs, learningRateScale(best, noise.least())));
    }

    /** What a sample of a step of this batch teaches, against one of a step of the first batch. */
    public double efficiency(int batch, double noiseScale) {
        return Double.isInfinite(noiseScale) ? 1 : (noiseScale + first) / (noiseScale + batch);
    }

    /** Factor on the learning rate for this batch; 1 for the first. */
    public double learningRateScale(int batch, double noiseScale) {
        double gain =
                Double.isInfinite(noiseScale)
                        ? (double) batch / first
                        : (noiseScale / first + 1) / (noiseScale / batch + 1);
        return rootOfGain ? Math.sqrt(gain) : gain;
    }

    private double goodput(int batch, double noiseScale, IntToDoubleFunction stepNs) {
        return batch / stepNs.applyAsDouble(batch) * efficiency(batch, noiseScale);
    }

    /** Geometric between what may be reached at once, within the user's bounds. */
    private int candidate(int batch, int i) {
        double low = Math.max(first, batch / MOST_CHANGE);
        double high = Math.min(largest, batch * MOST_CHANGE);
        long rounded = Math.round(low * Math.pow(high / low, (double) i / CANDIDATES));
        return (int) Math.min(largest, Math.max(first, rounded));
    }

    private String why(
            int from,
            int to,
            double noiseScale,
            double gain,
            IntToDoubleFunction stepNs,
            double rate) {
        String bound = to > from ? "at least" : "at most";
        String noise =
                Double.isInfinite(noiseScale)
                        ? "the gradient is nearly all noise"
                        : String.format(
                                Locale.ROOT,
                                "the noise scale is %s %,.0f samples",
                                bound,
                                noiseScale);
        return String.format(
                Locale.ROOT,
                "the batch changes from %d to %d: %s, so a sample teaches %.2f of what it did, and"
                        + " a step will take %.1f ms instead of %.1f; %.2fx the progress a second;"
                        + " learning rate x %.2f",
                from,
                to,
                noise,
                efficiency(to, noiseScale) / efficiency(from, noiseScale),
                stepNs.applyAsDouble(to) / 1e6,
                stepNs.applyAsDouble(from) / 1e6,
                gain,
                rate);
    }
}
