package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.JoinSpec.Encrypt;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.text.Words;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says which settings go with which family of models. A step of trees is a round, which takes all
 * training samples, and what members exchange travels in a collective of its own.
 */
public final class FamilyRules {
    /** Rounds between two evaluations of a job that says nothing of them. */
    private static final long EVALUATE_EVERY = 10;

    /** Items of each user by which the order is judged. */
    private static final int RANKED = 10;

    /** Steps of an iteration of alternating least squares. */
    private static final int HALVES = 2;

    /** Losses that may turn out to be a cross-entropy. */
    private static final Set<LossKind> ENTROPIES =
            EnumSet.of(LossKind.AUTO, LossKind.CROSS_ENTROPY, LossKind.BINARY_CROSS_ENTROPY);

    private FamilyRules() {}

    /**
     * Checks that a job trains by gradients, batch by batch.
     *
     * @param what needs that: the beginning of a sentence
     * @throws dev.medley.base.ConfigException if its steps take all samples
     */
    public static void requireBatches(JobSpec job, String what) {
        check(
                !job.train().takesAllSamples() && !isOwnWay(job.model()),
                "%s: a step of %s takes all samples, and this is for models that train by gradients"
                        + " of batches",
                what,
                isOwnWay(job.model())
                        ? "model.family=" + job.model().family()
                        : "train.optimizer=lbfgs");
    }

    /** Whether a family learns by something else than gradients. */
    private static boolean isOwnWay(ModelSpec model) {
        return takesRounds(model) || model instanceof ModelSpec.KMeans;
    }

    /** Whether a step is a round over all training samples, of which the model has a number. */
    public static boolean takesRounds(ModelSpec model) {
        return rounds(model) > 0;
    }

    /** Rounds at most of such a model; 0 of others. */
    public static int rounds(ModelSpec model) {
        if (model instanceof ModelSpec.Trees trees) {
            return trees.rounds();
        }
        return model instanceof ModelSpec.Factorization f && f.factors().alternates()
                ? Math.multiplyExact(HALVES, f.factors().iterations())
                : 0;
    }

    /** The data as a model reads it. */
    public static DataSpec data(ModelSpec model, DataSpec asked) {
        if (model instanceof ModelSpec.Trees) {
            return asked.forTrees();
        }
        if (model instanceof ModelSpec.Factorization f) {
            return asked.forFactors(f.factors());
        }
        if (model instanceof ModelSpec.KMeans && asked.task() != DataSpec.Task.NONE) {
            return asked.withoutLabel(asked.table().scaled(NumberScaling.STANDARD));
        }
        return model instanceof ModelSpec.Linear ? asked.forSparse() : asked;
    }

    /** Fits end by themselves, and are evaluated at the end. */
    private static TrainSpec train(ModelSpec.KMeans kmeans, TrainSpec asked) {
        long steps = kmeans.fit().mostSteps();
        return allSamples(asked, new TrainSpec.Budget(0, steps, asked.budget().seconds()), steps);
    }

    /** The settings {@code asked} for, as far as they have a meaning for the model. */
    public static TrainSpec train(ModelSpec model, TrainSpec asked) {
        if (model instanceof ModelSpec.KMeans kmeans) {
            return kmeans.takesAllSamples() ? train(kmeans, asked) : asked;
        }
        TrainSpec judged = isRanked(model) && asked.metrics().isEmpty() ? ranked(asked) : asked;
        return takesRounds(model) ? ofRounds(model, judged) : judged;
    }

    /** Whether a model says in which order users take items, and is judged by that. */
    public static boolean isRanked(ModelSpec model) {
        return model instanceof ModelSpec.Factorization f && f.factors().isImplicit();
    }

    private static TrainSpec ranked(TrainSpec asked) {
        return asked.with(
                List.of(
                        MetricSpec.ranking(MetricKind.NDCG, RANKED),
                        MetricSpec.ranking(MetricKind.RECALL_AT, RANKED)));
    }

    private static TrainSpec ofRounds(ModelSpec model, TrainSpec asked) {
        long usual = model instanceof ModelSpec.Trees ? EVALUATE_EVERY : HALVES;
        double seconds = asked.budget().seconds();
        long every = asked.evaluateEverySteps();
        return allSamples(
                asked,
                new TrainSpec.Budget(rounds(model, asked.budget()), 0, seconds),
                every > 0 ? every : usual);
    }

