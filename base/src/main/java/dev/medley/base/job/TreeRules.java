package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.JoinSpec.Encrypt;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.text.Words;

/**
 * Says how trees are trained: a step is a round, which takes all training samples, and what members
 * exchange travels in a collective of its own.
 */
public final class TreeRules {
    private TreeRules() {}

    /** The settings {@code asked} for, as far as they have a meaning for trees. */
    public static TrainSpec train(ModelSpec.Trees trees, TrainSpec asked) {
        double seconds = asked.budget().seconds();
        return new TrainSpec(
                new TrainSpec.Budget(trees.rounds(), 0, seconds),
                TrainSpec.ALL,
                asked.loss(),
                OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW),
                ScheduleSpec.defaults(),
                0,
                1,
                TrainSpec.Precision.FP32,
                asked.metrics(),
                asked.evaluateEverySteps(),
                asked.stop(),
                asked.groups(),
                asked.callbacks(),
                TrainSpec.BatchesSpec.CONSTANT,
                asked.threshold());
    }

    /** What holds on any cluster. */
    static void require(DataSpec data, ModelSpec model, TrainSpec train, StrategySpec strategy) {
        String family = model.family();
        if (!(model instanceof ModelSpec.Trees)) {
            check(
                    data.table().scaling() != NumberScaling.RAW,
                    "data.table.scaling=raw keeps missing values missing, with which"
                            + " model.family=%s cannot compute: take robust, standard or none",
                    family);
            return;
        }
        check(
                strategy.kind() == StrategySpec.Kind.DATA_PARALLEL
                        && strategy.compress() == StrategySpec.Compress.NONE,
                "strategy=%s, strategy.compress=%s: model.family=%s exchanges the sums of each"
                    + " level of a tree, which no strategy changes and no codec touches: leave them"
                    + " out",
                Words.of(strategy.kind()),
                Words.of(strategy.compress()),
                family);
        LossKind loss = train.loss().kind();
        check(
                loss == LossKind.AUTO,
                "train.loss=%s: model.family=%s takes the loss that the target asks for; leave it"
                        + " out",
                loss.name().toLowerCase(java.util.Locale.ROOT),
                family);
        check(
                train.groups().isEmpty(),
                "train.groups: model.family=%s has no parameters to group; leave them out",
                family);
        check(
                data.placement() == DataSpec.Placement.EVERYWHERE,
                "data.placement=%s: model.family=%s keeps the same rows on a worker from round to"
                        + " round by itself; leave it out",
                Words.of(data.placement()),
                family);
    }

    /** What a cluster has to have. */
    static void requireFits(Work.Gradient work, ClusterSpec cluster) {
        JoinSpec join = cluster.join();
        boolean isAlone = cluster.workers() == 1;
        check(
                !(work.model() instanceof ModelSpec.Trees)
                        || join == null
                        || isAlone
                        || join.encrypt() != Encrypt.ALL,
                "cluster.encrypt=all: what model.family=%s exchanges cannot be encrypted; take"
                        + " between-sites for machines of one site, or none",
                work.model().family());
    }
}
