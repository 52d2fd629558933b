package dev.medley.serving.input;

import dev.medley.base.memory.ElementType;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds samples as a model takes them, in Java's memory, until there is a batch for them. */
public sealed interface EncodedRows {
    /** How many samples. */
    int rows();

    /**
     * Puts samples into a batch.
     *
     * @param from the first of them
     * @param count how many
     * @param decoder of stored records, which belongs to this thread; null for data that has none
     * @param batch with room for them
     * @param at their first row in the batch
     */
    void put(int from, int count, @Nullable RecordDecoder decoder, BatchBuffers batch, int at);

    /** Records as they are stored on disk. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Records(byte[] bytes, int recordBytes, int rows) implements EncodedRows {
        @Override
        public void put(
                int from, int count, @Nullable RecordDecoder decoder, BatchBuffers batch, int at) {
            if (decoder == null) {
                throw new IllegalStateException("records without their decoder");
            }
            for (int i = 0; i < count; i++) {
                SampleKey key = new SampleKey(0, i);
                decoder.decode(bytes, (from + i) * recordBytes, key, batch, at + i);
            }
        }
    }

    /**
     * Arrays as a model takes them.
     *
     * @param inputs in the order of the signature, each with all samples
     */
    record Arrays(List<Input> inputs, int rows) implements EncodedRows {
        /** An array of FLOAT32, INT64 or UINT8, as {@code type} says. */
        @SuppressWarnings("ArrayRecordComponent") // Never compared.
        public record Input(ElementType type, double[] values) {}

        public Arrays {
            inputs = List.copyOf(inputs);
        }

        @Override
        public void put(
                int from, int count, @Nullable RecordDecoder decoder, BatchBuffers batch, int at) {
            for (int i = 0; i < inputs.size(); i++) {
                Input input = inputs.get(i);
                int width = batch.perSample(i);
                for (int v = 0; v < count * width; v++) {
                    double value = input.values()[from * width + v];
                    int to = at * width + v;
                    switch (input.type()) {
                        case FLOAT32 -> batch.floats(i).put(to, (float) value);
                        case INT64 -> batch.longs(i).put(to, (long) value);
                        case UINT8 -> batch.bytes(i).put(to, (byte) value);
                        default ->
                                throw new IllegalStateException("no model takes " + input.type());
                    }
                }
            }
        }
    }
}
