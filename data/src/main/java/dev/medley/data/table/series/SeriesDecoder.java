package dev.medley.data.table.series;

import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** Decodes a window: the rows that are seen, and those that are asked for. */
public final class SeriesDecoder implements RecordDecoder {
    private final float[] past;
    private final float[] asked;

    /** For windows of {@code encoding}. */
    public SeriesDecoder(SeriesEncoding encoding) {
        past = new float[encoding.lookBack() * encoding.channels()];
        asked = new float[encoding.horizon() * encoding.channels()];
    }

    @Override
    public void decode(byte[] block, int offset, SampleKey sample, BatchBuffers batch, int row) {
        int bytes = (past.length + asked.length) * Float.BYTES;
        FloatBuffer window =
                ByteBuffer.wrap(block, offset, bytes)
                        .order(ByteOrder.nativeOrder())
                        .asFloatBuffer();
        window.get(past).get(asked);
        batch.floats(0).put(row * past.length, past);
        batch.floats(batch.target()).put(row * asked.length, asked);
    }
}
