package dev.medley.data.table;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.WeightEncoding;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.ColumnForm;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.PointedThousands;
import dev.medley.data.table.column.Ranked;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.column.TableStaging;
import dev.medley.data.table.column.TypedTable;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.CategoryKey;
import dev.medley.data.table.fit.Dictionary;
import dev.medley.data.table.fit.LabelChoice;
import dev.medley.data.table.fit.NoColumn;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows that the encoding was not fitted on: those of a given validation split, those to
 * predict, or those to learn more from.
 */
final class NewRows {
    private final DuckDb db;
    private final TableStaging staging;
    private final BadRowPolicy policy;
    private final TableStory story;
    private final Task task;
    private final String table;
    private @Nullable StagedTable rows;
    private @Nullable RowSource source;

    /** Rows that are staged as {@code table}, a name that no other rows have. */
    NewRows(
            DuckDb db,
            TableStaging staging,
            BadRowPolicy policy,
            TableStory story,
            Task task,
            String table) {
        this.task = task;
        this.db = db;
        this.staging = staging;
        this.policy = policy;
        this.story = story;
        this.table = table;
    }

    /**
     * Stages rows that are all for validation.
     *
     * @param hasLabel whether the files have the label's column
     */
    void stage(TableEncoding encoding, List<Path> files, boolean hasLabel) {
        Set<String> more = new LinkedHashSet<>();
        if (hasLabel) {
            more.addAll(encoding.label().columns());
            weight(encoding, files).ifPresent(more::add);
            group(encoding, files).ifPresent(more::add);
        }
        StagedTable found = staged(files, encoding, more);
        stage(
                encoding,
                found,
                hasLabel && !encoding.label().isNone() && hasAny(labelOf(found, encoding)));
    }

    /** Stages rows to learn from, all of which have a label. */
    void stage(TableEncoding encoding, List<Path> files, DataSpec spec) {
        LabelEncoding label = encoding.label();
        Set<String> more = new LinkedHashSet<>(label.columns());
        RowSplit.column(spec, label.isNone() ? null : label.column())
                .filter(by -> staging.columnNames(files.get(0)).contains(by))
                .ifPresent(more::add);
        weight(encoding, files).ifPresent(more::add);
        group(encoding, files).ifPresent(more::add);
        StagedTable found = staged(files, encoding, more);
        if (!label.isNone()) {
            policy.checkLabelled(db, found, labelOf(found, encoding));
        }
        stage(encoding, found, !label.isNone());
    }

    private void stage(TableEncoding encoding, StagedTable found, boolean hasTargets) {
        if (staging.files().format() == DataFormat.LIBSVM) {
            PairCheck.require(db, policy, found);
        }
        rows = found;
        source = source(encoding, found, hasTargets);
        checkLabels(found, encoding, source);
    }

    /** The same encoding with room for the terms of all staged rows. */
    TableEncoding room(TableEncoding encoding) throws IOException {
        return TermWriter.room(encoding, db, table, staged(source));
    }

    /**
     * Writes all rows for validation.
     *
     * @return whether the rows have targets: a label that is empty throughout is none
     */
    boolean write(TableEncoding encoding, RecordFiles out) throws IOException {
        write(encoding, staged(source), SplitSequence.all(count("count(*)")), out);
        return staged(source).label() != null;
    }

    /** Writes rows to learn from, split as the job says. */
    void write(TableEncoding encoding, DataSpec spec, long seed, RecordFiles out)
            throws IOException {
        RowSplit split = new RowSplit(db, spec, staged(rows), staged(source).label());
        write(encoding, staged(source).stratified(split.stratum()), split.sequence(seed), out);
    }

