package dev.medley.inference.metric;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

/** Makes Medley's own metrics. The weight of a sample counts in all of them. */
public final class Metrics {
    private Metrics() {}

    /** The metric that a job names, for this target. */
    public static Metric of(MetricSpec spec, Target target) {
        TargetKind kind = target.kind();
        requireFit(spec, target);
        return switch (spec.kind()) {
            case LOSS -> loss(target);
            case LOG_LOSS -> mean(spec, false, kind, LogLoss::of, m -> m);
            case PERPLEXITY -> mean(spec, false, kind, LogLoss::of, Math::exp);
            case MSE -> mean(spec, false, kind, Metrics::squaredError, m -> m);
            case RMSE -> mean(spec, false, kind, Metrics::squaredError, Math::sqrt);
            case MAE -> mean(spec, false, kind, (p, i) -> Math.abs(error(p, i)), m -> m);
            case R2 -> new RSquared();
            case POISSON_DEVIANCE -> mean(spec, false, kind, Metrics::deviance, m -> m);
            case ACCURACY ->
                    mean(spec, true, kind, (p, i) -> p.predicted(i) == p.truth(i) ? 1 : 0, m -> m);
            case TOP_ACCURACY ->
                    mean(spec, true, kind, (p, i) -> p.before(i) < spec.top() ? 1 : 0, m -> m);
            case AUC -> new Auc();
            case PR_AUC -> new AveragePrecision();
            case PRECISION -> new ClassScores(ClassScores.Kind.PRECISION, target);
            case RECALL -> new ClassScores(ClassScores.Kind.RECALL, target);
            case F1 -> new ClassScores(ClassScores.Kind.F1, target);
            case NDCG ->
                    target.kind() == TargetKind.GRADE
                            ? new OfAll(
                                    spec.name(),
                                    true,
                                    RankedRows.SOURCE,
                                    blocks -> RankedRows.meanNdcg(blocks, spec.top()))
                            : new Ranking(spec);
            case RECALL_AT -> new Ranking(spec);
            case INERTIA -> new OfAll(spec.name(), false, loss().source(), Metrics::firstSum);
            case CUSTOM -> UserMetric.load(spec);
        };
    }

    /** The loss of a target's predictions: of rankings it is told from all blocks together. */
    static Metric loss(Target target) {
        return target.kind() == TargetKind.GRADE
                ? new OfAll(
                        "loss",
                        false,
                        RankedRows.SOURCE,
                        blocks -> 1 - RankedRows.meanNdcg(blocks, 0))
                : loss();
    }

    /**
     * Names of the metrics that evaluations of a training have, in order.
     *
     * @throws ConfigException if one does not fit the target
     */
    public static List<String> names(TrainSpec train, Target target) {
        return train.metricsFor(target).stream().map(s -> of(s, target).name()).toList();
    }

    /** Whether one of these judges the order of items: outputs are places then, and no numbers. */
    public static boolean areOfRankings(List<Metric> metrics) {
        return metrics.stream().anyMatch(Ranking.class::isInstance);
    }

    /** The mean of what is minimised. */
    private static Metric loss() {
        return new Mean(
                "loss", false, EvaluatedBlock::lossSum, EvaluatedBlock::weight, mean -> mean);
    }

