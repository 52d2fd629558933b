package dev.medley.store.table;

import dev.medley.store.encoding.ColumnEncoding;
import dev.medley.store.encoding.ColumnEncoding.Category;
import dev.medley.store.encoding.ColumnEncoding.Moment;
import dev.medley.store.encoding.ColumnEncoding.Numeric;
import dev.medley.store.encoding.ColumnEncoding.Source;
import dev.medley.store.encoding.TableEncoding;
import dev.medley.store.shard.SplitSequence;
import dev.medley.store.table.RowSource.Coded;
import dev.medley.store.table.StagedTable.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows of files that the encoding was not fitted on: of a given validation split, or to predict.
 */
final class NewRows {
    private static final String TABLE = "new_rows";

    private final DuckDb db;
    private final Staging staging;
    private final BadRowPolicy policy;

    NewRows(DuckDb db, Staging staging, BadRowPolicy policy) {
        this.db = db;
        this.staging = staging;
        this.policy = policy;
    }

    /**
     * Writes all rows for validation.
     *
     * @param hasLabel whether the files have the label's column
     * @return whether the rows have targets: a label that is empty throughout is none
     */
    boolean write(TableEncoding encoding, List<Path> files, boolean hasLabel, RecordFiles out)
            throws IOException {
        Map<String, ColumnKind> kinds = new LinkedHashMap<>();
        encoding.columns().forEach(column -> kinds.put(column.name(), kind(column)));
        if (hasLabel) {
            kinds.put(encoding.label().column(), ColumnKind.TEXT);
        }
        StagedTable rows = staging.load(TABLE, files, kinds, "the training data had");
        new ValueChecks(db, policy).checkFinite(rows);
        RowSource source = source(encoding);
        boolean targets = hasLabel && hasAnyLabel(encoding.label().column());
        if (targets) {
            checkLabels(rows, encoding, source);
        }
        out.write(
                encoding,
                targets ? source : source.withoutLabel(),
                TABLE,
                SplitSequence.all(count("count(*)")));
        return targets;
    }

    private RowSource source(TableEncoding encoding) {
        List<Column> dense = new ArrayList<>();
        List<Coded> coded = new ArrayList<>();
        for (ColumnEncoding column : encoding.columns()) {
            Column staged = Column.of(column.name(), kind(column));
            if (column instanceof Category category) {
                String type = "new_category_" + coded.size();
                coded.add(new Coded(staged, Dictionary.of(db, type, category.values())));
            } else {
                dense.add(staged);
            }
        }
        return new RowSource(dense, coded, LabelChoice.of(db, encoding.label()), null);
    }

    private static ColumnKind kind(ColumnEncoding column) {
        if (column instanceof Numeric numeric) {
            return numeric.source() == Source.BOOLEAN ? ColumnKind.BOOLEAN : ColumnKind.NUMBER;
        } else if (column instanceof Moment moment) {
            return moment.timeOfDay() ? ColumnKind.TIMESTAMP : ColumnKind.DATE;
        }
        return ColumnKind.TEXT;
    }

    private boolean hasAnyLabel(String label) {
        return count("count(" + DuckDb.name(label) + ")") > 0;
    }

    private void checkLabels(StagedTable rows, TableEncoding encoding, RowSource source) {
        LabelChoice label = source.label();
        if (label == null) {
            return;
        }
        String name = "column '" + label.column().name().replace("%", "%%") + "': ";
        if (label.isValue()) {
            String sql = label.column().sql();
            policy.check(
                    db,
                    rows,
                    "%1$s IS NULL OR NOT isfinite(%1$s)".formatted(sql),
                    DuckDb.name(label.column().name()),
                    name + "the label \"%s\" is not a finite number");
        } else {
            String shown = encoding.label().classes().stream().limit(20).toList().toString();
            policy.check(
                    db,
                    rows,
                    label.code() + " < 0",
                    DuckDb.name(label.column().name()),
                    name
                            + "the label \"%s\" is not one of the training classes "
                            + shown.replace("%", "%%"));
        }
    }

    private long count(String what) {
        try {
            return db.longs("SELECT " + what + " FROM " + TABLE)[0];
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
