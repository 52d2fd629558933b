package dev.medley.store.table;

import dev.medley.base.job.DataSpec;
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
import java.util.Objects;
import java.util.Set;

/**
 * Rows of files that the encoding was not fitted on: of a given validation split, to predict, or to
 * learn more from.
 */
final class NewRows {
    private final DuckDb db;
    private final Staging staging;
    private final BadRowPolicy policy;
    private final String table;

    /** Rows that are staged as {@code table}, a name that no other rows have. */
    NewRows(DuckDb db, Staging staging, BadRowPolicy policy, String table) {
        this.db = db;
        this.staging = staging;
        this.policy = policy;
        this.table = table;
    }

    /**
     * Writes all rows for validation.
     *
     * @param hasLabel whether the files have the label's column
     * @return whether the rows have targets: a label that is empty throughout is none
     */
    boolean write(TableEncoding encoding, List<Path> files, boolean hasLabel, RecordFiles out)
            throws IOException {
        Map<String, ColumnKind> kinds = kinds(encoding);
        if (hasLabel) {
            kinds.put(encoding.label().column(), ColumnKind.TEXT);
        }
        StagedTable rows = staged(files, kinds);
        RowSource source = source(encoding);
        boolean targets = hasLabel && hasAnyLabel(encoding.label().column());
        if (targets) {
            checkLabels(rows, encoding, source);
        }
        out.write(
                encoding,
                targets ? source : source.withoutLabel(),
                table,
                SplitSequence.all(count("count(*)")));
        return targets;
    }

    /** Writes rows to learn from, all of which have a label, split as the job says. */
    void write(TableEncoding encoding, List<Path> files, DataSpec spec, long seed, RecordFiles out)
            throws IOException {
        String label = encoding.label().column();
        Map<String, ColumnKind> kinds = kinds(encoding);
        kinds.put(label, ColumnKind.TEXT);
        Map<String, ColumnKind> found = staging.kinds(files, Set.of());
        RowSplit.column(spec, label)
                .filter(found::containsKey)
                .ifPresent(by -> kinds.putIfAbsent(by, found.get(by)));
        StagedTable rows = staged(files, kinds);
        policy.checkLabelled(db, rows, label);
        RowSource source = source(encoding);
        LabelChoice choice = Objects.requireNonNull(source.label());
        checkLabels(rows, encoding, source);
        RowSplit split = new RowSplit(db, spec, rows, choice);
        out.write(encoding, source.stratified(split.stratum()), table, split.sequence(seed));
    }

    private static Map<String, ColumnKind> kinds(TableEncoding encoding) {
        Map<String, ColumnKind> kinds = new LinkedHashMap<>();
        encoding.columns().forEach(column -> kinds.put(column.name(), kind(column)));
        return kinds;
    }

    private StagedTable staged(List<Path> files, Map<String, ColumnKind> kinds) {
        StagedTable rows = staging.load(table, files, kinds, "the training data had");
        new ValueChecks(db, policy, staging.decimal()).checkFinite(rows);
        return rows;
    }

    private RowSource source(TableEncoding encoding) {
        List<Column> dense = new ArrayList<>();
        List<Coded> coded = new ArrayList<>();
        for (ColumnEncoding column : encoding.columns()) {
            Column staged = Column.of(column.name(), kind(column));
            if (column instanceof Category category) {
                String type = table + "_category_" + coded.size();
                coded.add(new Coded(staged, Dictionary.of(db, type, category.values())));
            } else {
                dense.add(staged);
            }
        }
        LabelChoice label = LabelChoice.of(db, table, encoding.label(), staging.decimal());
        return new RowSource(dense, coded, label, null);
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
            return db.longs("SELECT " + what + " FROM " + table)[0];
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
