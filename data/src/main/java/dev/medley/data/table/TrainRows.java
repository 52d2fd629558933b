package dev.medley.data.table;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.time.Clock;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.ColumnForms;
import dev.medley.data.table.column.Ranked;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.TableStaging;
import dev.medley.data.table.column.TypedTable;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.RowSplit;
import dev.medley.data.table.fit.TableStory;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows that an encoding is fitted on: what their columns are is found from all of them. */
final class TrainRows {
    private final DuckDb db;
    private final DataSpec spec;
    private final TableStaging staging;
    private final BadRowPolicy policy;
    private final TableStory story;
    private final Set<String> codes = new HashSet<>();

    TrainRows(
            DuckDb db, DataSpec spec, TableStaging staging, BadRowPolicy policy, TableStory story) {
        this.db = db;
        this.spec = spec;
        this.staging = staging;
        this.policy = policy;
        this.story = story;
    }

    /**
     * All rows that can be used, with all columns that a model can read.
     *
     * @param label null for rows without one
     * @param terms columns whose texts are read term by term
     */
    StagedTable of(List<Path> files, @Nullable String label, Set<String> terms) {
        Set<String> categorical = new HashSet<>(spec.table().categorical());
        categorical.addAll(terms);
        Set<String> texts = new HashSet<>(categorical);
        Set<String> kept = new HashSet<>(label == null ? Set.of() : Set.of(label));
        texts.addAll(kept);
        StagedTable found = staging.find("train_texts", files, texts);
        RowSplit.column(spec, label).ifPresent(kept::add);
        if (spec.weight() != null) {
            kept.add(spec.weight());
        }
        if (spec.group() != null) {
            kept.add(spec.group());
        }
        kept.forEach(column -> staging.requireUsable(files, column));
        staging.unusable().forEach(c -> story.dropped(c, "it holds lists, structures or bytes"));
        if (label != null) {
            policy.checkLabelled(db, found, found.column(label).orElseThrow());
        }
        ColumnForms forms = new ColumnForms(db, staging.files(), Clock.system());
        ColumnForms.Wishes wishes =
                new ColumnForms.Wishes(categorical, numeric(), label, task(label));
        StagedTable read = forms.found(found, wishes);
        forms.sentences().forEach(story::say);
        story.warn(forms.warnings());
        codes.addAll(forms.codes());
        StagedTable rows =
                new TypedTable(db, policy, staging.files().decimal())
                        .of("train_rows", read, kept, Set.of(), wishes::remedy);
        if (spec.weight() != null) {
            policy.checkWeighted(db, rows, rows.column(spec.weight()).orElseThrow());
        }
        if (label != null && spec.group() != null) {
            Ranked.check(
                    db,
                    policy,
                    rows,
                    rows.column(label).orElseThrow(),
                    rows.column(spec.group()).orElseThrow());
        }
        return rows;
    }

    /** Columns of long whole numbers that may be codes. */
    Set<String> codes() {
        return codes;
    }

    /** What the job asks for, in the one way or the other. */
    Task task(@Nullable String label) {
        if (spec.task() != Task.FOUND || label == null) {
            return spec.task();
        }
        return spec.table().categorical().contains(label)
                ? Task.CLASSIFICATION
                : spec.table().numeric().contains(label) ? Task.REGRESSION : Task.FOUND;
    }

    private Set<String> numeric() {
        Set<String> numeric = new HashSet<>(spec.table().numeric());
        if (spec.weight() != null) {
            numeric.add(spec.weight());
        }
        return numeric;
    }
}
