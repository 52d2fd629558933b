package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

/**
 * The work of each worker between two exchanges, and the common step that all take at the end.
 *
 * @param syncEvery steps of {@code train.batch} samples between two exchanges
 * @param innerBatch samples of one step that a worker takes by itself; 0 for its part of {@code
 *     train.batch}
 * @param outerRate learning rate of the common step along the mean of all changes; 1 with momentum
 *     0 is their average
 * @param outerMomentum of the common step: Nesterov's, or the decay of Adam's first moment
 * @param stream how changes travel while workers continue to train
 * @param outer the rule of the common step
 * @param quorum who is waited for
 */
public record RoundSpec(
        int syncEvery,
        int innerBatch,
        double outerRate,
        double outerMomentum,
        StreamSpec stream,
        Outer outer,
        QuorumSpec quorum) {
    /** An exchange in every step. */
    public static final RoundSpec EVERY_STEP = new RoundSpec(1, 0, 1, 0);

    private static final double ADAM_RATE = 0.1;

    /** The rules of the common step. */
    public enum Outer {
        /** SGD with Nesterov's momentum. */
        NESTEROV,
        /** Adam along the change (FedAdam: Reddi et al., ICLR 2021, arXiv 2003.00295). */
        ADAM
    }

    public RoundSpec {
        WrittenStrategy.requireWhole("round", stream, outer, quorum);
        check(syncEvery >= 1, "strategy.sync_every=%d: at least 1 step", syncEvery);
        check(innerBatch >= 0, "strategy.inner_batch=%d: at least 1 sample", innerBatch);
        check(outerRate > 0, "strategy.outer_lr=%s: above 0", outerRate);
        check(
                outerMomentum >= 0 && outerMomentum < 1,
                "strategy.outer_momentum=%s: from 0 to below 1",
                outerMomentum);
        check(
                (long) stream.fragments() * stream.overlap() <= syncEvery,
                "strategy.fragments=%d, strategy.overlap=%d, strategy.sync_every=%d: fragments"
                        + " travel one after another, so that fragments times overlap is"
                        + " sync_every at most",
                stream.fragments(),
                stream.overlap(),
                syncEvery);
        check(
                quorum.isNone() || stream.isNone(),
                "strategy.quorum=%s, strategy.fragments=%d, strategy.overlap=%d: fragments are"
                        + " waited for one by one; leave the quorum out, or the other two",
                quorum.text(),
                stream.fragments(),
                stream.overlap());
    }

    /** A round that waits for all, at whose end all of the change travels. */
    public RoundSpec(int syncEvery, int innerBatch, double outerRate, double outerMomentum) {
        this(
                syncEvery,
                innerBatch,
                outerRate,
                outerMomentum,
                StreamSpec.NONE,
                Outer.NESTEROV,
                QuorumSpec.NONE);
    }

    /** The usual round of a strategy. */
    public static RoundSpec defaults(StrategySpec.Kind kind) {
        return kind.usual().round();
    }

    /** The same with so many steps between two exchanges. */
    public RoundSpec every(int steps) {
        return new RoundSpec(steps, innerBatch, outerRate, outerMomentum, stream, outer, quorum);
    }

    /** The same with steps of so many samples that a worker takes by itself. */
    public RoundSpec inBatchesOf(int samples) {
        check(samples >= 1, "strategy.inner_batch=%d: at least 1 sample", samples);
        return new RoundSpec(syncEvery, samples, outerRate, outerMomentum, stream, outer, quorum);
    }

    /** The same with another common step. */
    public RoundSpec outer(double rate, double momentum) {
        return new RoundSpec(syncEvery, innerBatch, rate, momentum, stream, outer, quorum);
    }

    /** The same with changes that travel so. */
    public RoundSpec streaming(StreamSpec changed) {
        return new RoundSpec(
                syncEvery, innerBatch, outerRate, outerMomentum, changed, outer, quorum);
    }

    /** The same with another rule of the common step. */
    public RoundSpec outer(Outer rule, double rate, double momentum) {
        return new RoundSpec(syncEvery, innerBatch, rate, momentum, stream, rule, quorum);
    }

    /** The same that waits for those. */
    public RoundSpec waitingFor(QuorumSpec changed) {
        return new RoundSpec(
                syncEvery, innerBatch, outerRate, outerMomentum, stream, outer, changed);
    }

    /** Learning rate of the common step if nothing is said of it. */
    public static double outerRate(StrategySpec.Kind kind, Outer outer) {
        return outer == Outer.ADAM ? ADAM_RATE : defaults(kind).outerRate();
    }
}
