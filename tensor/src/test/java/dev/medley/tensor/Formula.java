package dev.medley.tensor;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Numbers that Java and Python compute alike, so that test data holds results only: a hash of
 * (index, salt), as 24 bits of a number from 0 to below 1. The same as in
 * src/test/python/record_pytorch.py.
 */
public final class Formula {
    private static final long MASK = 0xFFFFFFFFL;

    private Formula() {}

    /** From 0 to below 1. */
    public static double unit(long index, long salt) {
        long x = (index * 0x9E3779B1L + salt * 0x85EBCA77L + 0x27D4EB2FL) & MASK;
        x ^= x >>> 16;
        x = (x * 0x85EBCA6BL) & MASK;
        x ^= x >>> 13;
        x = (x * 0xC2B2AE35L) & MASK;
        x ^= x >>> 16;
        return (x >>> 8) / (double) (1 << 24);
    }

    /** From -1 to below 1. */
    public static double signed(long index, long salt) {
        return 2 * unit(index, salt) - 1;
    }

    /** Random-looking numbers from -1 to 1. */
    public static HostArray floats(long salt, long... shape) {
        return fill(HostArray.allocate(ElementType.FLOAT32, shape), i -> signed(i, salt));
    }

    /** Random-looking indices below {@code bound}. */
    public static HostArray indices(long salt, int bound, long... shape) {
        return fill(
                HostArray.allocate(ElementType.INT64, shape),
                i -> Math.floor(unit(i, salt) * bound));
    }

    /** Zeros and ones. */
    public static HostArray labels(long salt, long samples) {
        return fill(
                HostArray.allocate(ElementType.FLOAT32, samples),
                i -> Math.floor(unit(i, salt) * 2));
    }

    /** A batch of one input. */
    public static Batch batch(HostArray input, HostArray target) {
        return new Batch(List.of(input), target, (int) input.shape()[0]);
    }

    /** {@code count} samples of a batch from {@code from}. */
    public static Batch part(Batch batch, int from, int count) {
        return new Batch(
                batch.inputs().stream().map(array -> rows(array, from, count)).toList(),
                rows(batch.target(), from, count),
                count);
    }

    private static HostArray rows(HostArray array, int from, int count) {
        long[] shape = array.shape();
        long rowBytes = array.data().bytes() / shape[0];
        shape[0] = count;
        return new HostArray(
                array.type(), shape, array.data().slice(from * rowBytes, count * rowBytes));
    }

    private static HostArray fill(HostArray array, LongFunction<Double> value) {
        ByteBuffer bytes = array.data().buffer();
        for (long i = 0; i < array.count(); i++) {
            double number = value.apply(i);
            switch (array.type()) {
                case FLOAT32 -> bytes.putFloat((float) number);
                case FLOAT64 -> bytes.putDouble(number);
                case INT64 -> bytes.putLong((long) number);
                case INT32 -> bytes.putInt((int) number);
                case UINT8 -> bytes.put((byte) number);
            }
        }
        return array;
    }
}
