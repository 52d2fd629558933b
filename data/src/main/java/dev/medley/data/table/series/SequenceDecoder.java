package dev.medley.data.table.series;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** Decodes a sequence: its rows and its label. */
public final class SequenceDecoder implements RecordDecoder {
    private final int numbers;
    private final boolean isIndex;

    /** For sequences of {@code encoding}. */
    public SequenceDecoder(SequenceEncoding encoding) {
        numbers = encoding.rows() * encoding.rowNumbers();
        isIndex = encoding.signature().target().kind() == TargetKind.CLASSES;
    }

    @Override
    public void decode(byte[] block, int offset, SampleKey sample, BatchBuffers batch, int row) {
        FloatBuffer record =
                ByteBuffer.wrap(block, offset, (numbers + 1) * Float.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .asFloatBuffer();
        batch.floats(0).put(row * numbers, record, 0, numbers);
        float label = record.get(numbers);
        if (isIndex) {
            batch.longs(batch.target()).put(row, (long) label);
        } else {
            batch.floats(batch.target()).put(row, label);
        }
    }
}
