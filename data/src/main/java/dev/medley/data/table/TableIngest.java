package dev.medley.data.table;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.table.TermSpec;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.LibsvmFiles;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.TableFiles;
import dev.medley.data.table.column.TableStaging;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.ColumnChoice;
import dev.medley.data.table.fit.LabelChoice;
import dev.medley.data.table.fit.NoColumn;
import dev.medley.data.table.fit.RowSource;
import dev.medley.data.table.fit.TableFit;
import dev.medley.data.table.fit.TableStory;
import dev.medley.data.table.fit.UnseenValues;
import dev.medley.data.table.term.TermFit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts a table to records: staged once, scanned once to fit and once to write. Memory is that
 * of DuckDB's limit, a chunk, and a dictionary for each category.
 */
public final class TableIngest {
    private final DataSpec spec;
    private final DataFormat format;
    private final Workplace place;
    private final BadRowPolicy policy;
    private final TableStory story = new TableStory();
    private final Map<String, TermFit> counted;

    /** For the table that {@code spec} describes. */
    public TableIngest(DataSpec spec, DataFormat format, Workplace place) {
        this(spec, format, place, Map.of());
    }

    /** For some rows of a table, of which columns of terms were fitted on all, by name. */
    public TableIngest(
            DataSpec spec, DataFormat format, Workplace place, Map<String, TermFit> counted) {
        this.counted = Map.copyOf(counted);
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
            TableStaging staging =
                    staging(db, new TableFiles(db, format, spec.table(), spec.label()));
            @Nullable String name = label(staging, train.get(0));
            TrainRows trainRows = new TrainRows(db, spec, staging, policy, story);
            Set<String> terms =
                    format == DataFormat.LIBSVM
                            ? Set.of(LibsvmFiles.PAIRS)
                            : spec.table().terms().columns();
            StagedTable rows = trainRows.of(train, name, terms);
            if (format == DataFormat.LIBSVM) {
                PairCheck.require(db, policy, rows);
            }
            DecimalMark decimal = staging.files().decimal();
            LabelChoice label =
                    name == null
                            ? null
                            : LabelChoice.of(
                                    db,
                                    rows,
                                    rows.column(name).orElseThrow(),
                                    trainRows.task(name),
                                    decimal);
            if (label != null) {
                place.progress().classes(label.classValues());
            }
            requireInRange(db, rows, label);
            ColumnChoice choice =
                    new ColumnChoice(
                            db,
                            spec,
                            decimal,
                            label,
                            rows,
                            story,
                            new ColumnChoice.Special(trainRows.codes(), terms));
            RowSource source = choice.source();
            SplitSequence toFit = choice.split().sequence(place.seed());
            TableFit fit = new TableFit(source, toFit, spec.table(), rows.columnNames(), counted);
            place.progress().at("fitting", 0, 0);
            source.scan(db, rows.name(), fit::add);
            TableEncoding fitted = fit.encoding(story, staging.files().reading(), spec.task());
            if (fit.estimates()) {
                story.say("medians and quartiles are estimates, from a part of the rows");
            }
            Optional<NewRows> held = held(db, staging, fitted, validation);
            TableEncoding encoding = held.isEmpty() ? fitted : held.get().room(fitted);
            place.progress().at("encoding", 0, 0);
            out.write(
                    encoding,
                    source,
                    rows.name(),
                    choice.split().sequence(place.seed()),
                    new UnseenValues(
                            encoding, source, List.of(new UnseenValues.FileRows(train.get(0), 0))));
            if (held.isPresent()) {
                validate(held.get(), encoding, validation, out);
            }
            requireWeight(encoding, train, out);
            out.close();
            staging.files().notes().forEach(story::say);
            sayRows(out);
            story.label(encoding.label(), fit);
            return finish(encoding, out);
        }
    }

    /**
     * Writes both splits, the same rows in each as {@link #ingest} would, with an encoding that was
     * fitted before.
     */
    public Ingested ingestAs(TableEncoding fitted, List<Path> train, List<Path> validation)
            throws IOException {
        TableEncoding weighed = fitted.weighedBy(spec.weight());
        List<Path> all = new ArrayList<>(train);
        all.addAll(validation);
        try (DuckDb db = DuckDb.forFiles(all, place.folder());
                RecordFiles out = new RecordFiles(db, place)) {
            TableStaging staging = staging(db, TableFiles.like(weighed, db, format, spec.table()));
            List<String> columns = staging.columnNames(train.get(0));
            requireNamed(weighed.label().columns(), columns, train.get(0));
            sayUnread(weighed, columns);
            place.progress().at("encoding", 0, 0);
            NewRows rows = new NewRows(db, staging, policy, story, spec.task(), "train_rows");
            rows.stage(weighed, train, spec);
            Optional<NewRows> held = held(db, staging, weighed, validation);
            TableEncoding room = rows.room(weighed);
            TableEncoding encoding = held.isEmpty() ? room : held.get().room(room);
            rows.write(encoding, spec, place.seed(), out);
            if (held.isPresent()) {
                validate(held.get(), encoding, validation, out);
            }
            requireWeight(encoding, train, out);
            out.close();
            staging.files().notes().forEach(story::say);
            sayRows(out);
            story.label(encoding.label(), out.classCounts());
            return finish(encoding, out);
        }
    }

    /** Numbers have a largest value, counts and strengths a least one, too. */
    private void requireInRange(DuckDb db, StagedTable rows, @Nullable LabelChoice label) {
        if (label != null && label.isValue() && spec.task() != Task.STRENGTH) {
            policy.checkNumbers(db, rows, label.column());
        }
        if (label != null && spec.task() == Task.COUNTS) {
            policy.checkCounts(db, rows, label.column());
        } else if (label != null && spec.task() == Task.STRENGTH) {
            policy.checkStrengths(db, rows, label.column());
        }
    }

    private static void requireWeight(TableEncoding encoding, List<Path> files, RecordFiles out) {
        if (encoding.weight() != null) {
            out.requireWeight(encoding.weight().column(), files.get(0));
        }
    }

    private void sayUnread(TableEncoding encoding, List<String> columns) {
        Set<String> read = new HashSet<>(spec.table().drop());
        read.addAll(encoding.label().columns());
        read.add(spec.weight());
        read.add(spec.group());
        encoding.columns().forEach(column -> read.add(column.name()));
        columns.stream()
                .filter(column -> !read.contains(column))
                .forEach(column -> story.dropped(column, "the model was trained without it"));
    }

    /** The rows of a given split, before any are written: all records have the same length. */
    private Optional<NewRows> held(
            DuckDb db, TableStaging staging, TableEncoding encoding, List<Path> validation) {
        if (validation.isEmpty()) {
            return Optional.empty();
        }
        if (encoding.weight() != null) {
            List<String> columns = staging.columnNames(validation.get(0));
            require("data.weight", encoding.weight().column(), columns, validation.get(0));
        }
        NewRows rows = new NewRows(db, staging, policy, story, spec.task(), "validation_rows");
        rows.stage(encoding, validation, true);
        return Optional.of(rows);
    }

    private static void validate(
            NewRows held, TableEncoding encoding, List<Path> validation, RecordFiles out)
            throws IOException {
        check(
                held.write(encoding, out) || encoding.label().isNone(),
                "%s: column '%s' has no value in any row: to validate, the label is needed",
                validation.get(0),
                encoding.label().column());
    }

    /** Writes new rows, all of them for validation, for a model that is trained. */
    public Ingested encode(TableEncoding encoding, List<Path> files) throws IOException {
        return encode(encoding, files, true);
    }

    /** The same of what a prediction needs: neither the label nor the weight is read. */
    public Ingested encodeInputs(TableEncoding encoding, List<Path> files) throws IOException {
        return encode(encoding, files, false);
    }

    private Ingested encode(TableEncoding fitted, List<Path> files, boolean readsLabel)
            throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, place.folder());
                RecordFiles out = new RecordFiles(db, place)) {
            String label = fitted.label().column();
            TableStaging staging = staging(db, TableFiles.like(fitted, db, format, spec.table()));
            boolean hasLabel = readsLabel && staging.columnNames(files.get(0)).contains(label);
            NewRows rows = new NewRows(db, staging, policy, story, spec.task(), "new_rows");
            rows.stage(fitted, files, hasLabel);
            TableEncoding encoding = rows.room(fitted);
            boolean targets = rows.write(encoding, out) || encoding.label().isNone();
            requireWeight(encoding, files, out);
            out.close();
            staging.files().notes().forEach(story::say);
            ShardFile validation = out.validationFile();
            story.say(
                    "table of %,d rows%s",
                    validation.samples(), targets ? "" : " without the label '" + label + "'");
            if (policy.skipped() > 0) {
                story.warn(List.of(policy.sentence()));
            }
            return ingested(encoding, List.of(), targets, out);
        }
    }

    private TableStaging staging(DuckDb db, TableFiles files) {
        return new TableStaging(files, db, policy, place.progress());
    }

    private @Nullable String label(TableStaging staging, Path file) {
        List<String> columns = staging.columnNames(file);
        if (spec.task() == Task.NONE) {
            requireNamed(List.of(), columns, file);
            return null;
        }
        if (spec.label() == null && format == DataFormat.LIBSVM) {
            return LibsvmFiles.LABEL;
        }
        if (spec.label() == null) {
            throw new ConfigException(
                    "data.label is not set: name the column to predict; the columns of %s are: %s"
                            .formatted(file, String.join(", ", columns)));
        }
        requireNamed(List.of(spec.label()), columns, file);
        return spec.label();
    }

    /** Whether the columns that the job names are in the file. */
    private void requireNamed(List<String> label, List<String> columns, Path file) {
        label.forEach(c -> require("data.label", c, columns, file));
        if (spec.weight() != null) {
            require("data.weight", spec.weight(), columns, file);
            check(
                    !spec.table().categorical().contains(spec.weight()),
                    "data.weight=%s: data.table.categorical names it, too, but a weight is a"
                            + " number; take it from one of them",
                    spec.weight());
        }
        if (spec.group() != null) {
            require("data.group", spec.group(), columns, file);
        }
        spec.table().drop().forEach(c -> require("data.table.drop", c, columns, file));
        spec.table()
                .columns()
                .forEach(c -> require(key("data.table.columns", c), c, columns, file));
        spec.table()
                .categorical()
                .forEach(c -> require(key("data.table.categorical", c), c, columns, file));
        spec.table().numeric().forEach(c -> require("data.table.numeric", c, columns, file));
        TermSpec terms = spec.table().terms();
        terms.text().forEach(c -> require("data.table.text", c, columns, file));
        terms.hashed().forEach(c -> require("data.table.hashed", c, columns, file));
    }

    /** Users and items of a factorisation are categories that are never one-hot. */
    private String key(String key, String column) {
        boolean isFactor =
                spec.table().oneHotLimit() == 0 && spec.table().categorical().contains(column);
        return isFactor ? "model.user, model.item or " + key : key;
    }

    private static void require(String what, String column, List<String> columns, Path file) {
        if (!columns.contains(column)) {
            throw NoColumn.of(what, column, columns, file);
        }
    }

    private void sayRows(RecordFiles out) {
        story.say(
                "table of %,d rows to train and %,d to validate",
                out.trainFile().samples(), out.validationFile().samples());
    }

    private Ingested finish(TableEncoding encoding, RecordFiles out) {
        story.encoded(encoding);
        if (policy.skipped() > 0) {
            story.say(policy.sentence());
        }
        return ingested(encoding, out.classCounts(), true, out);
    }

    private Ingested ingested(
            TableEncoding encoding, List<Long> classCounts, boolean targets, RecordFiles out) {
        return new Ingested(
                encoding,
                out.trainFile(),
                out.validationFile(),
                new Ingested.Findings(
                        policy.skipped(),
                        targets,
                        classCounts,
                        story.sentences(),
                        story.warnings()));
    }
}
