package dev.medley.data.table;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes stored rows to features: dense floats as they are, one-hot codes spread out, terms as
 * they are or spread out, embedded codes as they are. See {@link RowLayout} for the record.
 */
public final class TableDecoder implements RecordDecoder {
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final RowLayout layout;
    private final int[] oneHotAt;
    private final int embedded;
    private final boolean sparse;
    private final int spreadAt;
    private final float[] features;

    /** Whether features lie in the record as they lie in the batch. */
    private final boolean isPlain;

    private final TargetKind target;

    /** For rows of {@code encoding}. */
    public TableDecoder(TableEncoding encoding) {
        layout = RowLayout.of(encoding);
        List<Category> oneHot = encoding.oneHot();
        oneHotAt = new int[oneHot.size()];
        int at = encoding.denseCount();
        for (int i = 0; i < oneHotAt.length; i++) {
            oneHotAt[i] = at;
            at += oneHot.get(i).knownCodes();
        }
        embedded = encoding.embedded().size();
        sparse = encoding.sparse();
        spreadAt = encoding.plainCount();
        features = new float[encoding.featureCount()];
        isPlain = features.length > 0 && features.length == layout.dense();
        target = encoding.signature().target().kind();
    }

    @Override
    public void decode(byte[] block, int offset, SampleKey sample, BatchBuffers batch, int row) {
        int input = 0;
        if (isPlain) {
            int bytes = features.length * Float.BYTES;
            batch.bytes(input++).put(row * bytes, block, offset, bytes);
        } else if (features.length > 0) {
            features(block, offset);
            batch.floats(input++).put(row * features.length, features);
        }
        if (sparse && layout.terms() > 0) {
            FloatBuffer terms = batch.floats(input++);
            for (int i = 0, at = offset + layout.termsAt();
                    i < layout.terms();
                    i++, at += RowLayout.TERM_BYTES) {
                int to = 2 * (row * layout.terms() + i);
                terms.put(to, (int) INTS.get(block, at));
                terms.put(to + 1, (float) FLOATS.get(block, at + Integer.BYTES));
            }
        }
        if (embedded > 0) {
            LongBuffer codes = batch.longs(input);
            int from = offset + layout.codesAt() + oneHotAt.length * Integer.BYTES;
            for (int i = 0; i < embedded; i++) {
                codes.put(row * embedded + i, (int) INTS.get(block, from + i * Integer.BYTES));
            }
        }
        if (layout.groups() > 0) {
            batch.floats(batch.target())
                    .put(2 * row, (float) FLOATS.get(block, offset + layout.targetAt()))
                    .put(2 * row + 1, (float) FLOATS.get(block, offset + layout.groupAt()));
        } else {
            target(block, offset + layout.targetAt(), batch, row);
        }
        if (layout.weights() > 0) {
            float weight = (float) FLOATS.get(block, offset + layout.weightAt());
            batch.floats(batch.weights()).put(row, weight);
        }
    }

    private void features(byte[] block, int offset) {
        int dense = layout.dense();
        for (int i = 0; i < dense; i++) {
            features[i] = (float) FLOATS.get(block, offset + i * Float.BYTES);
        }
        Arrays.fill(features, dense, features.length, 0);
        int codes = offset + layout.codesAt();
        for (int i = 0; i < oneHotAt.length; i++) {
            int code = (int) INTS.get(block, codes + i * Integer.BYTES);
            if (code >= 0) {
                features[oneHotAt[i] + code] = 1;
            }
        }
        int end = sparse ? 0 : layout.terms();
        for (int i = 0, at = offset + layout.termsAt(); i < end; i++, at += RowLayout.TERM_BYTES) {
            float value = (float) FLOATS.get(block, at + Integer.BYTES);
            features[spreadAt + (int) INTS.get(block, at)] += value;
        }
    }

    private void target(byte[] block, int at, BatchBuffers batch, int row) {
        switch (target) {
            case BINARY -> batch.floats(batch.target()).put(row, (int) INTS.get(block, at));
            case NONE -> batch.floats(batch.target()).put(row, 0);
            case VALUE -> batch.floats(batch.target()).put(row, (float) FLOATS.get(block, at));
            default -> batch.longs(batch.target()).put(row, (int) INTS.get(block, at));
        }
    }
}
