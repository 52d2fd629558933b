package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Compress;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The codec for what the machines of one site send to those of another: one border, in one
 * direction.
 *
 * @param from the site that sends
 * @param to the site that receives
 * @param codec of what is sent
 */
public record BorderCodec(String from, String to, Compress codec) {
    /** These concern more than one border: all of a step, or the choice itself. */
    private static final Set<Compress> OF_ALL_BORDERS =
            EnumSet.of(Compress.ONEBIT, Compress.POWERSGD, Compress.AUTO);

    public BorderCodec {
        check(
                !from.equals(to),
                "strategy.borders from=%s to=%s: inside a site nothing is coded; name two sites",
                from,
                to);
        check(
                !OF_ALL_BORDERS.contains(codec),
                "strategy.borders codec=%s: a border has none, bf16, fp16, int8, int4 or topk",
                codec.name().toLowerCase(Locale.ROOT));
    }

    /** Whether it is what {@code one} sends to {@code other}. */
    public boolean leads(String one, String other) {
        return from.equals(one) && to.equals(other);
    }
}
