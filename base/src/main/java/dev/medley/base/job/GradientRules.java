package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.text.Words;
import java.util.Locale;

/** Says which settings of training by gradients go together. */
final class GradientRules {
    private GradientRules() {}

    /** What holds on any cluster. */
    static void require(TrainSpec train, StrategySpec strategy) {
        check(
                !train.batches().measuresNoise() || strategy.algorithm().sumsGradients(),
                "%s needs the gradients of single steps, which strategy=%s does not exchange: take"
                        + " data-parallel, or leave it out",
                train.batches().isAdaptive() ? "train.batch=adaptive" : "train.noise_scale=true",
                Words.of(strategy.kind()));
        check(
                !train.batches().measuresNoise()
                        || strategy.compress() != StrategySpec.Compress.POWERSGD,
                "%s compares lengths of gradients, which strategy.compress=powersgd shortens: take"
                        + " another codec, or leave it out",
                train.batches().isAdaptive() ? "train.batch=adaptive" : "train.noise_scale=true");
        requireMomentum(train, strategy);
        requireVariance(train, strategy);
        requireAllSamples(train, strategy);
        check(
                (long) strategy.round().syncEvery() * train.batch() <= Integer.MAX_VALUE,
                "strategy.sync_every=%d, train.batch=%d: more than 2,147,483,647 samples between"
                        + " two exchanges",
                strategy.round().syncEvery(),
                train.batch());
    }

    /** Sums over all samples are of use exact, and all together. */
    private static void requireAllSamples(TrainSpec train, StrategySpec strategy) {
        if (!train.optimizer().takesAllSamples()) {
            return;
        }
        check(
                strategy.kind() == StrategySpec.Kind.DATA_PARALLEL,
                "train.optimizer=lbfgs sums over all workers in each step, which strategy=%s does"
                        + " not: take data-parallel",
                Words.of(strategy.kind()));
        check(
                strategy.compress() == StrategySpec.Compress.NONE,
                "train.optimizer=lbfgs needs exact sums, but strategy.compress=%s: leave it out",
                Words.of(strategy.compress()));
        check(
                train.groups().isEmpty() && train.clipNorm() == 0,
                "train.groups and train.clip_norm have no meaning for train.optimizer=lbfgs: leave"
                        + " them out");
        check(
                !train.batches().measuresNoise(),
                "train.batch=adaptive and train.noise_scale have no meaning for"
                        + " train.optimizer=lbfgs, whose steps take all samples: leave them out");
    }

    /** What a cluster has to have. */
    static void requireFits(Work.Gradient gradient, ClusterSpec cluster) {
        TrainSpec train = gradient.train();
        StrategySpec strategy = gradient.strategy();
        check(
                train.batch() >= cluster.workers(),
                "%s=%d < cluster.workers=%d: every worker needs a sample in each step; "
                        + "raise the batch or use fewer workers",
                train.batches().isAdaptive() ? "train.batch_from" : "train.batch",
                train.batch(),
                cluster.workers());
        check(
                strategy.shares().isEmpty() || strategy.shares().size() == cluster.workers(),
                "strategy.shares has %d entries for %d workers: one each",
                strategy.shares().size(),
                cluster.workers());
        check(
                strategy.stragglers().policy() != StrategySpec.Stragglers.Policy.SHRINK
                        || isBalanced(strategy, cluster),
                "strategy.stragglers=shrink, but shares do not follow speed: take"
                        + " strategy.balance=speed, or stragglers wait or leave");
        check(
                strategy.round().quorum().quorum() <= cluster.workers(),
                "strategy.quorum=%s, but cluster.workers=%d: a quorum is at most the group; lower"
                        + " it, or use more workers",
                strategy.round().quorum().text(),
                cluster.workers());
    }

    /** Whether shares follow speed on such a cluster. */
    static boolean isBalanced(StrategySpec strategy, ClusterSpec cluster) {
        return switch (strategy.balance()) {
            case SPEED -> true;
            case AUTO -> strategy.shares().isEmpty() && cluster.join() != null;
            case NONE -> false;
        };
    }

    /** Momentum that travels in the gradient's place is that of SGD, and hides the gradient. */
    private static void requireMomentum(TrainSpec train, StrategySpec strategy) {
        if (!strategy.codec().correctsMomentum()) {
            return;
        }
        OptimizerSpec optimizer = train.optimizer();
        check(
                optimizer.kind() == OptimizerSpec.Kind.SGD && optimizer.momentum() > 0,
                "strategy.momentum_correction=true, but train.optimizer=%s with momentum %s: it"
                        + " corrects the momentum of sgd; take that, or leave it out",
                optimizer.kind().name().toLowerCase(Locale.ROOT),
                optimizer.momentum());
        check(
                train.clipNorm() == 0 && !train.batches().measuresNoise(),
                "strategy.momentum_correction=true, train.clip_norm=%s, train.noise_scale=%s: what"
                        + " travels is momentum, so nobody knows the gradient's length; set"
                        + " clip_norm to 0 and do not measure noise, or leave the correction out",
                train.clipNorm(),
                train.batches().measuresNoise());
    }

    /** Signs of momentum need a variance that was learnt from gradients. */
    private static void requireVariance(TrainSpec train, StrategySpec strategy) {
        if (strategy.compress() != StrategySpec.Compress.ONEBIT) {
            return;
        }
        check(
                !train.optimizer().isAdam() || strategy.codec().exactSteps() > 0,
                "strategy.compress=onebit with train.optimizer=%s, strategy.exact_steps=%d: the"
                        + " variance is learnt in steps that no codec touches; set it to a sixth"
                        + " of the run or so, or take sgd",
                train.optimizer().kind().name().toLowerCase(Locale.ROOT),
                strategy.codec().exactSteps());
        check(
                train.clipNorm() == 0 && !train.batches().measuresNoise(),
                "strategy.compress=onebit, train.clip_norm=%s, train.noise_scale=%s: nobody knows"
                        + " the gradient's length by its signs; set clip_norm to 0 and do not"
                        + " measure noise, or take another codec",
                train.clipNorm(),
                train.batches().measuresNoise());
    }
}
