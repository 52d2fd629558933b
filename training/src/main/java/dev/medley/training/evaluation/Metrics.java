package dev.medley.training.evaluation;

import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.memory.HostArray;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Medley's own metrics. */
public final class Metrics {
    private Metrics() {}

    /** The metric that a job names, for a target of this kind. */
    public static Metric of(MetricSpec spec, TargetKind target) {
        requireFit(spec, target);
        return switch (spec.kind()) {
            case LOSS ->
                    mean("loss", false, EvaluatedBlock::lossSum, EvaluatedBlock::weight, m -> m);
            case LOG_LOSS ->
                    mean(
                            "log_loss",
                            false,
                            b -> LogLoss.sum(b, target),
                            Metrics::predictions,
                            m -> m);
            case PERPLEXITY ->
                    mean(
                            "perplexity",
                            false,
                            b -> LogLoss.sum(b, target),
                            Metrics::predictions,
                            Math::exp);
            case RMSE -> mean("rmse", false, Metrics::squaredErrors, b -> b.samples(), Math::sqrt);
            case ACCURACY ->
                    mean("accuracy", true, b -> correct(b, target), Metrics::predictions, m -> m);
            case AUC -> new Auc();
            case CUSTOM -> UserMetric.load(spec);
        };
    }

    private static void requireFit(MetricSpec spec, TargetKind target) {
        boolean fits =
                switch (spec.kind()) {
                    case LOSS, CUSTOM -> true;
                    case LOG_LOSS -> target != TargetKind.VALUE;
                    case ACCURACY -> target != TargetKind.VALUE;
                    case AUC -> target == TargetKind.BINARY;
                    case RMSE -> target == TargetKind.VALUE;
                    case PERPLEXITY -> target == TargetKind.TOKENS;
                };
        if (!fits) {
            throw new ConfigException(
                    ("train.metrics: %s is not defined for a target of kind %s; leave"
                                    + " train.metrics out for those that fit")
                            .formatted(lower(spec.kind()), lower(target)));
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private interface Finish {
        double of(double mean);
    }

    private static Metric mean(
            String name,
            boolean higherIsBetter,
            ToDoubleFunction<EvaluatedBlock> sum,
            ToDoubleFunction<EvaluatedBlock> weight,
            Finish finish) {
        return new Metric() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public boolean isHigherBetter() {
                return higherIsBetter;
            }

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
                return finish.of(sums / weights);
            }
        };
    }

    private static double squaredErrors(EvaluatedBlock block) {
        FloatBuffer outputs = floats(block.outputs());
        FloatBuffer target = floats(block.target());
        double sum = 0;
        for (int i = 0; i < block.samples(); i++) {
            double error = (double) outputs.get(i) - target.get(i);
            sum += error * error;
        }
        return sum;
    }

    /** Number of predictions that count: samples, or tokens that have a target. */
    private static double predictions(EvaluatedBlock block) {
        if (block.target().count() == block.samples()) {
            return block.samples();
        }
        LongBuffer target = block.target().data().buffer().asLongBuffer();
        long count = 0;
        for (int i = 0; i < target.remaining(); i++) {
            count += target.get(i) >= 0 ? 1 : 0;
        }
        return count;
    }

    private static double correct(EvaluatedBlock block, TargetKind kind) {
        FloatBuffer outputs = floats(block.outputs());
        long correct = 0;
        if (kind == TargetKind.BINARY) {
            FloatBuffer target = floats(block.target());
            for (int i = 0; i < block.samples(); i++) {
                correct += (outputs.get(i) > 0) == (target.get(i) > 0.5f) ? 1 : 0;
            }
            return correct;
        }
        LongBuffer target = block.target().data().buffer().asLongBuffer();
        int classes = (int) (block.outputs().count() / Math.max(1, target.remaining()));
        for (int i = 0; i < target.remaining(); i++) {
            correct += target.get(i) == argmax(outputs, i * classes, classes) ? 1 : 0;
        }
        return correct;
    }

    private static int argmax(FloatBuffer values, int from, int count) {
        int best = 0;
        for (int c = 1; c < count; c++) {
            if (values.get(from + c) > values.get(from + best)) {
                best = c;
            }
        }
        return best;
    }

    private static FloatBuffer floats(HostArray array) {
        return array.data().buffer().asFloatBuffer();
    }
}
