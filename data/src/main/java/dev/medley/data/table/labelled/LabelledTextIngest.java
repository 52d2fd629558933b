package dev.medley.data.table.labelled;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.ShardWriter;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.column.TableFiles;
import dev.medley.data.table.column.TableStaging;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.LabelChoice;
import dev.medley.data.table.fit.RowSplit;
import dev.medley.data.token.BytePairTrainer;
import dev.medley.data.token.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts a table's column of texts to records of tokens, each with its class. Rows are read some
 * thousand at a time.
 */
public final class LabelledTextIngest {
    private static final String TRAIN = "train.bin";
    private static final String VALIDATION = "validation.bin";
    private static final String WHY = "the job names";
    private static final int BYTE_VALUES = 256;

    private final DataSpec spec;
    private final DataFormat format;
    private final Workplace place;
    private final BadRowPolicy policy;
    private final List<String> sentences = new ArrayList<>();

    /** For the table that {@code spec} describes. */
    public LabelledTextIngest(DataSpec spec, DataFormat format, Workplace place) {
        this.spec = spec;
        this.format = format;
        this.place = place;
        this.policy = new BadRowPolicy(spec.table().badRows());
    }

    /**
     * Finds the classes and writes both splits.
     *
     * @param given tokens of a pretrained model; null to learn them from the training texts
     */
    public Ingested ingest(@Nullable Tokens given, List<Path> train, List<Path> validation)
            throws IOException {
        String column = Objects.requireNonNull(spec.text().column());
        String label = spec.label();
        if (label == null) {
            throw new ConfigException(
                    "data.label is not set: name the column with the class of each text");
        }
        check(
                spec.task() != Task.REGRESSION && !label.equals(column),
                "data.label=%s, data.task=%s: texts of data.text.column=%s are given one of some"
                        + " classes, which another column says",
                label,
                spec.task(),
                column);
        try (DuckDb db = DuckDb.forFiles(both(train, validation), place.folder())) {
            TableFiles files = new TableFiles(db, format, spec.table(), label);
            TableStaging staging = staging(db, files);
            Set<String> names = new LinkedHashSet<>(List.of(column, label));
            RowSplit.column(spec, label).ifPresent(names::add);
            StagedTable rows = staging.load("train_rows", train, names, names, WHY);
            policy.checkLabelled(db, rows, column(rows, label));
            requireTexts(db, rows, column(rows, column), train.get(0));
            LabelChoice choice =
                    LabelChoice.of(
                            db, rows, column(rows, label), Task.CLASSIFICATION, files.decimal());
            place.progress().classes(choice.classValues());
            RowSplit split = new RowSplit(db, spec, rows, choice);
            TextRows texts =
                    new TextRows(db, rows, column(rows, column), choice.code(), split.stratum());
            Tokens tokens = given == null ? learnt(texts, split) : given;
            LabelledTextEncoding encoding =
                    new LabelledTextEncoding(
                            column,
                            spec.text().context(),
                            tokens,
                            LabelEncoding.ofClasses(
                                    label, Objects.requireNonNull(choice.classes()).values()),
                            spec.table().missing(),
                            files.reading());
            return written(db, staging, encoding, texts, split, validation);
        }
    }

