package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.spark.rows.FrameColumns;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Tells a linear model in the units of its features: what is learnt of scaled ones is taken back.
 */
final class LinearParts {
    /** Of each output, feature by feature. */
    final double[][] weights;

    /** Of each output. */
    final double[] intercepts;

    private LinearParts(double[][] weights, double[] intercepts) {
        this.weights = weights;
        this.intercepts = intercepts;
    }

    static LinearParts of(TrainedModel model, int features) {
        TableEncoding encoding = (TableEncoding) model.encoding();
        Target target = encoding.label().target();
        boolean isNumber = target.kind() == TargetKind.VALUE;
        double unit = isNumber ? target.deviation() : 1;
        double[] scaled = array(model.weights(), "0.weight");
        double[] bias = array(model.weights(), "0.bias");
        List<Dense> dense = encoding.dense();
        double[][] weights = new double[bias.length][features];
        double[] intercepts = new double[bias.length];
        for (int output = 0; output < bias.length; output++) {
            intercepts[output] = bias[output] * unit + (isNumber ? target.mean() : 0);
            for (int i = 0; i < dense.size(); i++) {
                Numeric column = plain(dense.get(i));
                double weight = scaled[output * dense.size() + i] * unit / column.scaling().scale();
                weights[output][FrameColumns.place(column.name())] = weight;
                intercepts[output] -= weight * column.scaling().centre();
            }
        }
        return new LinearParts(weights, intercepts);
    }

    private static Numeric plain(Dense column) {
        if (column instanceof Numeric numeric && !numeric.missingIndicator()) {
            return numeric;
        }
        throw new ConfigException(
                "%s has missing values (NaN), which a linear model of Spark cannot tell: fill them"
                                .formatted(column.name())
                        + " first (Imputer)");
    }

    static double[] array(List<NamedSpan> weights, String name) {
        for (NamedSpan array : weights) {
            if (array.name().equals(name)) {
                boolean isDouble = array.type() == ElementType.FLOAT64;
                ByteBuffer bytes = array.data().buffer();
                double[] values = new double[bytes.remaining() / array.type().bytes()];
                for (int i = 0; i < values.length; i++) {
                    values[i] =
                            isDouble ? bytes.asDoubleBuffer().get(i) : bytes.asFloatBuffer().get(i);
                }
                return values;
            }
        }
        throw new IllegalStateException("a model without " + name);
    }
}
