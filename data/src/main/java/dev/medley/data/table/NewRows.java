package dev.medley.data.table;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.WeightEncoding;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.ColumnForm;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.column.TableStaging;
import dev.medley.data.table.column.TypedTable;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.CategoryKey;
import dev.medley.data.table.fit.Dictionary;
import dev.medley.data.table.fit.LabelChoice;
import dev.medley.data.table.fit.RowSource;
import dev.medley.data.table.fit.RowSource.Coded;
import dev.medley.data.table.fit.RowSplit;
import dev.medley.data.table.fit.TableStory;
import dev.medley.data.table.fit.UnseenValues;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Encodes rows that the encoding was not fitted on: those of a given validation split, those to
 * predict, or those to learn more from.
 */
final class NewRows {
    private final DuckDb db;
    private final TableStaging staging;
    private final BadRowPolicy policy;
    private final TableStory story;
    private final String table;

    /** Rows that are staged as {@code table}, a name that no other rows have. */
    NewRows(DuckDb db, TableStaging staging, BadRowPolicy policy, TableStory story, String table) {
        this.db = db;
        this.staging = staging;
        this.policy = policy;
        this.story = story;
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
        Set<String> more = new LinkedHashSet<>();
        if (hasLabel) {
            more.addAll(encoding.label().columns());
            weight(encoding, files).ifPresent(more::add);
        }
        StagedTable rows = staged(files, encoding, more);
        boolean targets = hasLabel && !encoding.label().isNone() && hasAny(labelOf(rows, encoding));
        RowSource source = source(encoding, rows, targets);
        checkLabels(rows, encoding, source);
        write(encoding, source, rows, SplitSequence.all(count("count(*)")), out);
        return targets;
    }

    /** Writes rows to learn from, all of which have a label, split as the job says. */
    void write(TableEncoding encoding, List<Path> files, DataSpec spec, long seed, RecordFiles out)
            throws IOException {
        LabelEncoding label = encoding.label();
        Set<String> more = new LinkedHashSet<>(label.columns());
        RowSplit.column(spec, label.isNone() ? null : label.column())
                .filter(by -> staging.columnNames(files.get(0)).contains(by))
                .ifPresent(more::add);
        weight(encoding, files).ifPresent(more::add);
        StagedTable rows = staged(files, encoding, more);
        if (!label.isNone()) {
            policy.checkLabelled(db, rows, labelOf(rows, encoding));
        }
        RowSource source = source(encoding, rows, !label.isNone());
        checkLabels(rows, encoding, source);
        RowSplit split = new RowSplit(db, spec, rows, source.label());
        write(encoding, source.stratified(split.stratum()), rows, split.sequence(seed), out);
    }

    /** The column of weights, where a file has it; else rows count one, which is said. */
    private Optional<String> weight(TableEncoding encoding, List<Path> files) {
        WeightEncoding weight = encoding.weight();
        if (weight == null) {
            return Optional.empty();
        }
        String column = weight.column();
        if (files.stream().anyMatch(file -> staging.columnNames(file).contains(column))) {
            return Optional.of(column);
        }
        story.warn(
                List.of(
                        "%s: has no column '%s', by which rows counted in training (data.weight):"
                                        .formatted(files.get(0), column)
                                + " here each counts one; name the column so, if it has another"
                                + " name"));
        return Optional.empty();
    }

    private void write(
            TableEncoding encoding,
            RowSource source,
            StagedTable rows,
            SplitSequence split,
            RecordFiles out)
            throws IOException {
        UnseenValues unknowns = new UnseenValues(encoding, source, files(rows));
        out.write(encoding, source, table, split, unknowns);
        story.warn(unknowns.warnings());
        unknowns.sentences().forEach(story::say);
    }

    /** The files with the rows of each that are not left out. */
    private List<UnseenValues.FileRows> files(StagedTable rows) {
        List<UnseenValues.FileRows> files = new ArrayList<>();
        for (int i = 0; i < rows.parts().size(); i++) {
            long first = rows.parts().get(i).firstRow();
            boolean isLast = i + 1 == rows.parts().size();
            long next = isLast ? Long.MAX_VALUE : rows.parts().get(i + 1).firstRow();
            long count =
                    policy.skipped() == 0 && !isLast
                            ? next - first
                            : count(
                                    "count(*) FILTER (rowid >= %d AND rowid < %d)"
                                            .formatted(first, next));
            files.add(new UnseenValues.FileRows(rows.parts().get(i).file(), count));
        }
        return files;
    }