    /** Of texts that are all empty nothing is learnt. */
    private static void requireTexts(
            DuckDb db, StagedTable rows, StagedTable.Column texts, Path file) {
        String sql = "SELECT count(%s) FROM %s".formatted(texts.text(), rows.name());
        try {
            check(
                    db.longs(sql)[0] > 0,
                    "%s, column '%s' (data.text.column): has no text in any row: there is nothing"
                            + " to learn; name another column",
                    file,
                    texts.name());
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Writes both splits with an encoding that was fitted before. */
    public Ingested ingestAs(LabelledTextEncoding encoding, List<Path> train, List<Path> validation)
            throws IOException {
        try (DuckDb db = DuckDb.forFiles(both(train, validation), place.folder())) {
            TableStaging staging = staging(db, like(db, encoding));
            Set<String> more = new LinkedHashSet<>();
            RowSplit.column(spec, encoding.label().column()).ifPresent(more::add);
            Known known = known(db, staging, encoding, "train_rows", train, more);
            RowSplit split = new RowSplit(db, spec, known.rows, known.label);
            TextRows texts =
                    new TextRows(
                            db,
                            known.rows,
                            column(known.rows, encoding.column()),
                            known.label.code(),
                            split.stratum());
            return written(db, staging, encoding, texts, split, validation);
        }
    }

    /** Writes new texts, all of them for validation, with classes where the files have them. */
    public Ingested encode(LabelledTextEncoding encoding, List<Path> files) throws IOException {
        return encode(encoding, files, true);
    }

    /** The same of what a prediction needs: classes are not read. */
    public Ingested encodeInputs(LabelledTextEncoding encoding, List<Path> files)
            throws IOException {
        return encode(encoding, files, false);
    }

    private Ingested encode(LabelledTextEncoding encoding, List<Path> files, boolean readsLabel)
            throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, place.folder());
                Records out = new Records(encoding)) {
            TableStaging staging = staging(db, like(db, encoding));
            String label = encoding.label().column();
            boolean hasLabel = readsLabel && staging.columnNames(files.get(0)).contains(label);
            out.validate(db, staging, files, hasLabel);
            out.close();
            return out.ingested(hasLabel);
        }
    }

    private Ingested written(
            DuckDb db,
            TableStaging staging,
            LabelledTextEncoding encoding,
            TextRows texts,
            RowSplit split,
            List<Path> validation)
            throws IOException {
        try (Records out = new Records(encoding)) {
            place.progress().at("encoding", 0, 0);
            SplitSequence sequence = split.sequence(place.seed());
            texts.each(
                    (text, code, stratum) -> {
                        boolean isHeld = sequence.nextIsValidation(stratum);
                        out.write(text, code, isHeld);
                    });
            if (!validation.isEmpty()) {
                out.validate(db, staging, validation, true);
            }
            out.close();
            staging.files().notes().forEach(sentences::add);
            return out.ingested(true);
        }
    }

    /** Byte pairs of the texts that are trained on; of unit bytes there are no pairs. */
    private Tokens learnt(TextRows texts, RowSplit split) throws IOException {
        check(
                spec.text().unit() != TextUnit.CHARACTERS,
                "data.text.unit=characters: texts of a column are cut into bytes or bpe");
        BytePairTrainer trainer = new BytePairTrainer();
        if (spec.text().unit() == TextUnit.BYTES) {
            return trainer.learn(BYTE_VALUES);
        }
        SplitSequence sequence = split.sequence(place.seed());
        texts.each(
                (text, code, stratum) -> {
                    if (!sequence.nextIsValidation(stratum)) {
                        trainer.add(text);
                    }
                });
        return trainer.learn(spec.text().vocabulary());
    }

    private TableStaging staging(DuckDb db, TableFiles files) {
        return new TableStaging(files, db, policy, place.progress());
    }

    private TableFiles like(DuckDb db, LabelledTextEncoding encoding) {
        return TableFiles.like(encoding.columns(), db, format, spec.table());
    }

    private static List<Path> both(List<Path> train, List<Path> validation) {
        List<Path> all = new ArrayList<>(train);
        all.addAll(validation);
        return all;
    }

    private static Column column(StagedTable rows, String name) {
        return rows.column(name).orElseThrow();
    }

    /** Rows whose classes are those of an encoding. */
    private record Known(StagedTable rows, LabelChoice label) {}

    private Known known(
            DuckDb db,
            TableStaging staging,
            LabelledTextEncoding encoding,
            String table,
            List<Path> files,
            Set<String> more) {
        Set<String> names = new LinkedHashSet<>(more);
        names.add(encoding.column());
        names.add(encoding.label().column());
        StagedTable rows = staging.load(table, files, names, names, "the training data had");
        Column label = column(rows, encoding.label().column());
        policy.checkLabelled(db, rows, label);
        LabelChoice choice =
                LabelChoice.of(db, rows, label, encoding.label(), staging.files().decimal());
        policy.check(
                db,
                rows,
                choice.code() + " < 0",
                label.text(),
                "column '"
                        + BadRowPolicy.literally(label.name())
                        + "': the label \"%s\" is not one of the training classes "
                        + BadRowPolicy.literally(encoding.label().classes().toString()));
        return new Known(rows, choice);
    }

    /** The two files of records. */
    private final class Records implements AutoCloseable {
        private final LabelledTextEncoding encoding;
        private final TextRecord record;
        private final ShardWriter train;
        private final ShardWriter validation;
        private final long[] classes;
        private long cut;
        private boolean isClosed;

        Records(LabelledTextEncoding encoding) throws IOException {
            this.encoding = encoding;
            record = new TextRecord(encoding);
            train = new ShardWriter(place.file(TRAIN), place.budget());
            validation = new ShardWriter(place.file(VALIDATION), place.budget());
            classes = new long[encoding.label().classes().size()];
        }

        void write(String text, int code, boolean isHeld) throws IOException {
            byte[] bytes = record.of(text, code);
            cut += record.isCut() ? 1 : 0;
            (isHeld ? validation : train).write(bytes, 0, bytes.length);
            if (!isHeld) {
                classes[code]++;
            }
        }

        void validate(DuckDb db, TableStaging staging, List<Path> files, boolean hasLabel)
                throws IOException {
            if (hasLabel) {
                Known known = known(db, staging, encoding, "new_rows", files, Set.of());
                Column texts = column(known.rows, encoding.column());
                new TextRows(db, known.rows, texts, known.label.code(), null)
                        .each((text, code, stratum) -> write(text, code, true));
                return;
            }
            Set<String> names = Set.of(encoding.column());
            StagedTable rows =
                    staging.load("new_rows", files, names, names, "the training data had");
            new TextRows(db, rows, column(rows, encoding.column()), "0", null)
                    .each((text, code, stratum) -> write(text, code, true));
        }

        Ingested ingested(boolean hasTargets) {
            ShardFile toTrain = file(TRAIN, train);
            ShardFile toValidate = file(VALIDATION, validation);
            sentences.add(
                    0,
                    String.format(
                            Locale.ROOT,
                            "column '%s': %,d texts to train and %,d to validate, %d classes, at"
                                    + " most %d of %,d tokens each%s",
                            encoding.column(),
                            toTrain.samples(),
                            toValidate.samples(),
                            classes.length,
                            encoding.context(),
                            encoding.tokens().vocabulary().size(),
                            cut == 0
                                    ? ""
                                    : String.format(
                                            Locale.ROOT,
                                            "; the ends of %,d are left out, which are longer",
                                            cut)));
            if (policy.skipped() > 0) {
                sentences.add(policy.sentence());
            }
            List<Long> counts = Arrays.stream(classes).boxed().toList();
            return new Ingested(
                    encoding,
                    toTrain,
                    toValidate,
                    new Ingested.Findings(policy.skipped(), hasTargets, counts, sentences));
        }

        private ShardFile file(String name, ShardWriter writer) {
            return ShardFile.ofRecords(name, record.bytes(), writer.bytes() / record.bytes());
        }

        @Override
        public void close() throws IOException {
            if (!isClosed) {
                isClosed = true;
                try (train;
                        validation) {
                    // Both are closed, the second also when closing the first fails.
                }
            }
        }
    }
}
