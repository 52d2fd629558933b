package dev.medley.inference.model;

import java.util.Comparator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Draws a token by its score: by temperature, of the likeliest alone where that is asked for. */
final class TokenDraw {
    private TokenDraw() {}

    /** The next token; of equal scores the first. */
    static int draw(float[] scores, GenerateOptions how, RandomGenerator random) {
        int best = likeliest(scores);
        if (how.temperature() == 0) {
            return best;
        }
        double[] weights = new double[scores.length];
        for (int i = 0; i < scores.length; i++) {
            weights[i] = Math.exp((scores[i] - scores[best]) / how.temperature());
        }
        if (how.topK() > 0 || how.topP() < 1) {
            dropUnlikely(weights, how);
        }
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        double left = random.nextDouble() * sum;
        for (int i = 0; i < weights.length; i++) {
            left -= weights[i];
            if (left < 0) {
                return i;
            }
        }
        return best; // Rounding: what is left is a sum's last bit.
    }

    private static int likeliest(float[] scores) {
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            if (scores[i] > scores[best]) {
                best = i;
            }
        }
        return best;
    }

    /** Weighs 0 what is not among the likeliest k, or comes after a share p of all. */
    private static void dropUnlikely(double[] weights, GenerateOptions how) {
        int[] order =
                IntStream.range(0, weights.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> -weights[i]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        int most = how.topK() == 0 ? order.length : Math.min(how.topK(), order.length);
        double enough = 0;
        for (int rank = 0; rank < most; rank++) {
            enough += weights[order[rank]];
        }
        enough *= how.topP();
        double sum = 0;
        for (int rank = 0; rank < order.length; rank++) {
            boolean isKept = rank < most && sum < enough;
            sum += weights[order[rank]];
            weights[order[rank]] = isKept ? weights[order[rank]] : 0;
        }
    }
}
