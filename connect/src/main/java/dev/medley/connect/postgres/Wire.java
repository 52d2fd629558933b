package dev.medley.connect.postgres;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads numbers in network order. */
final class Wire {
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Wire() {}

    static int int2(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at);
    }

    static int int4(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long int8(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }
}