    /** The columns of an encoding and some more, read as training did. */
    private StagedTable staged(List<Path> files, TableEncoding encoding, Set<String> more) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> texts = new HashSet<>();
        Map<String, ColumnForm> forms = new HashMap<>();
        for (ColumnEncoding column : encoding.columns()) {
            names.add(column.name());
            forms.put(column.name(), ColumnForm.of(column));
            if (column instanceof Category) {
                texts.add(column.name());
            }
        }
        LabelEncoding label = encoding.label();
        texts.addAll(label.columns());
        if (label.classes().isEmpty()) {
            forms.put(label.column(), ColumnForm.number(label.source()));
        }
        WeightEncoding weight = encoding.weight();
        if (weight != null && more.contains(weight.column())) {
            ColumnForm form = forms.get(weight.column());
            ConfigException.check(
                    form == null
                            ? !texts.contains(weight.column())
                            : form.kind() == ColumnKind.NUMBER,
                    "data.weight=%s: the model reads this column as a feature that is no number",
                    weight.column());
            forms.putIfAbsent(weight.column(), ColumnForm.number(weight.source()));
        }
        names.addAll(more);
        DecimalMark decimal = staging.files().decimal();
        StagedTable found =
                staging.load(table + "_texts", files, names, texts, "the training data had");
        List<Column> columns = new ArrayList<>();
        for (Column column : found.columns()) {
            ColumnForm form = forms.getOrDefault(column.name(), ColumnForm.TEXT);
            requireSame(column, form, files.get(0));
            columns.add(column.as(form, decimal));
        }
        return new TypedTable(db, policy, decimal)
                .of(
                        table,
                        found.with(columns),
                        more,
                        Set.copyOf(label.columns()),
                        column -> ", as the column was in training");
    }

    /** A file that has types has those of training: no date is a number, and no number a date. */
    private static void requireSame(Column column, ColumnForm form, Path file) {
        boolean isMoment = form.kind() == ColumnKind.DATE || form.kind() == ColumnKind.TIMESTAMP;
        boolean hasMoments =
                column.kind() == ColumnKind.DATE || column.kind() == ColumnKind.TIMESTAMP;
        ConfigException.check(
                column.isText() || form.kind() == ColumnKind.TEXT || isMoment == hasMoments,
                "%s: column '%s' holds %s, but in training it held %s",
                file,
                column.name(),
                hasMoments ? "dates" : "numbers",
                isMoment ? "dates" : "numbers");
    }

    private RowSource source(TableEncoding encoding, StagedTable rows, boolean hasTargets) {
        DecimalMark decimal = staging.files().decimal();
        List<Column> dense = new ArrayList<>();
        List<Coded> coded = new ArrayList<>();
        for (ColumnEncoding column : encoding.columns()) {
            Column staged = rows.column(column.name()).orElseThrow();
            if (column instanceof Category category) {
                coded.add(
                        new Coded(
                                staged,
                                Dictionary.of(
                                        db,
                                        table + "_category_" + coded.size(),
                                        category.values(),
                                        table,
                                        staged.text(),
                                        List.of(text -> CategoryKey.of(text, decimal)))));
            } else {
                dense.add(staged);
            }
        }
        LabelChoice label =
                hasTargets
                        ? LabelChoice.of(
                                db, rows, labelOf(rows, encoding), encoding.label(), decimal)
                        : null;
        Column weight =
                encoding.weight() == null
                        ? null
                        : rows.column(encoding.weight().column()).orElse(null);
        if (weight != null) {
            policy.checkWeighted(db, rows, weight);
        }
        return new RowSource(dense, coded, label, null, weight);
    }

    private static Column labelOf(StagedTable rows, TableEncoding encoding) {
        return rows.column(encoding.label().column()).orElseThrow();
    }

    private boolean hasAny(Column label) {
        return count("count(" + label.text() + ")") > 0;
    }

    private void checkLabels(StagedTable rows, TableEncoding encoding, RowSource source) {
        LabelChoice label = source.label();
        if (label == null) {
            return;
        }
        String name = "column '" + BadRowPolicy.literally(label.column().name()) + "': ";
        if (label.isValue()) {
            String sql = label.column().sql();
            policy.check(
                    db,
                    rows,
                    "%1$s IS NULL OR NOT isfinite(%1$s)".formatted(sql),
                    label.column().text(),
                    name + "the label \"%s\" is not a finite number");
        } else {
            String shown = encoding.label().classes().stream().limit(20).toList().toString();
            policy.check(
                    db,
                    rows,
                    label.code() + " < 0",
                    label.column().text(),
                    name
                            + "the label \"%s\" is not one of the training classes "
                            + BadRowPolicy.literally(shown));
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
