package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;
import static dev.medley.base.strategy.StrategyKey.INNER_BATCH;
import static dev.medley.base.strategy.StrategyKey.SERVERS;
import static dev.medley.base.strategy.StrategyKey.STALENESS;
import static dev.medley.base.strategy.StrategyKey.SYNC;
import static dev.medley.base.strategy.StrategyKey.SYNC_EVERY;

import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.Set;

/**
 * A parameter server: gradients go to servers, each of which holds and moves a part of the
 * parameters.
 *
 * @param syncEvery steps of {@code train.batch} samples between two exchanges of all
 * @param innerBatch samples of a push; 0 for a worker's part of the batch
 * @param sync whom the servers wait for
 * @param staleness clocks that a worker may be ahead of the slowest, with {@link Sync#STALE}
 * @param servers that workers push to
 */
public record ServerSpec(int syncEvery, int innerBatch, Sync sync, int staleness, Servers servers)
        implements Algorithm {
    /** For job files and their reference. */
    static final String WORDS =
            "gradients go to servers, which answer with parameters" + " (docs/parameter-server.md)";

    static final Set<StrategyKey> KEYS = Set.of(SYNC_EVERY, INNER_BATCH, SYNC, STALENESS, SERVERS);
    static final ServerSpec USUAL = new ServerSpec(32, 0, Sync.STALE, 4, Servers.ALL);

    public ServerSpec {
        RoundSpec unused = new RoundSpec(syncEvery, innerBatch, 1, 0);
        AsyncSpec alsoUnused = new AsyncSpec(sync, staleness, 1, servers);
    }

    static ServerSpec of(RoundSpec round, AsyncSpec async) {
        return new ServerSpec(
                round.syncEvery(),
                round.innerBatch(),
                async.sync(),
                async.staleness(),
                async.servers());
    }

    @Override
    public Kind kind() {
        return Kind.PARAMETER_SERVER;
    }

    @Override
    public RoundSpec round() {
        return new RoundSpec(syncEvery, innerBatch, 1, 0);
    }

    @Override
    public AsyncSpec async() {
        return new AsyncSpec(sync, staleness, 1, servers);
    }

    @Override
    public boolean isByLetters() {
        return true;
    }

    @Override
    public boolean isRepeatable() {
        return sync == Sync.BULK;
    }

    @Override
    public void requireFits(TrafficSpec traffic) {
        traffic.requireNoFactors("parameter-server");
        traffic.requireNoStepCodec("parameter-server");
        check(
                traffic.compress() != Compress.AUTO || servers == Servers.ALL,
                "strategy.compress=auto with strategy.servers=per-site: what servers forward goes"
                        + " through one codec for the whole run; name it");
        check(
                traffic.codec().borders().isEmpty() || servers == Servers.ALL,
                "strategy.borders with strategy.servers=per-site: what servers forward goes to all"
                        + " other sites through one codec; leave strategy.borders out");
    }
}