    private static TrainSpec allSamples(TrainSpec asked, TrainSpec.Budget budget, long every) {
        return new TrainSpec(
                budget,
                TrainSpec.ALL,
                asked.loss(),
                OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW),
                ScheduleSpec.defaults(),
                0,
                1,
                TrainSpec.Precision.FP32,
                asked.metrics(),
                every,
                asked.stop(),
                asked.groups(),
                asked.callbacks(),
                TrainSpec.BatchesSpec.CONSTANT,
                asked.threshold());
    }

    /** A step is an epoch: of the limits the lowest holds. */
    private static double rounds(ModelSpec model, TrainSpec.Budget asked) {
        double most = rounds(model);
        most = asked.steps() > 0 ? Math.min(most, asked.steps()) : most;
        return asked.epochs() > 0 ? Math.min(most, Math.ceil(asked.epochs())) : most;
    }

    /** What holds on any cluster. */
    static void require(DataSpec data, ModelSpec model, TrainSpec train, StrategySpec strategy) {
        String family = model.family();
        boolean areTrees = model instanceof ModelSpec.Trees;
        check(
                data.task() != DataSpec.Task.NONE || model instanceof ModelSpec.KMeans,
                "data.task=none: model.family=%s learns to predict a column; name it in data.label"
                        + " and leave data.task out, or take model.family=kmeans",
                family);
        boolean isFitted = !areTrees && train.optimizer().takesAllSamples();
        check(
                !isFitted || model instanceof ModelSpec.Linear,
                "train.optimizer=lbfgs goes with model.family=linear alone, not %s",
                family);
        requireLabel(data);
        requireSequences(data);
        requirePatch(data.series(), model);
        requireLoss(train, isFitted);
        requireRanking(data, model, train);
        check(
                areTrees || train.optimizer().l1() == 0 || model instanceof ModelSpec.Linear,
                "train.optimizer.l1=%s goes with model.family=linear alone, not %s",
                train.optimizer().l1(),
                family);
        check(
                data.series() == null || (!areTrees && !isFitted),
                "data.series: windows go with models that train by gradients of batches, not with"
                        + " %s",
                areTrees ? "model.family=" + family : "train.optimizer=lbfgs");
        requireMetrics(data, model, train);
        if (model instanceof ModelSpec.Factorization factorization) {
            requireFactors(factorization.factors(), data, train, strategy);
        }
        if (!(model instanceof ModelSpec.Trees)) {
            check(
                    data.table().scaling() != NumberScaling.RAW,
                    "data.table.scaling=raw keeps missing values missing, with which"
                            + " model.family=%s cannot compute: take robust, standard or none",
                    family);
            if (model instanceof ModelSpec.KMeans kmeans) {
                require(data, kmeans, train, strategy);
            }
            return;
        }
        requireTrees(data, family, train, strategy);
    }

    /** What is asked for is not read word by word. */
    private static void requireLabel(DataSpec data) {
        for (String column : data.table().terms().columns()) {
            check(
                    !column.equals(data.label()) && !column.equals(data.weight()),
                    "data.%s=%s: data.table.text or hashed names it, too, and a model does not see"
                            + " it; leave it out there",
                    column.equals(data.label()) ? "label" : "weight",
                    column);
        }
    }

    /** A patch lies within what is seen. */
    private static void requirePatch(@Nullable SeriesSpec series, ModelSpec model) {
        if (series != null && model instanceof ModelSpec.Transformer encoder) {
            check(
                    encoder.patch() <= series.lookBack(),
                    "model.patch=%d is longer than the %d rows that are seen: take a shorter patch,"
                            + " or a longer data.series.look_back",
                    encoder.patch(),
                    series.lookBack());
        }
    }

    /** A label of sequences is a class or a number, and nothing that is seen. */
    private static void requireSequences(DataSpec data) {
        SeriesSpec series = data.series();
        String label = data.label();
        if (series == null || label == null) {
            return;
        }
        check(
                !label.equals(series.time()),
                "data.label=%s: it is data.series.time, too; name another column",
                label);
        check(
                !series.by().contains(label),
                "data.label=%s: it is in data.series.by, too, and so all sequences of one label"
                        + " would be one; name another column",
                label);
        check(
                !series.targets().contains(label),
                "data.label=%s: it is in data.series.columns, too, and a model would see what it is"
                        + " asked for; leave it out there",
                label);
        check(
                data.task() != DataSpec.Task.COUNTS,
                "data.task=counts: counts are learnt of rows of a table, not of sequences"
                        + " (data.series); leave it out, or take regression");
    }

    /** What holds whatever is predicted; the rest is seen when the data is known. */
    private static void requireLoss(TrainSpec train, boolean isFitted) {
        LossKind kind = train.loss().kind();
        double smoothing = train.loss().labelSmoothing();
        check(
                !isFitted || smoothing == 0,
                "train.label_smoothing=%s has no meaning for optimizer lbfgs: leave it out",
                smoothing);
        check(
                !isFitted || (kind != LossKind.HINGE && kind != LossKind.CUSTOM),
                "train.loss=%s does not go with optimizer lbfgs, which minimises smooth losses of"
                        + " its own: take squared-hinge or leave it out, or take another optimizer",
                Words.of(kind));
        check(
                smoothing == 0 || ENTROPIES.contains(kind),
                "train.label_smoothing=%s goes with cross-entropy, but the loss is %s: leave it"
                        + " out",
                smoothing,
                Words.of(kind));
    }

    private static void requireTrees(
            DataSpec data, String family, TrainSpec train, StrategySpec strategy) {
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
                train.loss().labelSmoothing() == 0,
                "train.label_smoothing=%s has no meaning for model.family=%s; leave it out",
                train.loss().labelSmoothing(),
                family);
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

    /** What is ranked has metrics of its own. */
    private static void requireMetrics(DataSpec data, ModelSpec model, TrainSpec train) {
        for (MetricSpec metric : train.metrics()) {
            boolean isOfAll =
                    metric.kind() == MetricKind.LOSS || metric.kind() == MetricKind.CUSTOM;
            check(
                    isOfAll || metric.isRanking() == (isRanked(model) || data.group() != null),
                    "train.metrics=%s: recall@N and ndcg@N go with model.feedback=implicit, and"
                            + " ndcg with data.group; they have no others but loss",
                    metric.name());
        }
    }

    /** Boosting alone ranks, and ranks what has groups. */
    private static void requireRanking(DataSpec data, ModelSpec model, TrainSpec train) {
        boolean ranks = data.task() == DataSpec.Task.RANKING;
        check(
                !ranks || model instanceof ModelSpec.Boosting,
                "data.group=%s: model.family=boosting ranks, and %s does not; leave data.group out,"
                        + " or take boosting",
                data.group(),
                model.family());
        check(
                ranks
                        || !(model instanceof ModelSpec.Boosting boosting)
                        || boosting.ranking() == null,
                "model.ranking without data.group: nothing is ranked here; leave it out, or name"
                        + " the column whose values say which rows are ranked together");
        check(
                !ranks || train.loss().weights().areNone(),
                "train.class_weights with data.group: grades are no classes; leave them out");
    }

    private static void requireFactors(
            FactorSpec factors, DataSpec data, TrainSpec train, StrategySpec strategy) {
        check(
                data.series() == null,
                "data.series: windows go with models that read sequences, not with"
                        + " model.family=factorization");
        for (String column : factors.columns()) {
            check(
                    !column.equals(data.label()) && !column.equals(data.weight()),
                    "data.%s=%s: model.user or model.item is that column, too; name another",
                    column.equals(data.label()) ? "label" : "weight",
                    column);
        }
        LossSpec loss = train.loss();
        boolean isPlain =
                loss.weights().areNone()
                        && loss.labelSmoothing() == 0
                        && loss.kind() == LossKind.AUTO;
        check(
                !factors.alternates()
                        || (data.placement() == DataSpec.Placement.EVERYWHERE
                                && data.weight() == null
                                && data.task() != DataSpec.Task.CLASSIFICATION),
                "data.placement, data.weight and classes have no meaning for model.solver=als,"
                        + " which deals ratings out by users and by items: leave them out");
        if (factors.rows() == FactorSpec.Rows.ALL) {
            return;
        }
        check(
                strategy.kind() == StrategySpec.Kind.DATA_PARALLEL
                        && strategy.compress() == StrategySpec.Compress.NONE,
                "strategy=%s, strategy.compress=%s: model.rows=touched sums in every step, by"
                        + " data-parallel without a codec; leave them out, or set model.rows: all",
                Words.of(strategy.kind()),
                Words.of(strategy.compress()));
        check(
                isPlain,
                "train.loss=%s with class weights or label_smoothing=%s: model.rows=touched takes"
                        + " the loss that the target asks for; leave them out, or set model.rows:"
                        + " all",
                Words.of(loss.kind()),
                loss.labelSmoothing());
        check(
                train.groups().isEmpty()
                        && train.precision() == TrainSpec.Precision.FP32
                        && !train.batches().measuresNoise(),
                "train.groups, train.precision, train.noise_scale and an adaptive train.batch have"
                        + " no meaning for model.rows=touched: leave them out, or set model.rows:"
                        + " all");
        OptimizerSpec rule = train.optimizer();
        check(
                rule.kind() != OptimizerSpec.Kind.RMSPROP && rule.momentum() == 0,
                "train.optimizer=%s with momentum %s moves rows that no sample touched, and"
                        + " model.rows=touched does not: take adagrad, adamw, adam or plain sgd, or"
                        + " set model.rows: all",
                Words.of(rule.kind()),
                rule.momentum());
    }

    private static void require(
            DataSpec data, ModelSpec.KMeans kmeans, TrainSpec train, StrategySpec strategy) {
        check(
                data.task() == DataSpec.Task.NONE,
                "data.task=%s: model.family=kmeans finds groups without a label; leave it out",
                Words.of(data.task()));
        check(
                data.weight() == null,
                "data.weight=%s: to model.family=kmeans each row counts one; leave it out",
                data.weight());
        check(
                data.series() == null,
                "data.series: windows go with models that predict, not with model.family=kmeans");
        check(
                data.placement() == DataSpec.Placement.EVERYWHERE,
                "data.placement=%s: model.family=kmeans %s; leave it out",
                Words.of(data.placement()),
                kmeans.takesAllSamples()
                        ? "keeps the same rows on a worker by itself"
                        : "begins with samples of all shards");
        check(
                strategy.kind() == StrategySpec.Kind.DATA_PARALLEL
                        && strategy.compress() == StrategySpec.Compress.NONE,
                "strategy=%s, strategy.compress=%s: model.family=kmeans sums over all workers in"
                        + " each step, exactly; leave them out",
                Words.of(strategy.kind()),
                Words.of(strategy.compress()));
        check(
                train.loss().equals(TrainSpec.LossSpec.auto()),
                "train.loss, train.label_smoothing and train.class_weights: model.family=kmeans"
                        + " minimises squared distances; leave them out");
        check(
                train.groups().isEmpty() && train.clipNorm() == 0 && train.accumulate() == 1,
                "train.groups, train.clip_norm and train.accumulate have no meaning for"
                        + " model.family=kmeans: leave them out");
        check(
                train.precision() == TrainSpec.Precision.FP32 && !train.batches().measuresNoise(),
                "train.precision, train.batch=adaptive and train.noise_scale have no meaning for"
                        + " model.family=kmeans: leave them out");
    }

    /** What data has to have. */
    static void requireFits(ModelSpec model, long samples) {
        check(
                !(model instanceof ModelSpec.KMeans kmeans) || kmeans.k() <= samples,
                "model.k=%d, but there are %d training rows: take fewer clusters, or more rows",
                model instanceof ModelSpec.KMeans kmeans ? kmeans.k() : 0,
                samples);
        check(
                !(model instanceof ModelSpec.Factorization of)
                        || of.factors().rows() != FactorSpec.Rows.TOUCHED
                        || !of.factors().hasUsers()
                        || samples <= FactorSpec.MOST_RATINGS,
                "model.family=factorization: %,d training rows are more than the %,d of which a"
                        + " model keeps what its users have: take fewer rows, or of"
                        + " explicit feedback model.solver=sgd with model.rows=all",
                samples,
                FactorSpec.MOST_RATINGS);
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
