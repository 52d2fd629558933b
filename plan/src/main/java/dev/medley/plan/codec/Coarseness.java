package dev.medley.plan.codec;

import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;

/**
 * The part of the bytes that a codec leaves, and the error that it makes ({@code docs/exchange.md},
 * "Codecs").
 *
 * <p>The error is that of one exchange, before what was left out is sent later: E|x - C(x)|^2 /
 * E|x|^2. For levels it is step^2 / 12 with the largest of a block of 512 normal numbers at 3.04
 * sigma; for floats of b bits of precision 2^(-2b) / 6; for topk what is beside the largest part d
 * of numbers from Laplace's distribution, 1 - d (1 + ln(1/d) + ln(1/d)^2 / 2), since gradients have
 * long tails; for signs what the mean magnitude leaves of normal numbers, 1 - 2 / pi.
 *
 * @param codec that is described; a named one
 * @param part of a float32's bytes that travels
 * @param error mean squared, relative
 */
public record Coarseness(Compress codec, double part, double error) {
    private static final int BLOCK = 512;
    private static final double SCALE_BITS = 32.0 / BLOCK;

    /** The largest of a block of normal numbers, in standard deviations, on average. */
    private static final double LARGEST = 3.04;

    /** Whether it can be said of a codec: what powersgd leaves depends on the model. */
    public static boolean isKnown(Compress codec) {
        return codec != Compress.POWERSGD && codec != Compress.AUTO;
    }

    /** What a strategy's codec leaves of a float32; the coarsest, as thin links have it. */
    public static double partOf(StrategySpec strategy) {
        CodecSpec codec = strategy.codec();
        return of(codec.coarsest(strategy.compress()), codec).part();
    }

    /** Of one codec. */
    public static Coarseness of(Compress codec, CodecSpec spec) {
        return switch (codec) {
            case NONE -> new Coarseness(codec, 1, 0);
            case BF16 -> new Coarseness(codec, 0.5, ofFloat(8));
            case FP16 -> new Coarseness(codec, (16 + SCALE_BITS) / 32, ofFloat(11));
            case INT8 -> new Coarseness(codec, (8 + SCALE_BITS) / 32, ofLevels(127));
            case INT4 -> new Coarseness(codec, (4 + SCALE_BITS) / 32, ofLevels(7));
            case ONEBIT -> new Coarseness(codec, (1 + SCALE_BITS) / 32, 1 - 2 / Math.PI);
            case TOPK ->
                    new Coarseness(
                            codec,
                            Math.max(1.0 / BLOCK, spec.density()),
                            1 - ofLargest(spec.density()));
            case POWERSGD, AUTO ->
                    throw new IllegalArgumentException("what " + codec + " leaves is not known");
        };
    }

    /** Whether it leaves fewer bytes and errs no more. */
    boolean isBetterThan(Coarseness other) {
        return part < other.part && error <= other.error;
    }

    private static double ofFloat(int bits) {
        return Math.pow(2, -2 * bits) / 6;
    }

    private static double ofLevels(int most) {
        double step = LARGEST / most;
        return step * step / 12;
    }

    private static double ofLargest(double density) {
        double z = Math.log(1 / density);
        return density * (1 + z + z * z / 2);
    }
}
