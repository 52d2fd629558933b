package dev.medley.api.job;

import dev.medley.api.yaml.Quantity;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.strategy.Algorithm;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.DivisionSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.base.strategy.TrafficSpec;
import dev.medley.base.track.TrackSpec;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the keys beside data, model and training into their records. */
final class RunSections {
    /** Workers of a job that does not say how many. */
    static final int WORKERS = 2;

    private RunSections() {}

    static ClusterSpec cluster(Section cluster, Path folder) {
        ClusterSpec absent = ClusterSpec.ofWorkers(WORKERS);
        boolean joins = cluster.has("listen");
        return new ClusterSpec(
                cluster.count(cluster.has("expect") ? "expect" : "workers", absent.workers()),
                cluster.count("threads", absent.threads()),
                cluster.texts("java_options", absent.javaOptions()),
                cluster.texts("class_path", absent.classPath()).stream()
                        .map(p -> DataSection.resolve(folder, p))
                        .toList(),
                cluster.duration("heartbeat", absent.heartbeatNs()),
                cluster.duration("peer_timeout", absent.peerTimeoutNs()),
                cluster.duration("step_timeout", absent.stepTimeoutNs()),
                cluster.count("restarts", absent.restarts()),
                joins ? join(cluster, folder) : null);
    }

    private static JoinSpec join(Section cluster, Path folder) {
        JoinSpec usual = JoinSpec.at(cluster.text("listen", ""));
        return new JoinSpec(
                usual.listen(),
                cluster.duration("join_timeout", usual.timeoutNs()),
                cluster.size("send", usual.sendBytes()),
                path(cluster, "credentials", folder),
                path(cluster, "token_file", folder),
                cluster.constant("encrypt", JoinSpec.Encrypt.class, usual.encrypt()),
                cluster.has("data_store") ? cluster.text("data_store", "") : null,
                cluster.constant("begin", JoinSpec.Begin.class, usual.begin()));
    }

    private static @Nullable String path(Section section, String key, Path folder) {
        return section.has(key) ? DataSection.resolve(folder, section.text(key, "")) : null;
    }

    static StrategySpec strategy(Section strategy) {
        StrategySpec absent = StrategySpec.defaults();
        long bucketBytes = strategy.size("bucket", absent.bucketBytes());
        if (bucketBytes < 1024 || bucketBytes > Integer.MAX_VALUE) {
            strategy.complain(
                    "bucket",
                    "strategy.bucket: found %s, expected from 1 KiB to below 2 GiB"
                            .formatted(Quantity.size(bucketBytes)));
            bucketBytes = absent.bucketBytes();
        }
        StrategySpec.Kind kind = strategy.constant("kind", StrategySpec.Kind.class, absent.kind());
        TrafficSpec traffic =
                new TrafficSpec(
                        strategy.constant(
                                "transport", StrategySpec.Transport.class, absent.transport()),
                        (int) bucketBytes,
                        strategy.constant(
                                "compress", StrategySpec.Compress.class, absent.compress()),
                        codec(strategy, absent.codec()));
        DivisionSpec division =
                new DivisionSpec(
                        strategy.numbers("shares", List.of()),
                        strategy.constant("balance", StrategySpec.Balance.class, absent.balance()),
                        stragglers(strategy, absent.stragglers()));
        Algorithm algorithm = kind.of(round(strategy, kind), async(strategy, kind.usual().async()));
        return new StrategySpec(algorithm, traffic, division);
    }

    private static CodecSpec codec(Section strategy, CodecSpec absent) {
        return new CodecSpec(
                strategy.number("density", absent.density()),
                strategy.count("exact_steps", (int) absent.exactSteps()),
                strategy.count("rank", absent.rank()),
                codecs(strategy, absent.among()),
                (long) strategy.count("density_steps", (int) absent.densitySteps()),
                strategy.flag("momentum_correction", absent.correctsMomentum()),
                strategy.number("residual_decay", absent.residualDecay()),
                strategy.sections("borders").stream().map(RunSections::border).toList());
    }

    private static BorderCodec border(Section border) {
        return new BorderCodec(
                border.text("from", ""),
                border.text("to", ""),
                border.constant("codec", StrategySpec.Compress.class, StrategySpec.Compress.NONE));
    }

    private static List<StrategySpec.Compress> codecs(
            Section strategy, List<StrategySpec.Compress> absent) {
        return strategy.has("codecs")
                ? strategy.texts("codecs", List.of()).stream()
                        .map(word -> Section.constant(word, StrategySpec.Compress.class))
                        .toList()
                : absent;
    }

    /** A bound goes with {@code sync: stale} alone, so without it another sync has none. */
    private static AsyncSpec async(Section strategy, AsyncSpec absent) {
        AsyncSpec.Sync sync = strategy.constant("sync", AsyncSpec.Sync.class, absent.sync());
        return new AsyncSpec(
                sync,
                strategy.count("staleness", AsyncSpec.of(sync).staleness()),
                strategy.count("mix_every", absent.mixEvery()),
                strategy.constant("servers", AsyncSpec.Servers.class, absent.servers()));
    }

    private static StrategySpec.Stragglers stragglers(
            Section strategy, StrategySpec.Stragglers absent) {
        return new StrategySpec.Stragglers(
                strategy.constant(
                        "stragglers", StrategySpec.Stragglers.Policy.class, absent.policy()),
                strategy.number("straggler_bound", absent.bound()));
    }

    private static RoundSpec round(Section strategy, StrategySpec.Kind kind) {
        RoundSpec absent = RoundSpec.defaults(kind);
        RoundSpec.Outer outer = strategy.constant("outer", RoundSpec.Outer.class, absent.outer());
        return new RoundSpec(
                strategy.count("sync_every", absent.syncEvery()),
                strategy.count("inner_batch", absent.innerBatch()),
                strategy.number("outer_lr", RoundSpec.outerRate(kind, outer)),
                strategy.number("outer_momentum", absent.outerMomentum()),
                new StreamSpec(
                        strategy.count("fragments", absent.stream().fragments()),
                        strategy.count("overlap", absent.stream().overlap())),
                outer,
                quorum(strategy, absent.quorum()));
    }

    /** A grace is a time, or with a percent sign a part of the round. */
    private static QuorumSpec quorum(Section strategy, QuorumSpec absent) {
        String grace = strategy.text("grace", "");
        boolean isPart = grace.endsWith("%");
        double part = isPart ? Quantity.percent(grace) : 0;
        return new QuorumSpec(
                strategy.number("quorum", absent.quorum()),
                isPart ? 0 : strategy.duration("grace", absent.graceNs()),
                strategy.has("grace") ? part : absent.graceShare(),
                strategy.number("late_decay", absent.lateDecay()),
                strategy.count("late_rounds", absent.lateRounds()));
    }

    static CheckpointSpec checkpoint(Section checkpoint) {
        CheckpointSpec absent = CheckpointSpec.defaults();
        return new CheckpointSpec(
                checkpoint.integer("every_steps", absent.everySteps()),
                checkpoint.duration("every", absent.everyNs()),
                checkpoint.count("keep", absent.keep()),
                checkpoint.textOrNull("store"));
    }

    static TrackSpec track(Section track, Path folder) {
        return new TrackSpec(
                track.textOrNull("mlflow"),
                track.textOrNull("experiment"),
                track.textOrNull("register"),
                track.flag("required", false),
                track.isWord("tensorboard")
                        ? DataSection.resolve(folder, track.text("tensorboard", ""))
                        : track.flag("tensorboard", false) ? TrackSpec.IN_RUN : null);
    }
}
