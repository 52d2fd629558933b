package dev.medley.onnx.engine;

import dev.medley.base.memory.Batch;

/**
 * Computes a model's outputs.
 *
 * <p>Thread: any, several at once; nobody computes when it is closed.
 */
public interface Engine extends AutoCloseable {
    /** Its name, for people. */
    String name();

    /** The outputs of a batch, sample by sample. */
    float[] forward(Batch batch);

    @Override
    void close();
}
