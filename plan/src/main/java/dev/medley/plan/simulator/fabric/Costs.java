package dev.medley.plan.simulator.fabric;

import dev.medley.base.ConfigException;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import java.util.Locale;

/**
 * Holds the measured costs of an exchange on a core (benchmarks/results/2026-11-21-exchange.md and
 * 2026-11-21-codecs.md).
 */
public final class Costs {
    /** For a message, whatever its length; the exchange's own cost model has the same figure. */
    public static final double MESSAGE_NS = 20_000;

    /** To send, receive and add a byte, both ends together: 280 ms for 600 MB. */
    public static final double BYTE_NS = 0.45;

    /**
     * To send or to receive a byte of a letter, each end by itself: over TLS, copied, and what is
     * done with it on the thread of the post, such as to add it. Of profiles of three runs
     * (benchmarks/results/2026-11-23-simulated.md).
     */
    public static final double LETTER_BYTE_NS = 1.4;

    /** To encode and decode a byte of floats: 0.9 GB/s and 4.7 GB/s. */
    public static final double CODED_BYTE_NS = 1 / 0.9 + 1 / 4.7;

    /** To form a group anew with other shares: some tens of milliseconds (docs/balance.md). */
    public static final double FORMING_NS = 50e6;

    /** To probe the ways between machines: two seconds in a run's record (docs/balance.md). */
    public static final double PROBING_NS = 2e9;

    private Costs() {}

    /** Part of a slice's bytes that crosses a border: the bits of an element over 32. */
    public static double codedPart(Compress codec, CodecSpec spec) {
        return switch (codec) {
            case NONE -> 1;
            case BF16 -> 16 / 32.0;
            case FP16 -> 16.06 / 32;
            case INT8 -> 8.06 / 32;
            case INT4 -> 4.06 / 32;
            case ONEBIT -> 1.06 / 32;
            case TOPK -> Math.max(spec.density(), 0.375 / 32);
            case POWERSGD, AUTO ->
                    throw new ConfigException(
                            "strategy.compress=%s is not simulated: take another codec"
                                    .formatted(codec.name().toLowerCase(Locale.ROOT)));
        };
    }
}
