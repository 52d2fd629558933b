package dev.medley.data.table.series;

import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Decodes a window: the rows that are seen, those that are asked for, and what is known ahead of
 * both.
 */
public final class SeriesDecoder implements RecordDecoder {
    private final int channels;
    private final int ahead;
    private final int lookBack;
    private final int rows;
    private final float[] row;

    /** For windows of {@code encoding}. */
    public SeriesDecoder(SeriesEncoding encoding) {
        channels = encoding.channels();
        ahead = encoding.ahead().size();
        lookBack = encoding.lookBack();
        rows = lookBack + encoding.horizon();
        row = new float[channels + ahead];
    }

    @Override
    public void decode(byte[] block, int offset, SampleKey sample, BatchBuffers batch, int at) {
        FloatBuffer window =
                ByteBuffer.wrap(block, offset, rows * row.length * Float.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .asFloatBuffer();
        FloatBuffer past = batch.floats(0);
        FloatBuffer asked = batch.floats(batch.target());
        if (ahead == 0) {
            past.put(at * lookBack * channels, window, 0, lookBack * channels);
            int horizon = (rows - lookBack) * channels;
            asked.put(at * horizon, window, lookBack * channels, horizon);
            return;
        }
        for (int i = 0; i < rows; i++) {
            window.get(row);
            if (i < lookBack) {
                past.put((at * lookBack + i) * channels, row, 0, channels);
            } else {
                asked.put((at * (rows - lookBack) + i - lookBack) * channels, row, 0, channels);
            }
            batch.floats(1).put((at * rows + i) * ahead, row, channels, ahead);
        }
    }
}
