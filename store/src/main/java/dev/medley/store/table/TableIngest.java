package dev.medley.store.table;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.store.encoding.TableEncoding;
import dev.medley.store.shard.Ingested;
import dev.medley.store.shard.ShardFile;
import dev.medley.store.shard.SplitSequence;
import dev.medley.store.shard.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table to records: staged once, scanned once to fit and once to write. Memory is that of
 * DuckDB's limit, a chunk, and a dictionary for each category.
 */
public final class TableIngest {
    private final DataSpec spec;
    private final DataFormat format;
    private final Workplace place;
    private final BadRowPolicy policy;
    private final TableStory story = new TableStory();

    /** For the table that {@code spec} describes. */
    public TableIngest(DataSpec spec, DataFormat format, Workplace place) {
        this.spec = spec;
        this.format = format;
        this.place = place;
        this.policy = new BadRowPolicy(spec.table().badRows());
    }

    /** Fits on the training rows and writes both splits. */
    public Ingested ingest(List<Path> train, List<Path> validation) throws IOException {
        List<Path> all = new ArrayList<>(train);
        all.addAll(validation);
        try (DuckDb db = DuckDb.forFiles(all, place.folder());
                RecordFiles out = new RecordFiles(db, place)) {
            Staging staging = staging(db, spec.label());
            String label = label(staging, train.get(0));
            StagedTable rows = trainRows(db, staging, train, label);
            ColumnChoice choice = new ColumnChoice(db, spec, format, label, rows, story);
            RowSource source = choice.source();
            SplitSequence toFit = choice.split().sequence(place.seed());
            TableFit fit = new TableFit(source, toFit, spec.table(), rows.columnNames());
            place.progress().at("fitting", 0, 0);
            source.scan(db, rows.name(), fit::add);
            TableEncoding encoding = fit.encoding(story);
            place.progress().at("encoding", 0, 0);
            out.write(encoding, source, rows.name(), choice.split().sequence(place.seed()));
            validate(db, staging, encoding, validation, out);
            out.close();
            sayRows(out);
            story.label(encoding.label(), fit);
            return finish(encoding, out);
        }
    }

    /**
     * Writes both splits, the same rows in each as {@link #ingest} would, with an encoding that was
     * fitted before.
     */
    public Ingested ingestAs(TableEncoding encoding, List<Path> train, List<Path> validation)
            throws IOException {
        List<Path> all = new ArrayList<>(train);
        all.addAll(validation);
        try (DuckDb db = DuckDb.forFiles(all, place.folder());
                RecordFiles out = new RecordFiles(db, place)) {
            String label = encoding.label().column();
            Staging staging = staging(db, label);
            List<String> columns = staging.columnNames(train.get(0));
            requireNamed(label, columns, train.get(0));
            sayUnread(encoding, columns);
            place.progress().at("encoding", 0, 0);
            new NewRows(db, staging, policy, "train_rows")
                    .write(encoding, train, spec, place.seed(), out);
            validate(db, staging, encoding, validation, out);
            out.close();
            sayRows(out);
            story.label(encoding.label(), out.classCounts());
            return finish(encoding, out);
        }
    }

    private void sayUnread(TableEncoding encoding, List<String> columns) {
        Set<String> read = new HashSet<>(spec.table().drop());
        read.add(encoding.label().column());
        encoding.columns().forEach(column -> read.add(column.name()));
        columns.stream()
                .filter(column -> !read.contains(column))
                .forEach(column -> story.dropped(column, "the model was trained without it"));
    }

    private void validate(
            DuckDb db,
            Staging staging,
            TableEncoding encoding,
            List<Path> validation,
            RecordFiles out)
            throws IOException {
        if (!validation.isEmpty()) {
            new NewRows(db, staging, policy, "validation_rows")
                    .write(encoding, validation, true, out);
        }
    }

    /** Writes new rows, all of them for validation, for a model that is trained. */
    public Ingested encode(TableEncoding encoding, List<Path> files) throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, place.folder());
                RecordFiles out = new RecordFiles(db, place)) {
            String label = encoding.label().column();
            Staging staging = staging(db, label);
            boolean hasLabel = staging.columnNames(files.get(0)).contains(label);
            boolean targets =
                    new NewRows(db, staging, policy, "new_rows")
                            .write(encoding, files, hasLabel, out);
            out.close();
            ShardFile validation = out.validationFile();
            story.say(
                    "table of %,d rows%s",
                    validation.samples(), targets ? "" : " without the label '" + label + "'");
            return ingested(encoding, List.of(), targets, out);
        }
    }

    private Staging staging(DuckDb db, @Nullable String label) {
        return new Staging(
                new TableFiles(db, format, spec.table(), label), db, policy, place.progress());
    }

    private String label(Staging staging, Path file) {
        List<String> columns = staging.columnNames(file);
        if (spec.label() == null) {
            throw new ConfigException(
                    "data.label is not set: name the column to predict; the columns of %s are: %s"
                            .formatted(file, String.join(", ", columns)));
        }
        requireNamed(spec.label(), columns, file);
        return spec.label();
    }

    /** Whether the columns that the job names are in the file. */
    private void requireNamed(String label, List<String> columns, Path file) {
        require("data.label", label, columns, file);
        spec.table().drop().forEach(c -> require("data.table.drop", c, columns, file));
        spec.table()
                .categorical()
                .forEach(c -> require("data.table.categorical", c, columns, file));
    }

    private static void require(String what, String column, List<String> columns, Path file) {
        if (!columns.contains(column)) {
            throw NoColumn.of(what, column, columns, file);
        }
    }

    private StagedTable trainRows(DuckDb db, Staging staging, List<Path> train, String label) {
        Set<String> texts = new HashSet<>(spec.table().categorical());
        texts.add(label);
        StagedTable found = staging.find("train_rows", train, texts);
        staging.unusable().forEach(c -> story.dropped(c, "it holds lists, structures or bytes"));
        policy.checkLabelled(db, found, label);
        return new ValueChecks(db, policy, staging.decimal())
                .checked(found, spec.table().categorical());
    }

    private void sayRows(RecordFiles out) {
        story.say(
                "table of %,d rows to train and %,d to validate",
                out.trainFile().samples(), out.validationFile().samples());
    }

    private Ingested finish(TableEncoding encoding, RecordFiles out) {
        story.encoded(encoding);
        if (policy.skipped() > 0) {
            story.say("%,d rows left out: they cannot be read", policy.skipped());
        }
        return ingested(encoding, out.classCounts(), true, out);
    }

    private Ingested ingested(
            TableEncoding encoding, List<Long> classCounts, boolean targets, RecordFiles out) {
        return new Ingested(
                encoding,
                out.trainFile(),
                out.validationFile(),
                new Ingested.Findings(policy.skipped(), targets, classCounts, story.sentences()));
    }
}
