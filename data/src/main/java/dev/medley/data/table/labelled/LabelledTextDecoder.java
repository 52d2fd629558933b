package dev.medley.data.table.labelled;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Decodes a record: an int for each token of the context, -1 for none, and one for the class. */
public final class LabelledTextDecoder implements RecordDecoder {
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final int context;
    private final boolean isBinary;
    private final long[] tokens;

    /** For texts of {@code encoding}. */
    public LabelledTextDecoder(LabelledTextEncoding encoding) {
        context = encoding.context();
        isBinary = encoding.signature().target().kind() == TargetKind.BINARY;
        tokens = new long[context];
    }

    @Override
    public void decode(byte[] block, int offset, SampleKey sample, BatchBuffers batch, int row) {
        for (int i = 0; i < context; i++) {
            tokens[i] = (int) INTS.get(block, offset + i * Integer.BYTES);
        }
        batch.longs(0).put(row * context, tokens);
        int target = (int) INTS.get(block, offset + context * Integer.BYTES);
        if (isBinary) {
            batch.floats(batch.target()).put(row, target);
        } else {
            batch.longs(batch.target()).put(row, target);
        }
    }
}
