package dev.medley.plan.forecast;

import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.plan.codec.Coarseness;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A strategy that a job could take.
 *
 * @param strategy with its round and its codec; not open
 */
public record Candidate(StrategySpec strategy) {
    /** Those whose time the forecast has a formula for. */
    private static final Set<Kind> FORESEEN =
            EnumSet.of(
                    Kind.DATA_PARALLEL,
                    Kind.LOCAL_SGD,
                    Kind.DILOCO,
                    Kind.HYBRID,
                    Kind.PARAMETER_SERVER,
                    Kind.GOSSIP);

    private static final Set<Kind> BY_LETTERS = EnumSet.of(Kind.PARAMETER_SERVER, Kind.GOSSIP);

    private static final int LOCAL_STEPS = 16;
    private static final int[] DILOCO_STEPS = {16, 32, 64, 128};
    private static final int HYBRID_STEPS = 64;

    /** Rounds whose change has a quarter of them to travel in, at once or in parts. */
    private static final List<RoundSpec> STREAMED =
            List.of(
                    streamed(32, new StreamSpec(4, 8)), // Under way all the time.
                    streamed(64, new StreamSpec(1, 16)));

    /**
     * A short round whose common step is hardly more than the mean of the changes. Some models
     * learn best so, others by the momentum of DiLoCo: the table of efficiencies knows which.
     */
    private static final RoundSpec CALM = RoundSpec.defaults(Kind.DILOCO).every(16).outer(1, 0.5);

    public Candidate {
        if (!isForeseen(strategy)) {
            throw new IllegalArgumentException(
                    "nothing foresees %s with %s".formatted(strategy.kind(), strategy.compress()));
        }
    }

    /** Whether there is a formula for a strategy. */
    public static boolean isForeseen(StrategySpec strategy) {
        return FORESEEN.contains(strategy.kind()) && Coarseness.isKnown(strategy.compress());
    }

    /**
     * What {@code auto} chooses among, with the transport, buckets and shares of {@code settings};
     * the plainest first. Codecs, changes that travel meanwhile and rounds between sites are among
     * them only where there is a border to cross.
     */
    public static List<Candidate> all(StrategySpec settings, int sites) {
        List<Candidate> all = new ArrayList<>();
        for (Compress codec : codecs(sites, Compress.NONE, Compress.BF16, Compress.INT8)) {
            all.add(of(settings, Kind.DATA_PARALLEL, 1, codec));
        }
        all.add(of(settings, Kind.LOCAL_SGD, LOCAL_STEPS, Compress.NONE));
        for (Compress codec : codecs(sites, Compress.NONE, Compress.INT8)) {
            for (int steps : DILOCO_STEPS) {
                all.add(of(settings, Kind.DILOCO, steps, codec));
            }
        }
        for (Compress codec : codecs(sites, Compress.NONE, Compress.INT8, Compress.INT4)) {
            all.add(of(settings, Kind.DILOCO, CALM, codec));
        }
        if (sites > 1) {
            for (Compress codec : List.of(Compress.NONE, Compress.INT8)) {
                STREAMED.forEach(round -> all.add(of(settings, Kind.DILOCO, round, codec)));
                all.add(of(settings, Kind.HYBRID, HYBRID_STEPS, codec));
            }
        }
        return List.copyOf(all);
    }

    private static RoundSpec streamed(int steps, StreamSpec stream) {
        return RoundSpec.defaults(Kind.DILOCO).every(steps).streaming(stream);
    }

    /**
     * What a plan shows: beside those that {@code auto} chooses among a parameter server and a
     * gossip, whose runs do not repeat, so that nobody but the user takes them.
     */
    public static List<Candidate> shown(StrategySpec settings, int sites) {
        List<Candidate> shown = new ArrayList<>(all(settings, sites));
        for (Kind kind : BY_LETTERS) {
            int steps = RoundSpec.defaults(kind).syncEvery();
            Candidate usual = of(settings, kind, steps, Compress.NONE);
            shown.add(usual);
            if (kind == Kind.PARAMETER_SERVER && sites > 1) {
                AsyncSpec perSite = usual.strategy().async().with(Servers.PER_SITE);
                shown.add(new Candidate(usual.strategy().with(perSite)));
            }
        }
        return List.copyOf(shown);
    }

    private static List<Compress> codecs(int sites, Compress... between) {
        return sites > 1 ? List.of(between) : List.of(Compress.NONE);
    }

    private static Candidate of(StrategySpec settings, Kind kind, int steps, Compress codec) {
        return of(settings, kind, RoundSpec.defaults(kind).every(steps), codec);
    }

    private static Candidate of(StrategySpec settings, Kind kind, RoundSpec round, Compress codec) {
        int inner = settings.round().innerBatch();
        boolean isAsked = kind != Kind.DATA_PARALLEL && inner > 0;
        return new Candidate(settings.as(kind, isAsked ? round.inBatchesOf(inner) : round, codec));
    }

    /** How changes travel while workers go on. */
    public StreamSpec stream() {
        return strategy.round().stream();
    }

    /** Steps of a batch between two exchanges. */
    public int syncEvery() {
        return strategy.round().syncEvery();
    }

    /** Whether workers go some steps by themselves. */
    public boolean hasRounds() {
        return strategy.kind() != Kind.DATA_PARALLEL;
    }

    /** Whether workers exchange one by one within a round: such a run does not repeat. */
    public boolean isByLetters() {
        return BY_LETTERS.contains(strategy.kind());
    }

    /** For people: "diloco every 64 steps, int8 between sites". */
    public String name() {
        String kind = word(strategy.kind());
        if (isByLetters()) {
            return kind + byLetters() + waiting();
        }
        String every = hasRounds() ? " every %d steps".formatted(syncEvery()) : "";
        String codec =
                strategy.compress() == Compress.NONE
                        ? ""
                        : ", %s between sites".formatted(word(strategy.compress()));
        return kind + every + outerStep() + travelling() + waiting() + codec;
    }

    private String outerStep() {
        RoundSpec round = strategy.round();
        RoundSpec usual = RoundSpec.defaults(strategy.kind());
        boolean isUsual =
                round.outerRate() == usual.outerRate()
                        && round.outerMomentum() == usual.outerMomentum();
        return isUsual
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", outer %s with momentum %s",
                        round.outerRate(),
                        round.outerMomentum());
    }

    private String travelling() {
        String parts =
                stream().fragments() == 1 ? "" : ", %d fragments".formatted(stream().fragments());
        return stream().overlap() == 0
                ? parts
                : parts + ", overlap %d".formatted(stream().overlap());
    }

    private String waiting() {
        QuorumSpec quorum = strategy.round().quorum();
        return quorum.isNone() ? "" : ", quorum " + quorum.text();
    }

    private String byLetters() {
        AsyncSpec async = strategy.async();
        if (strategy.kind() == Kind.GOSSIP) {
            return async.mixEvery() == 1
                    ? " after each batch"
                    : " after every %d batches".formatted(async.mixEvery());
        }
        String servers = async.servers() == Servers.PER_SITE ? ", servers per site" : "";
        return async.sync() == AsyncSpec.Sync.STALE
                ? ", %d clocks stale%s".formatted(async.staleness(), servers)
                : ", " + word(async.sync()) + servers;
    }

    /** What the codec leaves of a byte of float32; the coarsest, as thin links have it. */
    public double codedPart() {
        CodecSpec codec = strategy.codec();
        return Coarseness.of(codec.coarsest(strategy.compress()), codec).part();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
