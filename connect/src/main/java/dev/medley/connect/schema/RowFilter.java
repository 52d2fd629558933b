package dev.medley.connect.schema;

import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnVector;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowHash;
import dev.medley.connect.table.RowSink;
import java.io.IOException;
import java.util.List;

/**
 * Brings a source's rows into the columns that a decision keeps. A row that does not fit comes out
 * as deleted, so that an older one of its key does not stay in its place; where the table has no
 * key, it does not come out at all.
 *
 * <p>Thread: one.
 */
public final class RowFilter implements RowSink {
    private final SchemaDecision decision;
    private final RowSink sink;
    private final RowBatch out;
    private final boolean isPlain;
    private final RowBatch droppedKey;
    private final RowHash keyHash;
    private final int[] keyAt;
    private long droppedRows;
    private long droppedValues;
    private long droppedKeys;

    /** Hands rows on to {@code sink}. */
    public RowFilter(SchemaDecision decision, RowSink sink) {
        this.decision = decision;
        this.sink = sink;
        this.out = new RowBatch(decision.kept().columns(), RowBatch.USUAL_CAPACITY);
        List<Column> key = decision.kept().keyColumns();
        this.droppedKey = new RowBatch(key, 1);
        this.keyHash = new RowHash(key);
        this.keyAt = key.stream().mapToInt(decision.kept().columns()::indexOf).toArray();
        boolean inOrder = decision.rules().isEmpty();
        for (int i = 0; i < decision.from().size(); i++) {
            inOrder &= decision.from().get(i) == i;
        }
        this.isPlain = inOrder;
    }

    @Override
    public void accept(RowBatch batch) throws IOException {
        if (isPlain && batch.columns().size() == decision.from().size()) {
            sink.accept(batch);
            return;
        }
        out.clear();
        for (int row = 0; row < batch.rows(); row++) {
            if (out.isFull()) {
                sink.accept(out);
                out.clear();
            }
            row(batch, row);
        }
        if (out.rows() > 0) {
            sink.accept(out);
        }
    }

    private void row(RowBatch batch, int row) {
        boolean drops = false;
        for (ColumnRule rule : decision.rules()) {
            if (!batch.isDeleted(row) && rule.misfits(batch.column(rule.from()), row)) {
                if (rule.dropsRow()) {
                    drops = true;
                } else {
                    batch.column(rule.from()).setMissing(row);
                    droppedValues++;
                }
            }
        }
        droppedRows += drops ? 1 : 0;
        if (drops && decision.kept().key().isEmpty()) {
            return;
        }
        int to = out.add();
        for (int column = 0; column < decision.from().size(); column++) {
            int from = decision.from().get(column);
            ColumnVector values = out.column(column);
            if (from != SchemaDecision.NOWHERE) {
                values.copy(to, batch.column(from), row);
            }
        }
        if (drops) {
            droppedKey.clear();
            int only = droppedKey.add();
            for (int i = 0; i < keyAt.length; i++) {
                droppedKey.column(i).copy(only, out.column(keyAt[i]), to);
            }
            droppedKeys += keyHash.of(droppedKey)[0];
        }
        if (drops || batch.isDeleted(row)) {
            out.setDeleted(to);
        }
    }

    /** Rows left out so far. */
    public long droppedRows() {
        return droppedRows;
    }

    /** The sum of the hashes of their keys. */
    public long droppedKeys() {
        return droppedKeys;
    }

    /** Values left out so far. */
    public long droppedValues() {
        return droppedValues;
    }
}
