package dev.medley.exchange.codec;

import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Encodes float32 or float64 in fewer bytes and decodes them, in blocks of {@value #BLOCK_ELEMENTS}
 * elements. The decoded values depend only on the bytes, so all who decode the same bytes hold
 * equal values. Rounds to the nearest, always alike. A block in which anything is not finite, or
 * does not fit into a float32, has something that is not finite when it is decoded.
 *
 * <p>Buffers are read and written from position zero, their positions stay. Owns scratch memory:
 * one caller at a time.
 */
public abstract sealed class Codec
        permits BrainFloats, HalfFloats, Levels8, Levels4, Largest, Signs, Warming {
    /** Elements that are encoded together; the last block of a stretch may have fewer. */
    public static final int BLOCK_ELEMENTS = 512;

    private final float[] values = new float[BLOCK_ELEMENTS];
    private final float[] decoded = new float[BLOCK_ELEMENTS];
    private final float[] left = new float[BLOCK_ELEMENTS];

    /** The part of the rest that is sent later. */
    private float kept = 1;

    Codec() {}

    /**
     * The codec of a job; empty for none, for POWERSGD, which hands over other slices and changes
     * none, and for AUTO as long as nothing was chosen.
     */
    public static Optional<Codec> of(Compress compress, CodecSpec spec) {
        Optional<Codec> codec =
                switch (compress) {
                    case NONE, POWERSGD, AUTO -> Optional.empty();
                    case BF16 -> Optional.of(new BrainFloats());
                    case FP16 -> Optional.of(new HalfFloats());
                    case INT8 -> Optional.of(new Levels8());
                    case INT4 -> Optional.of(new Levels4());
                    case ONEBIT -> Optional.of(new Signs());
                    case TOPK -> Optional.of(Largest.warmingUp(spec));
                };
        codec.ifPresent(each -> each.keep((float) spec.residualDecay()));
        return codec;
    }

    /** The codec of an exchange, by its number from 1 over the run; this one, mostly. */
    public Codec at(long step) {
        return this;
    }

    /** From now on that part of what is left out is sent later. */
    void keep(float part) {
        kept = part;
    }

    /** For the user, as in a job file. */
    public abstract String name();

    /** Whether so much is left out that the next step should make up for it. */
    public abstract boolean isCoarse();

    /** Bytes of one block of so many elements. */
    abstract int blockBytes(int elements);

    /** Puts the first {@code count} values at the buffer's position. */
    abstract void encodeBlock(float[] from, int count, ByteBuffer into);

    /** Takes the first {@code count} values from the buffer's position. */
    abstract void decodeBlock(ByteBuffer from, int count, float[] into);

    /** Length of so many elements when encoded. */
    public final int encodedBytes(int elements) {
        int rest = elements % BLOCK_ELEMENTS;
        return elements / BLOCK_ELEMENTS * blockBytes(BLOCK_ELEMENTS)
                + (rest == 0 ? 0 : blockBytes(rest));
    }

    /** Encodes all of {@code from}. */
    public final void encode(ByteBuffer from, ElementType type, ByteBuffer into) {
        encode(from, type, into, null);
    }

    /**
     * Encodes all of {@code from} and what was left out of it before: x = g + e goes out as C(x),
     * and e becomes x - C(x), or the part of it that is kept. That is error feedback (Karimireddy,
     * Rebjock, Stich, Jaggi 2019, arXiv 1901.09847).
     */
    public final void encode(
            ByteBuffer from, ElementType type, ByteBuffer into, @Nullable CodecResidual residual) {
        Elements elements = Elements.of(from, type);
        ByteBuffer target = inOrder(into);
        for (int at = 0; at < elements.count(); at += BLOCK_ELEMENTS) {
            int count = Math.min(BLOCK_ELEMENTS, elements.count() - at);
            elements.get(at, values, count);
            if (residual == null) {
                encodeBlock(values, count, target);
            } else {
                encodeBlock(target, count, at, residual);
            }
        }
        if (residual != null) {
            residual.written();
        }
    }

    private void encodeBlock(ByteBuffer target, int count, int at, CodecResidual residual) {
        int start = target.position();
        residual.get(at, left, count);
        for (int i = 0; i < count; i++) {
            values[i] += left[i];
        }
        encodeBlock(values, count, target);
        int end = target.position();
        decodeBlock(target.position(start), count, decoded);
        target.position(end);
        for (int i = 0; i < count; i++) {
            float rest = values[i] - decoded[i];
            // Where something is not finite the step is not sound: it leaves nothing behind.
            left[i] = Float.isFinite(rest) ? kept * rest : 0;
        }
        residual.put(at, left, count);
    }

    /** Sets all of {@code into} to what was encoded. */
    public final void decode(ByteBuffer from, ElementType type, ByteBuffer into) {
        Elements elements = Elements.of(into, type);
        ByteBuffer source = inOrder(from);
        for (int at = 0; at < elements.count(); at += BLOCK_ELEMENTS) {
            int count = Math.min(BLOCK_ELEMENTS, elements.count() - at);
            decodeBlock(source, count, decoded);
            elements.put(at, decoded, count);
        }
    }

    private static ByteBuffer inOrder(ByteBuffer buffer) {
        return buffer.duplicate().position(0).order(ByteOrder.LITTLE_ENDIAN);
    }
}
