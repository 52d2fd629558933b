package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import java.util.List;
import java.util.Objects;

/**
 * When and with whom workers exchange.
 *
 * @param kind the strategy
 * @param transport how buckets travel
 * @param bucketBytes size at which a bucket leaves
 * @param shares relative shares of the workers; empty where {@code balance} decides
 * @param balance what the shares of a step follow where they are not given. Null, as in the records
 *     of versions that had no such component, is AUTO
 */
public record StrategySpec(
        Kind kind, Transport transport, int bucketBytes, List<Double> shares, Balance balance) {
    /** The strategies. */
    public enum Kind {
        /** Every step, all workers, weighted averaging. */
        DATA_PARALLEL
    }

    /** How buckets travel. */
    public enum Transport {
        /** Shared memory between processes of one host, else TCP. */
        AUTO,
        SHARED_MEMORY,
        TCP
    }

    /** What the shares of a step follow. */
    public enum Balance {
        /** Equal shares for processes of one machine. */
        AUTO,
        /** The measured speed of each worker, so that all are done at the same time. */
        SPEED,
        /** Nothing: equal shares. */
        NONE
    }

    public StrategySpec {
        balance = Objects.requireNonNullElse(balance, Balance.AUTO);
        shares = List.copyOf(shares);
        check(bucketBytes >= 1024, "strategy.bucket=%d bytes: at least 1 KiB", bucketBytes);
        check(
                shares.stream().allMatch(s -> s >= 0)
                        && (shares.isEmpty() || shares.stream().anyMatch(s -> s > 0)),
                "strategy.shares=%s: none below 0, one above",
                shares);
        check(
                shares.isEmpty() || balance != Balance.SPEED,
                "strategy.balance=speed, but strategy.shares=%s are given: leave one of them out",
                shares);
    }

    /** Data parallel, the transport that fits, buckets of 4 MiB. */
    public static StrategySpec defaults() {
        return new StrategySpec(
                Kind.DATA_PARALLEL, Transport.AUTO, 4 << 20, List.of(), Balance.AUTO);
    }
}
