package dev.medley.data.dataset;

import dev.medley.base.job.Signature;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Supplies a user's own data; the job file names its class. The class is public and has a public
 * constructor without parameters, or one that takes the options as {@code Map<String, String>}. It
 * is instantiated once in every process.
 *
 * <p>Samples must be the same in every process and every time, or a run cannot be repeated.
 *
 * <p>Thread: {@link #read} is called from several threads at once.
 */
public interface SampleSource extends AutoCloseable {
    /** What one sample looks like. */
    Signature signature();

    /** How many samples there are; Medley splits them by {@code data.split}. */
    long size();

    /**
     * Puts one sample.
     *
     * @param index from 0 to before {@link #size}
     * @param inputs one buffer for each input of the signature, in native order, at position 0,
     *     with exactly the room of one sample
     * @param target likewise, for one target: FLOAT32 for BINARY and VALUE, INT64 for CLASSES and
     *     TOKENS
     */
    void read(long index, List<ByteBuffer> inputs, ByteBuffer target);

    /** Gives resources back; does nothing unless overridden. */
    @Override
    default void close() {}
}
