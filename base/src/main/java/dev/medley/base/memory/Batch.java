package dev.medley.base.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Samples ready for a model. The first dimension of every array is the sample.
 *
 * @param inputs in the order of the data's {@link dev.medley.base.job.Signature}
 * @param target class indices (INT64), values (FLOAT32) or next tokens (INT64)
 * @param weights FLOAT32, what each sample counts, 0 or more; null where all count one
 * @param samples how many there are; may be zero on a rank whose share is empty
 */
public record Batch(
        List<HostArray> inputs, HostArray target, @Nullable HostArray weights, int samples) {
    public Batch {
        inputs = List.copyOf(inputs);
    }

    /** Samples that all count one. */
    public Batch(List<HostArray> inputs, HostArray target, int samples) {
        this(inputs, target, null, samples);
    }

    /** The samples from {@code from} to before {@code to}, in the same memory. */
    public Batch rows(int from, int to) {
        return new Batch(
                inputs.stream().map(i -> i.rows(from, to)).toList(),
                target.rows(from, to),
                weights == null ? null : weights.rows(from, to),
                to - from);
    }

    /** The same samples in memory of their own. */
    public Batch copy() {
        return new Batch(
                inputs.stream().map(HostArray::copy).toList(),
                target.copy(),
                weights == null ? null : weights.copy(),
                samples);
    }
}
