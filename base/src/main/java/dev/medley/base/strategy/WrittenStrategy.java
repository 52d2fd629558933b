package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A strategy as it is written in records and sent to workers: all settings of all algorithms. */
record WrittenStrategy(
        Kind kind,
        Transport transport,
        int bucketBytes,
        List<Double> shares,
        Balance balance,
        RoundSpec round,
        Compress compress,
        CodecSpec codec,
        AsyncSpec async,
        Stragglers stragglers) {
    WrittenStrategy {
        requireWhole(
                "strategy",
                kind,
                transport,
                shares,
                balance,
                round,
                compress,
                codec,
                async,
                stragglers);
    }

    /** Refuses a record that another build wrote, which has no such part. */
    static void requireWhole(String what, @Nullable Object... parts) {
        check(
                Stream.of(parts).allMatch(Objects::nonNull),
                "the %s in this record lacks a part: another build of Medley wrote it",
                what);
    }

    static WrittenStrategy of(StrategySpec spec) {
        return new WrittenStrategy(
                spec.kind(),
                spec.transport(),
                spec.bucketBytes(),
                spec.shares(),
                spec.balance(),
                spec.round(),
                spec.compress(),
                spec.codec(),
                spec.async(),
                spec.stragglers());
    }

    StrategySpec strategy() {
        return new StrategySpec(
                kind.of(round, async),
                new TrafficSpec(transport, bucketBytes, compress, codec),
                new DivisionSpec(shares, balance, stragglers));
    }
}
