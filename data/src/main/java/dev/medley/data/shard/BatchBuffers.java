package dev.medley.data.shard;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.Span;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Holds native memory for one batch. It is used again for the next one, and grown when a batch is
 * larger than any before.
 *
 * <p>Thread: one at a time.
 */
public final class BatchBuffers {
    /** One array of the batch. */
    private record Field(ElementType type, List<Integer> shape, int perSample) {}

    private final List<Field> fields = new ArrayList<>();
    private final ByteBuffer[] memory;
    private final FloatBuffer[] floats;
    private final LongBuffer[] longs;
    private final int target;
    private int capacity;

    /** No memory yet, for batches of {@code signature}. */
    public BatchBuffers(Signature signature) {
        for (Signature.Input input : signature.inputs()) {
            fields.add(field(input.type(), input.shape()));
        }
        target = fields.size();
        fields.add(target(signature));
        if (signature.weighted()) {
            fields.add(field(ElementType.FLOAT32, List.of()));
        }
        memory = new ByteBuffer[fields.size()];
        floats = new FloatBuffer[fields.size()];
        longs = new LongBuffer[fields.size()];
        grow(1);
    }

    /** Type of the target's elements. */
    public static ElementType targetType(TargetKind kind) {
        return switch (kind) {
            case BINARY, VALUE, VALUES, GRADE, NONE -> ElementType.FLOAT32;
            case CLASSES, TOKENS -> ElementType.INT64;
        };
    }

    /** Bytes of one sample of such batches, all inputs, the target and the weight. */
    public static long bytesPerSample(Signature signature) {
        BatchBuffers one = new BatchBuffers(signature);
        return IntStream.range(0, one.fields.size()).mapToLong(one::bytesPerSample).sum();
    }

    /** Makes room for {@code samples}; what was here before is lost. */
    public void reserve(int samples) {
        if (samples > capacity) {
            grow(samples);
        }
    }

    /** A FLOAT32 input; sample r begins at {@code r * perSample(input)}. */
    public FloatBuffer floats(int input) {
        return floats[input];
    }

    /** An INT64 input; sample r begins at {@code r * perSample(input)}. */
    public LongBuffer longs(int input) {
        return longs[input];
    }

    /** The raw memory of an input or, after the last input, of the target. */
    public ByteBuffer bytes(int field) {
        return memory[field];
    }

    /** Elements of one sample of an input. */
    public int perSample(int input) {
        return fields.get(input).perSample;
    }

    /** Index of the target among {@link #floats} and {@link #longs}. */
    public int target() {
        return target;
    }

    /** Index of the weights, where samples have any, among {@link #floats}. */
    public int weights() {
        return target + 1;
    }

    /** Bytes of one sample of an input or the target. */
    public int bytesPerSample(int field) {
        return fields.get(field).perSample * fields.get(field).type.bytes();
    }

    /** The first {@code samples} samples, over this memory. */
    public Batch batch(int samples) {
        List<HostArray> inputs = new ArrayList<>();
        for (int i = 0; i < target(); i++) {
            inputs.add(array(i, samples));
        }
        boolean weighted = fields.size() > weights();
        return new Batch(
                inputs,
                array(target(), samples),
                weighted ? array(weights(), samples) : null,
                samples);
    }

    private HostArray array(int index, int samples) {
        Field field = fields.get(index);
        long[] shape = new long[field.shape.size() + 1];
        shape[0] = samples;
        for (int i = 0; i < field.shape.size(); i++) {
            shape[i + 1] = field.shape.get(i);
        }
        int bytes = samples * bytesPerSample(index);
        return new HostArray(field.type, shape, Span.of(memory[index].slice(0, bytes)));
    }

    private void grow(int samples) {
        capacity = samples;
        for (int i = 0; i < memory.length; i++) {
            Span span = Span.allocate((long) samples * bytesPerSample(i));
            memory[i] = span.buffer();
            floats[i] = memory[i].asFloatBuffer();
            longs[i] = memory[i].asLongBuffer();
        }
    }

    private static Field target(Signature signature) {
        TargetKind kind = signature.target().kind();
        List<Integer> shape =
                switch (kind) {
                    case TOKENS -> signature.inputs().get(0).shape();
                    case VALUES -> List.of(signature.target().outputs());
                    case GRADE -> List.of(2);
                    case BINARY, CLASSES, VALUE, NONE -> List.of();
                };
        return field(targetType(kind), shape);
    }

    private static Field field(ElementType type, List<Integer> shape) {
        return new Field(type, shape, shape.stream().reduce(1, Math::multiplyExact));
    }
}
