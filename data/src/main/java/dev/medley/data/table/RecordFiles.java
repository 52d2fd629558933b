package dev.medley.data.table;

import dev.medley.base.ConfigException;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.ShardWriter;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.LabelChoice;
import dev.medley.data.table.fit.RowSource;
import dev.medley.data.table.fit.UnseenValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Writes the records of both splits to disk. */
final class RecordFiles implements AutoCloseable {
    private static final String TRAIN = "train.bin";
    private static final String VALIDATION = "validation.bin";

    private final DuckDb db;
    private final ShardWriter train;
    private final ShardWriter validation;
    private int recordBytes = 1;
    private long[] trainClasses = new long[0];
    private double trainWeight;
    private double validationWeight;
    private boolean closed;

    RecordFiles(DuckDb db, Workplace place) throws IOException {
        this.db = db;
        this.train = new ShardWriter(place.file(TRAIN), place.budget());
        this.validation = new ShardWriter(place.file(VALIDATION), place.budget());
    }

    /** Writes all rows of a table, each to the file that {@code split} says. */
    void write(
            TableEncoding encoding,
            RowSource source,
            String table,
            SplitSequence split,
            UnseenValues unknowns)
            throws IOException {
        RecordWriter writer = new RecordWriter(encoding, source);
        recordBytes = writer.recordBytes();
        LabelChoice label = source.label();
        boolean hasClass = label != null && !label.isValue();
        trainClasses = Arrays.copyOf(trainClasses, encoding.label().classes().size());
        source.scan(
                db,
                table,
                chunk -> {
                    unknowns.add(chunk);
                    byte[] records = writer.encode(chunk);
                    for (int row = 0; row < chunk.rows; row++) {
                        boolean held = source.isNextValidation(split, chunk, row);
                        if (held) {
                            validationWeight += (float) source.weight(chunk, row);
                        } else {
                            trainWeight += (float) source.weight(chunk, row);
                        }
                        (held ? validation : train).write(records, row * recordBytes, recordBytes);
                        if (hasClass && !held) {
                            trainClasses[chunk.codes[source.labelAt()][row]]++;
                        }
                    }
                });
    }

    /** Complains about rows that all count nothing. */
    void requireWeight(String column, Path file) {
        for (boolean isTrain : new boolean[] {true, false}) {
            ConfigException.check(
                    (isTrain ? trainWeight : validationWeight) > 0
                            || (isTrain ? train : validation).bytes() == 0,
                    "%s, column '%s': all weights of the rows to %s are 0: there is nothing to"
                            + " count; name another column in data.weight",
                    file,
                    column,
                    isTrain ? "train" : "validate");
        }
    }

    ShardFile trainFile() {
        return ShardFile.ofRecords(TRAIN, recordBytes, train.bytes() / recordBytes);
    }

    ShardFile validationFile() {
        return ShardFile.ofRecords(VALIDATION, recordBytes, validation.bytes() / recordBytes);
    }

    /** Training rows of every class, of all that was written; empty where there are no classes. */
    List<Long> classCounts() {
        return Arrays.stream(trainClasses).boxed().toList();
    }

    /** Writes what is left; a second call does nothing. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (train;
                validation) {
            // Both are closed, the second also when closing the first fails.
        }
    }
}
