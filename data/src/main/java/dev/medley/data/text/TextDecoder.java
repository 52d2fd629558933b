package dev.medley.data.text;

import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/** Decodes a window of tokens as input and, one token further, as target. */
public final class TextDecoder implements RecordDecoder {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final int context;
    private final int tokenBytes;
    private final long[] window;

    /** For windows of {@code encoding}. */
    public TextDecoder(TextEncoding encoding) {
        context = encoding.context();
        tokenBytes = TokenCode.of(encoding).bytes();
        window = new long[context + 1];
    }

    @Override
    public void decode(byte[] block, int offset, SampleKey sample, BatchBuffers batch, int row) {
        for (int i = 0; i <= context; i++) {
            window[i] = token(block, offset + i * tokenBytes);
        }
        LongBuffer input = batch.longs(0);
        LongBuffer target = batch.longs(batch.target());
        input.put(row * context, window, 0, context);
        target.put(row * context, window, 1, context);
    }

    private long token(byte[] block, int at) {
        return switch (tokenBytes) {
            case 1 -> block[at] & 0xFF;
            case 2 -> (short) SHORTS.get(block, at) & 0xFFFF;
            default -> (int) INTS.get(block, at);
        };
    }
}
