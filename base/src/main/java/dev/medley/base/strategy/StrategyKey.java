package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.text.Words;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A key of {@code strategy} that has a meaning for some algorithms alone. Each algorithm names its
 * own ({@link Kind#keys}); what job files accept, what is checked and what messages say follows
 * from that.
 */
public enum StrategyKey {
    SYNC_EVERY((round, async) -> round.syncEvery(), 1),
    INNER_BATCH((round, async) -> round.innerBatch(), 0),
    OUTER((round, async) -> round.outer(), RoundSpec.Outer.NESTEROV),
    OUTER_LR((round, async) -> round.outerRate(), 1.0),
    OUTER_MOMENTUM((round, async) -> round.outerMomentum(), 0.0),
    FRAGMENTS((round, async) -> round.stream().fragments(), 1),
    OVERLAP((round, async) -> round.stream().overlap(), 0),
    QUORUM((round, async) -> round.quorum().text(), QuorumSpec.NONE.text()),
    GRACE(null, null),
    LATE_DECAY(null, null),
    LATE_ROUNDS(null, null),
    SYNC((round, async) -> async.sync(), AsyncSpec.Sync.BULK),
    STALENESS((round, async) -> async.staleness(), 0),
    SERVERS((round, async) -> async.servers(), AsyncSpec.Servers.ALL),
    MIX_EVERY((round, async) -> async.mixEvery(), 1);

    private final @Nullable BiFunction<RoundSpec, AsyncSpec, Object> value;
    private final @Nullable Object neutral;

    /**
     * A key.
     *
     * @param value of it; null where it says nothing without another key
     * @param neutral value, which is as if it were left out
     */
    StrategyKey(
            @Nullable BiFunction<RoundSpec, AsyncSpec, Object> value, @Nullable Object neutral) {
        this.value = value;
        this.neutral = neutral;
    }

    /** As job files have it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The algorithms for which it has a meaning. */
    public List<Kind> takers() {
        return Arrays.stream(Kind.values()).filter(kind -> kind.keys().contains(this)).toList();
    }

    /** Refuses settings of other algorithms, with the first of them. */
    static void requireOf(Kind kind, RoundSpec round, AsyncSpec async) {
        for (StrategyKey key : values()) {
            BiFunction<RoundSpec, AsyncSpec, Object> value = key.value;
            Object given = value == null ? null : value.apply(round, async);
            check(
                    given == null || kind.keys().contains(key) || given.equals(key.neutral),
                    "strategy.%s=%s has no meaning for strategy=%s; it goes with %s: take one of"
                            + " them, or leave it out",
                    key.word(),
                    given instanceof Enum<?> constant ? Words.of(constant) : given,
                    Words.of(kind),
                    Words.of(key.takers()));
        }
    }
}
