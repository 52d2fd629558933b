package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import java.util.List;

/**
 * When and with whom workers exchange.
 *
 * @param kind the strategy
 * @param transport how buckets travel
 * @param bucketBytes size at which a bucket leaves
 * @param shares relative shares of the workers; empty for equal ones
 */
public record StrategySpec(Kind kind, Transport transport, int bucketBytes, List<Double> shares) {
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

    public StrategySpec {
        shares = List.copyOf(shares);
        check(bucketBytes >= 1024, "strategy.bucket=%d bytes: at least 1 KiB", bucketBytes);
        check(
                shares.stream().allMatch(s -> s >= 0)
                        && (shares.isEmpty() || shares.stream().anyMatch(s -> s > 0)),
                "strategy.shares=%s: none below 0, one above",
                shares);
    }

    /** Data parallel, the transport that fits, buckets of 4 MiB. */
    public static StrategySpec defaults() {
        return new StrategySpec(Kind.DATA_PARALLEL, Transport.AUTO, 4 << 20, List.of());
    }
}
