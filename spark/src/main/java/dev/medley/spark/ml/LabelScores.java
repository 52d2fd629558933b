package dev.medley.spark.ml;

import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;

/**
 * Turns a model's outputs to what Spark's classifiers say: a raw score, a probability, and the
 * class of each label, whose label is its number. A label that training did not have has the
 * probability 0.
 *
 * @param isBinary whether there is one output, for the second of two classes
 * @param labels number of each class, in the order of the outputs
 * @param classes of Spark's vectors
 */
record LabelScores(boolean isBinary, List<Integer> labels, int classes) implements Serializable {
    LabelScores {
        labels = List.copyOf(labels);
    }

    /** Of labels that are whole numbers from 0. */
    static LabelScores of(Target target) {
        List<String> names = target.labels();
        List<Integer> labels = names.stream().map(Integer::valueOf).toList();
        int most = 1;
        for (int label : labels) {
            most = Math.max(most, label);
        }
        return new LabelScores(target.kind() == TargetKind.BINARY, labels, most + 1);
    }

    /** Scores before they are probabilities; of labels that training did not have the lowest. */
    double[] raw(float[] outputs) {
        double[] raw = new double[classes];
        Arrays.fill(raw, labels.size() < classes ? -Double.MAX_VALUE : 0);
        if (isBinary) {
            raw[labels.get(0)] = -outputs[0];
            raw[labels.get(1)] = outputs[0];
            return raw;
        }
        for (int i = 0; i < labels.size(); i++) {
            raw[labels.get(i)] = outputs[i];
        }
        return raw;
    }

    /** In place. */
    Vector probabilities(Vector raw) {
        double[] values = ((DenseVector) raw).values();
        if (isBinary) {
            double second = 1 / (1 + Math.exp(-values[labels.get(1)]));
            Arrays.fill(values, 0);
            values[labels.get(0)] = 1 - second;
            values[labels.get(1)] = second;
            return raw;
        }
        double highest = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            highest = Math.max(highest, value);
        }
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.exp(values[i] - highest);
            sum += values[i];
        }
        for (int i = 0; i < values.length; i++) {
            values[i] /= sum;
        }
        return raw;
    }
}
