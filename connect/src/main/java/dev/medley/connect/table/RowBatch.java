package dev.medley.connect.table;

import java.util.Arrays;
import java.util.List;

/**
 * Carries some thousand rows by column from a source. Whoever fills it uses it again after its
 * {@link RowSink} has returned, so who wants to keep rows copies them.
 *
 * <p>A row that is {@linkplain #isDeleted deleted} has the values of the key; others do not count.
 *
 * <p>Thread: one at a time.
 */
public final class RowBatch {
    /** What a batch holds unless there is a reason for another number. */
    public static final int USUAL_CAPACITY = 2048;

    private final List<Column> columns;
    private final List<ColumnVector> vectors;
    private final boolean[] deleted;
    private int rows;

    /** An empty batch of {@code columns}, for at most {@code capacity} rows. */
    public RowBatch(List<Column> columns, int capacity) {
        this.columns = List.copyOf(columns);
        this.vectors = columns.stream().map(c -> new ColumnVector(c.type(), capacity)).toList();
        this.deleted = new boolean[capacity];
    }

    /** What its columns are. */
    public List<Column> columns() {
        return columns;
    }

    /** The values of one column. */
    public ColumnVector column(int index) {
        return vectors.get(index);
    }

    /** How many rows it has. */
    public int rows() {
        return rows;
    }

    /** Whether there is no room for another row. */
    public boolean isFull() {
        return rows == deleted.length;
    }

    /** Adds a row without values and says which it is. */
    public int add() {
        return rows++;
    }

    /** Whether the table has this row no more. */
    public boolean isDeleted(int row) {
        return deleted[row];
    }

    /** Says that the table has this row no more. */
    public void setDeleted(int row) {
        deleted[row] = true;
    }

    /** Takes all rows out. */
    public void clear() {
        rows = 0;
        Arrays.fill(deleted, false);
        vectors.forEach(ColumnVector::clear);
    }
}
