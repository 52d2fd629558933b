package dev.medley.inference.model;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prediction of a model for one sample.
 *
 * @param answer the class's name, the cluster's number, or the number or numbers as text
 * @param scores probability of each class, in order of the target's labels; only the number, with
 *     the digits that a float has, where a number is predicted; all numbers, as the model gives
 *     them, where there are several; the distance to its centre of a cluster
 */
public record Prediction(String answer, List<Double> scores) {
    public Prediction {
        scores = List.copyOf(scores);
    }

    /**
     * From the model's raw outputs: logits for classes, the value itself for numbers, the score of
     * a row that is ranked.
     *
     * @param threshold of the model, from which on the second of two classes is the answer; null
     *     for none
     */
    public static Prediction of(
            Target target, @Nullable DecisionThreshold threshold, float[] outputs) {
        return switch (target.kind()) {
            case VALUE, GRADE -> {
                String digits = Float.toString(outputs[0]);
                yield new Prediction(digits, List.of(Double.parseDouble(digits)));
            }
            case VALUES -> {
                List<Double> numbers = new ArrayList<>(outputs.length);
                for (float output : outputs) {
                    numbers.add((double) output);
                }
                yield new Prediction(numbers.toString(), numbers);
            }
            case BINARY -> {
                double second = 1 / (1 + Math.exp(-outputs[0]));
                List<Double> scores = List.of(1 - second, second);
                yield threshold == null
                        ? ofScores(target, scores)
                        : new Prediction(nameOf(target, threshold.decide(second)), scores);
            }
            case CLASSES -> ofScores(target, softmax(outputs));
            case NONE -> {
                int cluster = (int) outputs[0];
                double distance = Double.parseDouble(Float.toString(outputs[1]));
                yield new Prediction(Integer.toString(cluster), List.of(distance));
            }
            case TOKENS -> throw new IllegalStateException("a language model generates");
        };
    }

    private static Prediction ofScores(Target target, List<Double> scores) {
        int best = 0;
        for (int i = 1; i < scores.size(); i++) {
            if (scores.get(i) > scores.get(best)) {
                best = i;
            }
        }
        return new Prediction(nameOf(target, best), scores);
    }

    /**
     * The columns of a file of predictions: the answer, then the probability of each class as
     * {@code p(LABEL)}.
     */
    public static Map<String, ColumnType> columns(Target target) {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        if (target.kind() == TargetKind.VALUES) {
            target.labels().forEach(name -> columns.put(name, ColumnType.NUMBER));
            return columns;
        }
        if (target.kind() == TargetKind.NONE) {
            columns.put("cluster", ColumnType.TEXT);
            columns.put("distance", ColumnType.NUMBER);
            return columns;
        }
        boolean isNumber = isNumber(target);
        columns.put("prediction", isNumber ? ColumnType.NUMBER : ColumnType.TEXT);
        int classes = target.kind() == TargetKind.BINARY ? 2 : target.outputs();
        for (int i = 0; !isNumber && i < classes; i++) {
            columns.put("p(" + nameOf(target, i) + ")", ColumnType.NUMBER);
        }
        return columns;
    }

    /** A value, or a score to rank by. */
    private static boolean isNumber(Target target) {
        return target.kind() == TargetKind.VALUE || target.kind() == TargetKind.GRADE;
    }

    /** The values of those columns. */
    public Object[] row(Target target) {
        if (isNumber(target) || target.kind() == TargetKind.VALUES) {
            return scores.toArray();
        }
        List<Object> row = new ArrayList<>(List.of(answer));
        row.addAll(scores);
        return row.toArray();
    }

    /** The label of class {@code index}, or the index itself where classes have no names. */
    public static String nameOf(Target target, int index) {
        return index < target.labels().size()
                ? target.labels().get(index)
                : Integer.toString(index);
    }

    private static List<Double> softmax(float[] logits) {
        double highest = Double.NEGATIVE_INFINITY;
        for (float logit : logits) {
            highest = Math.max(highest, logit);
        }
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit - highest);
        }
        List<Double> shares = new ArrayList<>(logits.length);
        for (float logit : logits) {
            shares.add(Math.exp(logit - highest) / sum);
        }
        return shares;
    }
}
