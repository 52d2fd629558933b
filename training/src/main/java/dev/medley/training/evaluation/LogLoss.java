package dev.medley.training.evaluation;

import dev.medley.base.job.Signature.TargetKind;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/**
 * Minus the logarithm of the probability that a classifier gives to what is true, from its logits
 * and in double: also of a model that learns from another loss. Tokens without a target do not
 * count.
 */
final class LogLoss {
    private LogLoss() {}

    static double sum(EvaluatedBlock block, TargetKind kind) {
        return switch (kind) {
            case BINARY -> ofTwo(block);
            case CLASSES, TOKENS -> ofSeveral(block);
            case VALUE -> throw new IllegalArgumentException("a number has no classes");
        };
    }

    private static double ofTwo(EvaluatedBlock block) {
        FloatBuffer outputs = block.outputs().data().buffer().asFloatBuffer();
        FloatBuffer target = block.target().data().buffer().asFloatBuffer();
        double sum = 0;
        for (int i = 0; i < block.samples(); i++) {
            double logit = outputs.get(i);
            double off = target.get(i) > 0.5f ? -logit : logit;
            sum += Math.max(off, 0) + Math.log1p(Math.exp(-Math.abs(off)));
        }
        return sum;
    }

    private static double ofSeveral(EvaluatedBlock block) {
        FloatBuffer outputs = block.outputs().data().buffer().asFloatBuffer();
        LongBuffer target = block.target().data().buffer().asLongBuffer();
        int classes = (int) (block.outputs().count() / Math.max(1, target.remaining()));
        float[] logits = new float[classes];
        double sum = 0;
        for (int i = 0; i < target.remaining(); i++) {
            int truth = (int) target.get(i);
            if (truth >= 0) {
                outputs.get(i * classes, logits);
                sum += logSumOfExponents(logits) - logits[truth];
            }
        }
        return sum;
    }

    private static double logSumOfExponents(float[] logits) {
        double most = Double.NEGATIVE_INFINITY;
        for (float logit : logits) {
            most = Math.max(most, logit);
        }
        double all = 0;
        for (float logit : logits) {
            all += Math.exp(logit - most);
        }
        return most + Math.log(all);
    }
}
