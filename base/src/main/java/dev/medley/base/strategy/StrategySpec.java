package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The strategy by which workers exchange: when and with whom, in which form, and who has how much
 * to do.
 *
 * @param algorithm when and with whom, and what comes of it
 * @param traffic in which form
 * @param division who has how much to do
 */
public record StrategySpec(Algorithm algorithm, TrafficSpec traffic, DivisionSpec division) {
    /** The algorithms by name. */
    public enum Kind {
        DATA_PARALLEL(
                DataParallelSpec.WORDS,
                DataParallelSpec.KEYS,
                DataParallelSpec.USUAL,
                (round, async) -> DataParallelSpec.USUAL),
        LOCAL_SGD(
                LocalSgdSpec.WORDS,
                LocalSgdSpec.KEYS,
                LocalSgdSpec.USUAL,
                (round, async) -> LocalSgdSpec.of(round)),
        DILOCO(
                DiLoCoSpec.WORDS,
                DiLoCoSpec.KEYS,
                DiLoCoSpec.USUAL,
                (round, async) -> new DiLoCoSpec(round)),
        HYBRID(
                HybridSpec.WORDS,
                HybridSpec.KEYS,
                HybridSpec.USUAL,
                (round, async) -> HybridSpec.of(round)),
        PARAMETER_SERVER(ServerSpec.WORDS, ServerSpec.KEYS, ServerSpec.USUAL, ServerSpec::of),
        GOSSIP(GossipSpec.WORDS, GossipSpec.KEYS, GossipSpec.USUAL, GossipSpec::of),
        AUTO(AutoSpec.WORDS, AutoSpec.KEYS, AutoSpec.USUAL, (round, async) -> AutoSpec.USUAL);

        private final String words;
        private final Set<StrategyKey> keys;
        private final Algorithm usual;
        private final BiFunction<RoundSpec, AsyncSpec, Algorithm> maker;

        Kind(
                String words,
                Set<StrategyKey> keys,
                Algorithm usual,
                BiFunction<RoundSpec, AsyncSpec, Algorithm> maker) {
            this.words = words;
            this.keys = keys;
            this.usual = usual;
            this.maker = maker;
        }

        /** Says in a few words what it does. */
        public String words() {
            return words;
        }

        /** The keys of its own, beside those that all have. */
        public Set<StrategyKey> keys() {
            return keys;
        }

        /** The algorithm if nothing is said of it. */
        public Algorithm usual() {
            return usual;
        }

        /**
         * The algorithm with these settings.
         *
         * @throws dev.medley.base.ConfigException for a setting that is another's
         */
        public Algorithm of(RoundSpec round, AsyncSpec async) {
            StrategyKey.requireOf(this, round, async);
            return maker.apply(round, async);
        }

        /** The algorithm in these rounds, within which workers exchange as usual. */
        public Algorithm in(RoundSpec round) {
            return of(round, usual.async());
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
        algorithm.requireFits(traffic);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static StrategySpec of(WrittenStrategy written) {
        return written.strategy();
    }

    @JsonValue
    WrittenStrategy written() {
        return WrittenStrategy.of(this);
    }

    /** Data parallel, the transport that fits, buckets of 4 MiB. */
    public static StrategySpec defaults() {
        return defaults(Kind.DATA_PARALLEL);
    }

    /** An algorithm with its usual settings, the transport that fits, buckets of 4 MiB. */
    public static StrategySpec defaults(Kind kind) {
        return new StrategySpec(kind.usual(), TrafficSpec.USUAL, DivisionSpec.USUAL);
    }

    /** The name of the algorithm. */
    public Kind kind() {
        return algorithm.kind();
    }

    /** What lies between two exchanges of all workers. */
    public RoundSpec round() {
        return algorithm.round();
    }

    /** How single workers exchange within a round. */
    public AsyncSpec async() {
        return algorithm.async();
    }

    /** How buckets travel. */
    public Transport transport() {
        return traffic.transport();
    }

    /** Size at which a bucket leaves. */
    public int bucketBytes() {
        return traffic.bucketBytes();
    }

    /** How gradients and changes travel, between sites or everywhere. */
    public Compress compress() {
        return traffic.compress();
    }

    /** How far that goes. */
    public CodecSpec codec() {
        return traffic.codec();
    }

    /** Relative shares of the workers; empty where {@link #balance} decides. */
    public List<Double> shares() {
        return division.shares();
    }

    /** What the shares of a step follow where they are not given. */
    public Balance balance() {
        return division.balance();
    }

    /** What becomes of a worker that is late. */
    public Stragglers stragglers() {
        return division.stragglers();
    }

    /** Whether workers write letters to each other beside the sums. */
    public boolean hasPost() {
        return algorithm.isByLetters() || !round().quorum().isNone();
    }

    /** Whether the codec is chosen, and perhaps chosen again, while the run goes on. */
    public boolean hasOpenCodec() {
        return compress() == Compress.AUTO;
    }

    /** Whether the algorithm is still to be chosen. */
    public boolean isOpen() {
        return kind() == Kind.AUTO;
    }

    /** The strategy that workers hold while it is open and nobody exchanges: data-parallel. */
    public StrategySpec whileOpen() {
        return isOpen() ? with(Kind.DATA_PARALLEL.usual()) : this;
    }

    /**
     * Whether what is summed is of the kind that another strategy sums, so that what a codec left
     * out there may be added here: gradients, momenta, or changes of parameters.
     */
    public boolean sendsTheLikeOf(StrategySpec other) {
        return kind() == other.kind()
                && codec().correctsMomentum() == other.codec().correctsMomentum();
    }

    /** Another algorithm with the same traffic and division. */
    public StrategySpec with(Algorithm other) {
        return new StrategySpec(other, traffic, division);
    }

    /** Another algorithm with one codec for all borders. */
    public StrategySpec as(Algorithm other, Compress by) {
        return new StrategySpec(other, traffic.coded(by, codec().at(List.of())), division);
    }

    /** The same with another round. */
    public StrategySpec with(RoundSpec changed) {
        return with(kind().of(changed, async()));
    }

    /** The same with another exchange within a round. */
    public StrategySpec with(AsyncSpec changed) {
        return with(kind().of(round(), changed));
    }

    /** The same with another codec between sites. */
    public StrategySpec with(Compress codecKind) {
        return with(codecKind, codec());
    }

    /** The same with another codec between sites that goes this far. */
    public StrategySpec with(Compress by, CodecSpec how) {
        return new StrategySpec(algorithm, traffic.coded(by, how), division);
    }

    /** The same in another form of traffic. */
    public StrategySpec with(TrafficSpec changed) {
        return new StrategySpec(algorithm, changed, division);
    }

    /** The same with another division of the work. */
    public StrategySpec with(DivisionSpec changed) {
        return new StrategySpec(algorithm, traffic, changed);
    }

    /** The same with shares in these proportions; empty for those that follow the balance. */
    public StrategySpec with(List<Double> relative, Balance followed) {
        return with(new DivisionSpec(relative, followed, stragglers()));
    }

    /** The same with another treatment of stragglers. */
    public StrategySpec with(Stragglers changed) {
        return with(new DivisionSpec(shares(), balance(), changed));
    }
}
