package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.text.Words;

/**
 * The form in which what workers exchange travels.
 *
 * @param transport how buckets travel
 * @param bucketBytes size at which a bucket leaves
 * @param compress how gradients and changes travel, between sites or everywhere
 * @param codec how far that goes
 */
public record TrafficSpec(
        Transport transport, int bucketBytes, Compress compress, CodecSpec codec) {
    /** The transport that fits, buckets of 4 MiB, nothing coded. */
    public static final TrafficSpec USUAL = plain(Transport.AUTO, 4 << 20);

    public TrafficSpec {
        check(bucketBytes >= 1024, "strategy.bucket=%d bytes: at least 1 KiB", bucketBytes);
        check(
                codec.borders().isEmpty() || compress.compareTo(Compress.TOPK) <= 0,
                "strategy.compress=%s with strategy.borders: it is for all borders, or chooses"
                        + " their codecs itself; leave strategy.borders out, or name another codec",
                Words.of(compress));
    }

    /** With nothing coded. */
    public static TrafficSpec plain(Transport transport, int bucketBytes) {
        return new TrafficSpec(transport, bucketBytes, Compress.NONE, CodecSpec.DEFAULT);
    }

    /** The same with another codec, which goes so far. */
    public TrafficSpec coded(Compress by, CodecSpec how) {
        return new TrafficSpec(transport, bucketBytes, by, how);
    }

    /** Whether topk is the codec of a border, or may be chosen. */
    boolean mayBeSparse() {
        return codec.coarsest(compress) == Compress.TOPK
                || (compress == Compress.AUTO && codec.among().contains(Compress.TOPK));
    }

    /** Refuses factors: only sums of all workers may travel as such. */
    void requireNoFactors(String strategy) {
        check(
                compress != Compress.POWERSGD,
                "strategy.compress=powersgd goes with data-parallel, local-sgd and diloco, not with"
                        + " strategy=%s: take one of them, or another codec",
                strategy);
    }

    /** Refuses what goes with the gradients of each step alone. */
    void requireNoStepCodec(String strategy) {
        check(
                compress != Compress.ONEBIT,
                "strategy.compress=onebit goes with data-parallel, not with strategy=%s: signs of"
                        + " each step's gradients make up for each other, those of rounds are too"
                        + " few; take it, or another codec",
                strategy);
        check(
                !codec.correctsMomentum(),
                "strategy.momentum_correction=true goes with data-parallel and compress=topk: take"
                        + " them, or leave it out");
    }

    /** Refuses factors in a round that does not wait for all. */
    void requireWhole(QuorumSpec quorum) {
        check(
                quorum.isNone() || compress != Compress.POWERSGD,
                "strategy.quorum=%s does not go with strategy.compress=powersgd, whose factors"
                        + " need all workers: take another codec, or leave the quorum out",
                quorum.text());
    }
}
