package dev.medley.api.predict;

import dev.medley.base.job.Signature.Target;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model says about one sample.
 *
 * @param answer the class's name, or the number as text
 * @param scores probability of each class, in order of the target's labels; the number alone where
 *     a number is predicted
 */
public record Prediction(String answer, List<Double> scores) {
    public Prediction {
        scores = List.copyOf(scores);
    }

    /** From the model's raw outputs: logits for classes, the value itself for numbers. */
    static Prediction of(Target target, float[] outputs) {
        return switch (target.kind()) {
            case VALUE -> new Prediction(Float.toString(outputs[0]), List.of((double) outputs[0]));
            case BINARY -> {
                double second = 1 / (1 + Math.exp(-outputs[0]));
                yield ofScores(target, List.of(1 - second, second));
            }
            case CLASSES -> ofScores(target, softmax(outputs));
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
