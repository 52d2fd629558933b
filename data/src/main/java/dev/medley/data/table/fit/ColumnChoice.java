package dev.medley.data.table.fit;

import dev.medley.base.job.DataSpec;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.RowSource.Coded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chooses which columns of a staged table are learned from, and how its rows are split. */
public final class ColumnChoice {
    private final DuckDb db;
    private final DataSpec spec;
    private final DecimalMark decimal;
    private final StagedTable rows;
    private final TableStory story;
    private final Set<String> codes;
    private final Set<String> terms;
    private final @Nullable LabelChoice label;
    private final RowSplit split;

    /**
     * Columns whose names decide.
     *
     * @param label null for rows without one
     * @param codes columns of long whole numbers that may be codes
     * @param terms columns whose texts are read term by term
     */
    public record Special(Set<String> codes, Set<String> terms) {}

    /** For a table whose label has a value in every row. */
    public ColumnChoice(
            DuckDb db,
            DataSpec spec,
            DecimalMark decimal,
            @Nullable LabelChoice label,
            StagedTable rows,
            TableStory story,
            Special special) {
        this.db = db;
        this.spec = spec;
        this.decimal = decimal;
        this.rows = rows;
        this.story = story;
        this.codes = special.codes();
        this.terms = special.terms();
        this.label = label;
        this.split = new RowSplit(db, spec, rows, label);
    }

    /** What a scan of the table delivers. */
    public RowSource source() {
        Set<String> left = leftOut();
        List<Column> dense = new ArrayList<>();
        List<Coded> coded = new ArrayList<>();
        List<Column> texts = new ArrayList<>();
        for (Column column : features()) {
            if (left.contains(column.name())) {
                continue;
            }
            if (terms.contains(column.name())) {
                texts.add(column);
            } else if (column.kind() != ColumnKind.TEXT) {
                dense.add(column);
            } else {
                coded.add(
                        new Coded(
                                column,
                                Dictionary.of(
                                        db,
                                        "category_" + coded.size(),
                                        rows.name(),
                                        column.text(),
                                        text -> CategoryKey.of(text, decimal))));
            }
        }
        Column weight = spec.weight() == null ? null : rows.column(spec.weight()).orElseThrow();
        Column group = spec.group() == null ? null : rows.column(spec.group()).orElseThrow();
        return new RowSource(dense, coded, texts, label, split.stratum(), weight, group);
    }

    /** How the rows are split. */
    public RowSplit split() {
        return split;
    }

    private List<Column> features() {
        return rows.columns().stream()
                .filter(c -> label == null || !c.name().equals(label.column().name()))
                .filter(c -> !c.name().equals(spec.weight()))
                .filter(c -> !c.name().equals(spec.group()))
                .filter(c -> !spec.table().drop().contains(c.name()))
                .filter(c -> isAsked(c.name()))
                .toList();
    }

    private boolean isAsked(String name) {
        List<String> columns = spec.table().columns();
        return columns.isEmpty() || columns.contains(name);
    }

    private boolean isKept(String name) {
        return spec.table().numeric().contains(name) || spec.table().categorical().contains(name);
    }

    /** Columns without values, and those that name the rows instead of telling of them. */
    private Set<String> leftOut() {
        List<Column> features = features();
        List<Suspicion> suspicions = Suspicion.of(db, rows, features, split.rows());
        Set<String> left = new HashSet<>();
        for (int i = 0; i < features.size(); i++) {
            String name = features.get(i).name();
            Suspicion s = suspicions.get(i);
            if (s.values() == 0) {
                story.dropped(name, "it has no values");
                left.add(name);
            } else if (terms.contains(name)) {
                continue;
            } else if (s.isTextIdentifier() && !spec.table().categorical().contains(name)) {
                story.dropped(name, s.whyTextIdentifier());
                left.add(name);
            }
        }
        for (int i = 0; i < features.size(); i++) {
            String name = features.get(i).name();
            Suspicion s = suspicions.get(i);
            boolean isLast = left.size() + 1 >= features.size();
            if (left.contains(name) || isLast) {
                continue;
            }
            if (s.isIndex() && !isKept(name)) {
                story.dropped(
                        name,
                        "it looks like the index of the table, as pandas writes it (name it in"
                                + " data.table.numeric or categorical to keep it)");
                left.add(name);
            } else if (s.isNumberIdentifier() && !spec.table().numeric().contains(name)) {
                story.dropped(
                        name, s.whyIdentifier() + " (name it in data.table.numeric to keep it)");
                left.add(name);
            }
        }
        List<Suspicion> kept =
                suspicions.stream()
                        .filter(s -> !left.contains(s.column().name()))
                        .filter(s -> !spec.table().numeric().contains(s.column().name()))
                        .toList();
        story.warn(Suspicion.misleading(db, rows, kept, codes));
        return left;
    }
}