    private static void requireFit(MetricSpec spec, Target target) {
        TargetKind kind = target.kind();
        boolean isNumber = kind == TargetKind.VALUE || kind == TargetKind.VALUES;
        boolean hasClasses = kind == TargetKind.BINARY || kind == TargetKind.CLASSES;
        boolean fits =
                switch (spec.kind()) {
                    case LOSS, CUSTOM -> true;
                    case LOG_LOSS, ACCURACY -> hasClasses || kind == TargetKind.TOKENS;
                    case PRECISION, RECALL, F1 -> hasClasses;
                    case TOP_ACCURACY -> kind == TargetKind.CLASSES || kind == TargetKind.TOKENS;
                    case AUC, PR_AUC -> kind == TargetKind.BINARY;
                    case MSE, RMSE, MAE, R2, RECALL_AT -> isNumber;
                    case POISSON_DEVIANCE -> target.isRate();
                    case PERPLEXITY -> kind == TargetKind.TOKENS;
                    case NDCG -> kind == TargetKind.GRADE || (isNumber && spec.top() > 0);
                    case INERTIA -> kind == TargetKind.NONE;
                };
        if (!fits) {
            throw new ConfigException(
                    ("train.metrics: %s is not defined for a target of kind %s; leave"
                                    + " train.metrics out for those that fit")
                            .formatted(spec.name(), kind.name().toLowerCase(Locale.ROOT)));
        }
        check(
                spec.kind() != MetricKind.TOP_ACCURACY || spec.top() < target.outputs(),
                "train.metrics: %s is 1 for whatever a model says of %d classes; ask for fewer",
                spec.name(),
                target.outputs());
    }

    private interface Contribution {
        double of(Predictions predictions, int i);
    }

    /** The mean over the predictions that count. */
    private static Metric mean(
            MetricSpec spec,
            boolean higherIsBetter,
            TargetKind kind,
            Contribution contribution,
            DoubleUnaryOperator finish) {
        return new Mean(
                spec.name(),
                higherIsBetter,
                block -> sum(new Predictions(block, kind), contribution),
                block -> sum(new Predictions(block, kind), (p, i) -> 1),
                finish);
    }

    private static double sum(Predictions predictions, Contribution contribution) {
        double sum = 0;
        for (int i = 0; i < predictions.count(); i++) {
            if (predictions.isAsked(i)) {
                sum += predictions.weight(i) * contribution.of(predictions, i);
            }
        }
        return sum;
    }

    private static double firstSum(List<double[]> blocks) {
        return blocks.stream().mapToDouble(block -> block[0]).sum();
    }

    private static double error(Predictions predictions, int i) {
        return predictions.output(i) - predictions.value(i);
    }

    private static double squaredError(Predictions predictions, int i) {
        double error = error(predictions, i);
        return error * error;
    }

    /** A figure of all that a source says of blocks. */
    private record OfAll(
            String name,
            boolean isHigherBetter,
            BlockValues source,
            ToDoubleFunction<List<double[]>> of)
            implements Metric {
        @Override
        public int valuesOf(int samples) {
            return source.valuesOf(samples);
        }

        @Override
        public double[] values(EvaluatedBlock block) {
            return source.values(block);
        }

        @Override
        public double figure(List<double[]> blocks) {
            return of.applyAsDouble(blocks);
        }
    }

    /** Twice the logarithm of how much likelier a count is with a rate of its own. */
    private static double deviance(Predictions predictions, int i) {
        double output = predictions.output(i);
        double rate = Math.max(Math.min(output, Float.MAX_VALUE), Float.MIN_NORMAL);
        double count = predictions.value(i);
        return 2 * (rate - count + (count > 0 ? count * Math.log(count / rate) : 0));
    }

    /** Two sums over all blocks, one divided by the other. */
    private record Mean(
            String name,
            boolean isHigherBetter,
            ToDoubleFunction<EvaluatedBlock> sum,
            ToDoubleFunction<EvaluatedBlock> weight,
            DoubleUnaryOperator finish)
            implements Metric {
        @Override
        public int valuesOf(int samples) {
            return 2;
        }

        @Override
        public double[] values(EvaluatedBlock block) {
            return new double[] {sum.applyAsDouble(block), weight.applyAsDouble(block)};
        }

        @Override
        public double figure(List<double[]> blocks) {
            double sums = 0;
            double weights = 0;
            for (double[] block : blocks) {
                sums += block[0];
                weights += block[1];
            }
            return finish.applyAsDouble(sums / weights);
        }
    }
}
