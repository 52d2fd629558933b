package dev.medley.store.file;

import dev.medley.base.ConfigException;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

/** Holds one array of a safetensors file; its bytes lie in the mapping, read-only. */
public final class StoredTensor {
    /** Widened at a time; a divisor of a chunk, so that a block of the copy lies in one. */
    private static final long BLOCK_BYTES = 1 << 20;

    private final String name;
    private final StoredType type;
    private final long[] shape;
    private final Span data;

    StoredTensor(String name, StoredType type, long[] shape, Span data) {
        this.name = name;
        this.type = type;
        this.shape = shape.clone();
        this.data = data;
    }

    /** Unique in its file. */
    public String name() {
        return name;
    }

    /** Type of the elements as stored. */
    public StoredType type() {
        return type;
    }

    /** Lengths of the dimensions, a copy. */
    public long[] shape() {
        return shape.clone();
    }

    /** The array's bytes, little-endian. */
    public Span data() {
        return data;
    }

    /**
     * The array in a type that Medley computes in: the same bytes where there is one, a fresh
     * FLOAT32 copy of F16 and BF16. A {@link ConfigException} refuses other types.
     */
    public NamedSpan toNamedSpan() {
        ElementType same = type.elementType();
        if (same != null) {
            return new NamedSpan(name, same, shape, data);
        }
        if (type != StoredType.BF16 && type != StoredType.F16) {
            throw new ConfigException(
                    "%s: elements of type %s: Medley reads F64, F32, F16, BF16, I64, I32, U8, BOOL"
                            .formatted(name, type));
        }
        return new NamedSpan(name, ElementType.FLOAT32, shape, widened());
    }

    private Span widened() {
        Span wide = Span.allocate(data.bytes() * 2);
        Span block = Span.allocate(Math.min(BLOCK_BYTES, data.bytes()));
        for (long at = 0; at < data.bytes(); at += BLOCK_BYTES) {
            long bytes = Math.min(BLOCK_BYTES, data.bytes() - at);
            Span narrow = block.slice(0, bytes);
            narrow.copyFrom(data.slice(at, bytes)); // whatever chunk border an element lies across
            ShortBuffer from = narrow.buffer().asShortBuffer();
            FloatBuffer to = wide.slice(at * 2, bytes * 2).buffer().asFloatBuffer();
            while (from.hasRemaining()) {
                short bits = from.get();
                to.put(type == StoredType.BF16 ? Float.intBitsToFloat(bits << 16) : half(bits));
            }
        }
        return wide;
    }

    /** IEEE 754 binary16; subnormals are multiples of 2^-24. */
    private static float half(short bits) {
        int exponent = bits >> 10 & 0x1F;
        int fraction = bits & 0x3FF;
        float magnitude;
        if (exponent == 0) {
            magnitude = fraction * 0x1p-24f;
        } else if (exponent == 31) {
            magnitude = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
        } else {
            magnitude = Float.intBitsToFloat((exponent + 112) << 23 | fraction << 13);
        }
        return bits < 0 ? -magnitude : magnitude;
    }

    @Override
    public String toString() {
        return name + ": " + type + Arrays.toString(shape);
    }
}
