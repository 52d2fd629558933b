package dev.medley.benchmarks.serving;

import dev.medley.base.Seeds;
import dev.medley.benchmarks.serving.LoadOptions.Arrivals;
import java.util.random.RandomGenerator;

/** Gives the times at which requests are due, whatever the server does with those before. */
final class DueTimes {
    /** The gamma distribution whose deviation is twice its mean. */
    private static final double BURSTY_SHAPE = 0.25;

    private final Arrivals arrivals;
    private final double meanGapNs;
    private final RandomGenerator random;
    private double nextNs;

    DueTimes(Arrivals arrivals, double perSecond, long seed) {
        this.arrivals = arrivals;
        meanGapNs = 1e9 / perSecond;
        random = Seeds.generator(seed);
    }

    /** Nanoseconds from the start at which the next request is due. */
    long nextNs() {
        nextNs += meanGapNs * gap();
        return (long) nextNs;
    }

    private double gap() {
        return switch (arrivals) {
            case CONSTANT -> 1;
            case POISSON -> -Math.log(1 - random.nextDouble());
            case BURSTY -> gamma(BURSTY_SHAPE) / BURSTY_SHAPE;
        };
    }

    /** Marsaglia and Tsang, A simple method for generating gamma variables, TOMS 26 (2000). */
    private double gamma(double shape) {
        double d = shape + 1 - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = Math.pow(1 + c * x, 3);
            boolean isTaken =
                    v > 0
                            && Math.log(1 - random.nextDouble())
                                    < 0.5 * x * x + d - d * v + d * Math.log(v);
            if (isTaken) {
                return d * v * Math.pow(1 - random.nextDouble(), 1 / shape);
            }
        }
    }
}
