package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

/**
 * The rules by which workers exchange within a round, for strategies whose workers do.
 *
 * @param sync whom a parameter server waits for
 * @param staleness clocks that a worker may be ahead of the slowest, with {@link Sync#STALE}; else
 *     0. A clock is a batch of {@code train.batch} samples over all workers
 * @param mixEvery inner batches after which a worker of a gossip sends half of its weight away
 * @param servers the servers that workers push to
 */
public record AsyncSpec(Sync sync, int staleness, int mixEvery, Servers servers) {
    /** For strategies whose workers exchange at the end of a round alone. */
    public static final AsyncSpec NONE = new AsyncSpec(Sync.BULK, 0, 1);

    /** The workers that a parameter server waits for before it answers one. */
    public enum Sync {
        /** For all: every clock all gradients are summed, then applied once. */
        BULK,
        /** For those who are too far behind. */
        STALE,
        /** For nobody. */
        ASYNC
    }

    /** The servers that a worker of a parameter server pushes to. */
    public enum Servers {
        /** To all members, each of which holds a part of the parameters. */
        ALL,
        /** To those of its site, which forward what they merged to the servers of other sites. */
        PER_SITE
    }

    public AsyncSpec {
        WrittenStrategy.requireWhole("exchange within rounds", sync, servers);
        check(staleness >= 0, "strategy.staleness=%d: 0 clocks or more", staleness);
        check(mixEvery >= 1, "strategy.mix_every=%d: at least 1 batch", mixEvery);
        check(
                sync == Sync.STALE || staleness == 0,
                "strategy.staleness=%d is a bound of strategy.sync=stale; strategy.sync=%s has"
                        + " none: take stale, or leave strategy.staleness out",
                staleness,
                sync.name().toLowerCase(java.util.Locale.ROOT));
    }

    /** Where pushes go to all servers. */
    public AsyncSpec(Sync sync, int staleness, int mixEvery) {
        this(sync, staleness, mixEvery, Servers.ALL);
    }

    /** Workers at most so many clocks ahead of the slowest. */
    public static AsyncSpec stale(int clocks) {
        return new AsyncSpec(Sync.STALE, clocks, 1);
    }

    /** A parameter server that waits for all, or for nobody. */
    public static AsyncSpec of(Sync sync) {
        return sync == Sync.STALE ? stale(4) : new AsyncSpec(sync, 0, 1);
    }

    /** The same with pushes to others. */
    public AsyncSpec with(Servers others) {
        return new AsyncSpec(sync, staleness, mixEvery, others);
    }

    /** A gossip after so many inner batches. */
    public static AsyncSpec mixing(int every) {
        return new AsyncSpec(Sync.BULK, 0, every);
    }
}
