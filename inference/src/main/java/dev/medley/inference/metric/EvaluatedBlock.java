package dev.medley.inference.metric;

import dev.medley.base.memory.HostArray;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outputs and losses of a model for one block of samples.
 *
 * @param outputs FLOAT32, the first dimension is the sample
 * @param target as in the batch
 * @param weights FLOAT32, what each sample counts; null where all count one
 * @param lossSum sum of the losses, computed in fp32
 * @param weight sum of their weights
 * @param samples how many there are
 * @param inputs as in the batch
 */
public record EvaluatedBlock(
        HostArray outputs,
        HostArray target,
        @Nullable HostArray weights,
        double lossSum,
        double weight,
        int samples,
        List<HostArray> inputs) {
    public EvaluatedBlock {
        inputs = List.copyOf(inputs);
    }

    /** Samples of which nobody asks the inputs. */
    public EvaluatedBlock(
            HostArray outputs,
            HostArray target,
            @Nullable HostArray weights,
            double lossSum,
            double weight,
            int samples) {
        this(outputs, target, weights, lossSum, weight, samples, List.of());
    }

    /** Samples that all count one. */
    public EvaluatedBlock(
            HostArray outputs, HostArray target, double lossSum, double weight, int samples) {
        this(outputs, target, null, lossSum, weight, samples);
    }

    /** What a sample counts. */
    public double weightOf(int sample) {
        return weights == null ? 1 : weights.data().buffer().asFloatBuffer().get(sample);
    }
}
