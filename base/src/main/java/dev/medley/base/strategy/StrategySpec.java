package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The strategy by which workers exchange: when, with whom, and in which form.
 *
 * @param kind the strategy
 * @param transport how buckets travel
 * @param bucketBytes size at which a bucket leaves
 * @param shares relative shares of the workers; empty where {@code balance} decides
 * @param balance what the shares of a step follow where they are not given. Null, as in the records
 *     of versions that had no such component, is AUTO
 * @param round what lies between two exchanges. Null, as in such records, is every step
 * @param compress how gradients and changes travel, between sites or everywhere. Null, as in such
 *     records, is NONE
 * @param codec how far that goes. Null, as in such records, is the default
 * @param async how workers exchange within a round. Null, as in such records, is what the kind does
 *     if nothing is said
 * @param stragglers what becomes of a worker that is late. Null, as in such records, is WAIT
 */
public record StrategySpec(
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
    /** Those whose sums may travel as factors. */
    private static final Set<Kind> FACTORED =
            EnumSet.of(Kind.DATA_PARALLEL, Kind.LOCAL_SGD, Kind.DILOCO);

    /** With more momentum of the common step, what factors bring rounds late does not learn. */
    private static final double MOST_MOMENTUM = 0.3;

    /** The strategies. */
    public enum Kind {
        /** Every step, all workers, weighted averaging. */
        DATA_PARALLEL,
        /** Some steps each worker by itself, then the average of their parameters. */
        LOCAL_SGD,
        /** The same, but all go on along the mean of their changes with Nesterov's momentum. */
        DILOCO,
        /** The same between sites, whose workers sum their gradients in each inner step. */
        HYBRID,
        /** Gradients go to servers, each of which holds and moves a part of the parameters. */
        PARAMETER_SERVER,
        /** Each worker averages its parameters with one neighbour at a time. */
        GOSSIP,
        /** One of the others, chosen when the workers and the ways between them are known. */
        AUTO;

        /** Whether single workers exchange within a round. */
        public boolean isAsync() {
            return this == PARAMETER_SERVER || this == GOSSIP;
        }
    }

    /** How buckets travel. */
    public enum Transport {
        /** Shared memory between processes of one host, else TCP. */
        AUTO,
        SHARED_MEMORY,
        TCP
    }

    /** The figures that the shares of a step follow. */
    public enum Balance {
        /** Equal shares for processes of one machine. */
        AUTO,
        /** The measured speed of each worker, so that all are done at the same time. */
        SPEED,
        /** Nothing: equal shares. */
        NONE
    }

    /** How gradients and changes cross the border of a site; POWERSGD also within a site. */
    public enum Compress {
        /** As they are. */
        NONE,
        /** The upper half of a float: half the bytes. */
        BF16,
        /** Half precision with a scale for each block: half the bytes. */
        FP16,
        /** 255 levels with a scale for each block: a quarter of the bytes. */
        INT8,
        /** 15 levels with a scale for each block: an eighth of the bytes. */
        INT4,
        /**
         * The largest of each block with their places: of one in a hundred, a 100th of the bytes.
         */
        TOPK,
        /** The sign of each, and the mean magnitude of each block: a 30th of the bytes. */
        ONEBIT,
        /**
         * Two thin matrices in the place of each large one: of a rank that is small beside its
         * sides, hundreds of times fewer bytes.
         */
        POWERSGD,
        /** One of those before, but for ONEBIT and POWERSGD, chosen while the run goes on. */
        AUTO
    }

    /**
     * The treatment of a worker that is late again and again.
     *
     * @param policy for it
     * @param bound times its usual time, and that of the others, at which it is late
     */
    public record Stragglers(Policy policy, double bound) {
        /** They are waited for. */
        public static final Stragglers DEFAULTS = new Stragglers(Policy.WAIT, 3);

        /** The policies for such a worker. */
        public enum Policy {
            /** All wait for it. */
            WAIT,
            /** It gets less at once. */
            SHRINK,
            /** The others go on without it; it is asked back when it is well. */
            LEAVE
        }

        public Stragglers {
            check(bound > 1, "strategy.straggler_bound=%s: above 1", bound);
        }
    }

    public StrategySpec {
        stragglers = Objects.requireNonNullElse(stragglers, Stragglers.DEFAULTS);
        compress = Objects.requireNonNullElse(compress, Compress.NONE);
        async = Objects.requireNonNullElse(async, AsyncSpec.defaults(kind));
        balance = Objects.requireNonNullElse(balance, Balance.AUTO);
        round = Objects.requireNonNullElse(round, RoundSpec.EVERY_STEP);
        codec = Objects.requireNonNullElse(codec, CodecSpec.DEFAULT);
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
        requireRound(kind, round, compress);
        check(
                kind != Kind.DATA_PARALLEL || round.equals(RoundSpec.EVERY_STEP),
                "strategy.sync_every=%d, strategy.inner_batch=%d: data-parallel exchanges in every"
                        + " step; take local-sgd, diloco or hybrid, or leave them out",
                round.syncEvery(),
                round.innerBatch());
        check(
                kind == Kind.PARAMETER_SERVER || async.sync() == AsyncSpec.Sync.BULK,
                "strategy.sync=%s: only a parameter-server has it",
                async.sync().name().toLowerCase(java.util.Locale.ROOT));
        check(
                kind == Kind.PARAMETER_SERVER || async.servers() == AsyncSpec.Servers.ALL,
                "strategy.servers=per-site: only a parameter-server has servers; take it, or leave"
                        + " strategy.servers out");
        check(
                compress != Compress.AUTO || async.servers() == AsyncSpec.Servers.ALL,
                "strategy.compress=auto with strategy.servers=per-site: what servers forward goes"
                        + " through one codec for the whole run; name it");
        check(
                codec.borders().isEmpty() || async.servers() == AsyncSpec.Servers.ALL,
                "strategy.borders with strategy.servers=per-site: what servers forward goes to all"
                        + " other sites through one codec; leave strategy.borders out");
        check(
                kind == Kind.GOSSIP || async.mixEvery() == 1,
                "strategy.mix_every=%d: only gossip mixes",
                async.mixEvery());
        check(
                !kind.isAsync() || (round.outerRate() == 1 && round.outerMomentum() == 0),
                "strategy.outer_lr=%s, strategy.outer_momentum=%s: only diloco and hybrid have"
                        + " them; leave them out",
                round.outerRate(),
                round.outerMomentum());
        check(
                kind != Kind.AUTO
                        || (round.equals(RoundSpec.EVERY_STEP) && compress == Compress.NONE),
                "strategy.sync_every=%d, strategy.compress=%s: auto chooses them; leave them out,"
                        + " or name a strategy",
                round.syncEvery(),
                compress);
        requireCodec(kind, round, compress, codec);
        requireWholeAverage(kind, compress, codec);
        check(
                kind != Kind.LOCAL_SGD || (round.outerRate() == 1 && round.outerMomentum() == 0),
                "strategy.outer_lr=%s, strategy.outer_momentum=%s: local-sgd averages; take diloco,"
                        + " or leave them out",
                round.outerRate(),
                round.outerMomentum());
    }

    private static void requireRound(Kind kind, RoundSpec round, Compress compress) {
        check(
                kind == Kind.DILOCO || round.stream().isNone(),
                "strategy.fragments=%d, strategy.overlap=%d: only diloco's changes travel while"
                        + " workers go on; take diloco, or leave them out",
                round.stream().fragments(),
                round.stream().overlap());
        check(
                round.quorum().isNone() || kind == Kind.LOCAL_SGD || kind == Kind.DILOCO,
                "strategy.quorum=%s goes with local-sgd and diloco, not with strategy=%s: take one"
                        + " of them, or leave the quorum out",
                round.quorum().text(),
                word(kind));
        check(
                round.quorum().isNone() || compress != Compress.POWERSGD,
                "strategy.quorum=%s does not go with strategy.compress=powersgd, whose factors"
                        + " need all workers: take another codec, or leave the quorum out",
                round.quorum().text());
        check(
                round.outer() == RoundSpec.Outer.NESTEROV
                        || kind == Kind.DILOCO
                        || kind == Kind.HYBRID,
                "strategy.outer=adam goes with diloco and hybrid, not with strategy=%s",
                word(kind));
    }

    private static String word(Kind kind) {
        return kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    private static void requireCodec(
            Kind kind, RoundSpec round, Compress compress, CodecSpec codec) {
        check(
                compress != Compress.POWERSGD || FACTORED.contains(kind),
                "strategy.compress=powersgd goes with data-parallel, local-sgd and diloco, not with"
                        + " strategy=%s: take one of them, or another codec",
                word(kind));
        check(
                codec.borders().isEmpty() || kind != Kind.AUTO,
                "strategy.borders with strategy=auto, which chooses the codecs: leave"
                        + " strategy.borders out, or name a strategy");
        check(
                codec.borders().isEmpty() || compress.compareTo(Compress.TOPK) <= 0,
                "strategy.compress=%s with strategy.borders: it is for all borders, or chooses"
                        + " their codecs itself; leave strategy.borders out, or name another codec",
                compress.name().toLowerCase(java.util.Locale.ROOT));
        check(
                compress != Compress.ONEBIT || kind == Kind.DATA_PARALLEL,
                "strategy.compress=onebit goes with data-parallel, not with strategy=%s: signs of"
                        + " each step's gradients make up for each other, those of rounds are too"
                        + " few; take it, or another codec",
                word(kind));
        check(
                !codec.correctsMomentum()
                        || (kind == Kind.DATA_PARALLEL && compress == Compress.TOPK),
                "strategy.momentum_correction=true goes with data-parallel and compress=topk: take"
                        + " them, or leave it out");
        check(
                compress != Compress.POWERSGD
                        || kind != Kind.DILOCO
                        || (round.outerMomentum() <= MOST_MOMENTUM && round.stream().isNone()),
                "strategy.compress=powersgd with diloco, strategy.outer_momentum=%s,"
                    + " strategy.fragments=%d, strategy.overlap=%d: it learns with a momentum of %s"
                    + " at most, and does not travel in fragments or meanwhile; change them, or"
                    + " take another codec",
                round.outerMomentum(),
                round.stream().fragments(),
                round.stream().overlap(),
                MOST_MOMENTUM);
        check(
                !mayBeSparse(compress, codec)
                        || round.outerMomentum() <= MOST_MOMENTUM
                        || codec.residualDecay() < 1,
                "strategy.compress=topk with strategy=%s, strategy.outer_momentum=%s: a change that"
                        + " is left out is found anew in the next round, adds up, and does not"
                        + " learn; set strategy.residual_decay (0.7 was best), a momentum of %s at"
                        + " most, or take another codec",
                word(kind),
                round.outerMomentum(),
                MOST_MOMENTUM);
    }

    /** What is left out of the average comes with a later round's, so it must be little. */
    private static void requireWholeAverage(Kind kind, Compress compress, CodecSpec codec) {
        check(
                kind != Kind.GOSSIP || !mayBeSparse(compress, codec),
                "strategy.compress=topk with strategy=gossip, whose average would lack most of what"
                        + " was learnt: take another codec, or leave topk out of"
                        + " strategy.codecs and strategy.borders");
    }

    private static boolean mayBeSparse(Compress compress, CodecSpec codec) {
        return codec.coarsest(compress) == Compress.TOPK
                || (compress == Compress.AUTO && codec.among().contains(Compress.TOPK));
    }

    /** A strategy that waits for stragglers. */
    public StrategySpec(
            Kind kind,
            Transport transport,
            int bucketBytes,
            List<Double> shares,
            Balance balance,
            RoundSpec round,
            Compress compress,
            CodecSpec codec,
            AsyncSpec async) {
        this(
                kind,
                transport,
                bucketBytes,
                shares,
                balance,
                round,
                compress,
                codec,
                async,
                Stragglers.DEFAULTS);
    }

    /** A strategy with its usual round. */
    public StrategySpec(
            Kind kind, Transport transport, int bucketBytes, List<Double> shares, Balance balance) {
        this(
                kind,
                transport,
                bucketBytes,
                shares,
                balance,
                RoundSpec.defaults(kind),
                Compress.NONE,
                CodecSpec.DEFAULT,
                AsyncSpec.defaults(kind));
    }

    /** Data parallel, the transport that fits, buckets of 4 MiB. */
    public static StrategySpec defaults() {
        return defaults(Kind.DATA_PARALLEL);
    }

    /** A strategy with its usual round, the transport that fits, buckets of 4 MiB. */
    public static StrategySpec defaults(Kind kind) {
        return new StrategySpec(kind, Transport.AUTO, 4 << 20, List.of(), Balance.AUTO);
    }

    /**
     * Whether the same job and plans give the same bits, whatever came first: not where what
     * happens depends on the order in which letters of several workers come.
     */
    public boolean isRepeatable() {
        return kind != Kind.GOSSIP
                && async.sync() == AsyncSpec.Sync.BULK
                && round.quorum().isNone();
    }

    /** Whether workers write letters to each other beside the sums. */
    public boolean hasPost() {
        return kind.isAsync() || !round.quorum().isNone();
    }

    /** The same with shares in these proportions; empty for those that follow the balance. */
    public StrategySpec with(List<Double> relative, Balance followed) {
        return new StrategySpec(
                kind,
                transport,
                bucketBytes,
                relative,
                followed,
                round,
                compress,
                codec,
                async,
                stragglers);
    }

    /** The same with another round. */
    public StrategySpec with(RoundSpec changed) {
        return new StrategySpec(
                kind,
                transport,
                bucketBytes,
                shares,
                balance,
                changed,
                compress,
                codec,
                async,
                stragglers);
    }

    /**
     * Another strategy with the same transport, buckets and shares, and one codec for all borders.
     */
    public StrategySpec as(Kind other, RoundSpec itsRound, Compress by) {
        return new StrategySpec(
                other,
                transport,
                bucketBytes,
                shares,
                balance,
                itsRound,
                by,
                codec.at(List.of()),
                AsyncSpec.defaults(other),
                stragglers);
    }

    /** Whether the codec is chosen, and perhaps chosen again, while the run goes on. */
    public boolean hasOpenCodec() {
        return compress == Compress.AUTO;
    }

    /** Whether it is still to be chosen. */
    public boolean isOpen() {
        return kind == Kind.AUTO;
    }

    /** The strategy that workers hold while it is open and nobody exchanges: data-parallel. */
    public StrategySpec whileOpen() {
        return isOpen() ? as(Kind.DATA_PARALLEL, RoundSpec.EVERY_STEP, Compress.NONE) : this;
    }

    /** The same with another codec between sites. */
    public StrategySpec with(Compress codecKind) {
        return with(codecKind, codec);
    }

    /** The same with another codec between sites that goes this far. */
    public StrategySpec with(Compress by, CodecSpec how) {
        return new StrategySpec(
                kind, transport, bucketBytes, shares, balance, round, by, how, async, stragglers);
    }

    /**
     * Whether what is summed is of the kind that another strategy sums, so that what a codec left
     * out there may be added here: gradients, momenta, or changes of parameters.
     */
    public boolean sendsTheLikeOf(StrategySpec other) {
        return kind == other.kind
                && codec.correctsMomentum().equals(other.codec.correctsMomentum());
    }

    /** The same with another exchange within a round. */
    public StrategySpec with(AsyncSpec changed) {
        return new StrategySpec(
                kind,
                transport,
                bucketBytes,
                shares,
                balance,
                round,
                compress,
                codec,
                changed,
                stragglers);
    }

    /** The same with another way with stragglers. */
    public StrategySpec with(Stragglers changed) {
        return new StrategySpec(
                kind,
                transport,
                bucketBytes,
                shares,
                balance,
                round,
                compress,
                codec,
                async,
                changed);
    }
}
