package dev.medley.training.evaluation;

import dev.medley.base.job.Signature.TargetKind;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/**
 * Minus the logarithm of the probability that a classifier gives to what is true, from its logits
 * and in double: also of a model that learns from another loss. Tokens are taken from their loss,
 * which knows which of them count.
 */
final class LogLoss {
    private LogLoss() {}

    static double sum(EvaluatedBlock block, TargetKind kind) {
        return switch (kind) {
            case BINARY -> ofTwo(block);
            case CLASSES -> ofSeveral(block);
            case TOKENS, VALUE -> block.lossSum();
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
        int classes = (int) (block.outputs().count() / Math.max(1, block.samples()));
        double sum = 0;
        for (int i = 0; i < block.samples(); i++) {
            int from = i * classes;
            double most = Double.NEGATIVE_INFINITY;
            for (int c = 0; c < classes; c++) {
                most = Math.max(most, outputs.get(from + c));
            }
            double all = 0;
            for (int c = 0; c < classes; c++) {
                all += Math.exp(outputs.get(from + c) - most);
            }
            sum += most + Math.log(all) - outputs.get(from + (int) target.get(i));
        }
        return sum;
    }
}