    private static <T> T staged(@Nullable T value) {
        return Objects.requireNonNull(value, "rows are staged first");
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

    /** The column of groups, which rows that are judged have as those of training had. */
    private Optional<String> group(TableEncoding encoding, List<Path> files) {
        String group = encoding.label().group();
        List<String> columns = staging.columnNames(files.get(0));
        if (group != null && !columns.contains(group)) {
            throw NoColumn.of("data.group", group, columns, files.get(0));
        }
        return Optional.ofNullable(group);
    }

    private void write(
            TableEncoding encoding, RowSource columns, SplitSequence split, RecordFiles out)
            throws IOException {
        UnseenValues unknowns = new UnseenValues(encoding, columns, files(staged(rows)));
        out.write(encoding, columns, table, split, unknowns);
        story.warn(unknowns.warnings());
        unknowns.sentences().forEach(story::say);
    }

    /** The files with the rows of each that are not left out. */
    private List<UnseenValues.FileRows> files(StagedTable found) {
        List<UnseenValues.FileRows> files = new ArrayList<>();
        for (int i = 0; i < found.parts().size(); i++) {
            long first = found.parts().get(i).firstRow();
            boolean isLast = i + 1 == found.parts().size();
            long next = isLast ? Long.MAX_VALUE : found.parts().get(i + 1).firstRow();
            long count =
                    policy.skipped() == 0 && !isLast
                            ? next - first
                            : count(
                                    "count(*) FILTER (rowid >= %d AND rowid < %d)"
                                            .formatted(first, next));
            files.add(new UnseenValues.FileRows(found.parts().get(i).file(), count));
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
            if (column instanceof Category || column instanceof SparseColumn) {
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
        StagedTable read = found.with(columns);
        if (decimal == DecimalMark.POINT) {
            story.warn(PointedThousands.warningsOfGrouped(db, read));
        }
        return new TypedTable(db, policy, decimal)
                .of(
                        table,
                        read,
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

    private RowSource source(TableEncoding encoding, StagedTable found, boolean hasTargets) {
        DecimalMark decimal = staging.files().decimal();
        List<Column> dense = new ArrayList<>();
        List<Coded> coded = new ArrayList<>();
        List<Column> texts = new ArrayList<>();
        for (ColumnEncoding column : encoding.columns()) {
            Column staged = found.column(column.name()).orElseThrow();
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
            } else if (column instanceof SparseColumn) {
                texts.add(staged);
            } else {
                dense.add(staged);
            }
        }
        LabelChoice label =
                hasTargets
                        ? LabelChoice.of(
                                db, found, labelOf(found, encoding), encoding.label(), decimal)
                        : null;
        Column weight =
                encoding.weight() == null
                        ? null
                        : found.column(encoding.weight().column()).orElse(null);
        if (weight != null) {
            policy.checkWeighted(db, found, weight);
        }
        String group = encoding.label().group();
        return new RowSource(
                dense,
                coded,
                texts,
                label,
                null,
                weight,
                group == null ? null : found.column(group).orElse(null));
    }

    private static Column labelOf(StagedTable found, TableEncoding encoding) {
        return found.column(encoding.label().column()).orElseThrow();
    }

    private boolean hasAny(Column label) {
        return count("count(" + label.text() + ")") > 0;
    }

    private void checkLabels(StagedTable found, TableEncoding encoding, RowSource columns) {
        LabelChoice label = columns.label();
        if (label == null) {
            return;
        }
        policy.checkLabelled(db, found, label.column());
        String name = "column '" + BadRowPolicy.literally(label.column().name()) + "': ";
        if (label.isValue()) {
            String sql = label.column().sql();
            policy.check(
                    db,
                    found,
                    "%1$s IS NULL OR NOT isfinite(%1$s)".formatted(sql),
                    label.column().text(),
                    name + "the label \"%s\" is not a finite number");
            if (task != Task.STRENGTH) {
                policy.checkNumbers(db, found, label.column());
            }
            if (columns.group() != null) {
                Ranked.check(db, policy, found, label.column(), columns.group());
            } else if (encoding.label().counts()) {
                policy.checkCounts(db, found, label.column());
            } else if (task == Task.STRENGTH) {
                policy.checkStrengths(db, found, label.column());
            }
        } else {
            String shown = encoding.label().classes().stream().limit(20).toList().toString();
            policy.check(
                    db,
                    found,
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
