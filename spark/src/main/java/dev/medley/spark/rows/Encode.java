package dev.medley.spark.rows;

import dev.medley.data.table.column.Ranked;
import dev.medley.spark.rows.EncodedPart.Chunk;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the rows of a partition and keeps them in the executor, in chunks.
 *
 * <p>Thread: the task's.
 */
final class Encode implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int CHUNK_BYTES = 1 << 20;

    /** What is wrong with a row that nothing can be learnt from. */
    static final String NO_LABEL =
            "labelCol: a row has no label (null or NaN): drop such rows first (na.drop)";

    /** Numbers of chunks: those of a partition follow each other; every second is of validation. */
    private static final int MOST_CHUNKS = 1 << 14;

    private final Blocks set;
    private final FrameColumns columns;
    private final RecordMaking making;
    private final HeldOut heldOut;

    /**
     * What is done with rows.
     *
     * @param set of their blocks
     * @param heldOut says which rows are kept to judge by
     */
    Encode(Blocks set, FrameColumns columns, RecordMaking making, HeldOut heldOut) {
        this.set = set;
        this.columns = columns;
        this.making = making;
        this.heldOut = heldOut;
    }

    /** The number of a chunk's block. */
    static int block(int partition, boolean isTrain, int chunk) {
        return Math.addExact(
                Math.multiplyExact(partition, MOST_CHUNKS), 2 * chunk + (isTrain ? 0 : 1));
    }

    /** Where chunks go. */
    interface Sink {
        /**
         * Takes a chunk.
         *
         * @param block its number
         * @param bytes its own
         */
        void put(int block, byte[] bytes) throws IOException;
    }

    /** Rows of one purpose that wait until they are a chunk. */
    private static final class Open {
        private final int partition;
        private final boolean isTrain;
        private final int recordBytes;
        private final byte[] bytes;
        private final Sink sink;
        private final List<Chunk> done = new ArrayList<>();
        private int rows;

        Open(int partition, boolean isTrain, int recordBytes, Sink sink) {
            this.sink = sink;
            this.partition = partition;
            this.isTrain = isTrain;
            this.recordBytes = recordBytes;
            this.bytes = new byte[Math.max(1, CHUNK_BYTES / recordBytes) * recordBytes];
        }

        int at() {
            return rows * recordBytes;
        }

        void added() throws IOException {
            rows++;
            if (at() == bytes.length) {
                flush();
            }
        }

        void flush() throws IOException {
            if (rows == 0) {
                return;
            }
            if (2 * done.size() + 2 > MOST_CHUNKS) {
                throw new IOException(
                        "partition %d has more than %d MiB of encoded rows: repartition into more"
                                .formatted(partition, MOST_CHUNKS / 2));
            }
            sink.put(block(partition, isTrain, done.size()), Arrays.copyOf(bytes, at()));
            done.add(new Chunk(rows, check(bytes, at())));
            rows = 0;
        }
    }

    /** The check of a chunk's bytes. */
    static int check(byte[] bytes, int length) {
        CRC32C check = new CRC32C();
        check.update(bytes, 0, length);
        return (int) check.getValue();
    }

    /** All rows of a partition, which this executor keeps. */
    EncodedPart of(int partition, Iterator<InternalRow> rows) throws IOException {
        return of(partition, rows, set::put);
    }

    /** All rows of a partition. */
    EncodedPart of(int partition, Iterator<InternalRow> rows, Sink sink) throws IOException {
        RecordMaking.Maker maker = making.open();
        FrameReader reader = new FrameReader(columns, maker.numbers(), maker.texts());
        List<String> classes = maker.classes();
        Map<Object, Integer> classOf = new HashMap<>(); // By the label as the rows have it.
        Open train = new Open(partition, true, maker.recordBytes(), sink);
        Open held = new Open(partition, false, maker.recordBytes(), sink);
        long[] counts = new long[classes.size()];
        double weights = 0;
        long missing = 0;
        HeldOut.Rows draw = heldOut.of(partition);
        boolean hasLabel = maker.hasLabel();
        RowValues.Inside inside = new RowValues.Inside();
        while (rows.hasNext()) {
            RowValues row = inside.of(rows.next());
            String trouble = reader.read(row);
            double label = Double.NaN;
            if (trouble == null && hasLabel && !reader.hasLabel(row)) {
                trouble = NO_LABEL;
            } else if (trouble == null && hasLabel) {
                label =
                        classes.isEmpty()
                                ? reader.label(row)
                                : place(classOf, classes, reader, row);
                trouble = label < 0 && !classes.isEmpty() ? changed(reader.labelText(row)) : null;
            }
            double weight = reader.weight(row);
            if (trouble == null && !(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
                trouble =
                        "weightCol: a row has the weight %s: 0 or more is needed".formatted(weight);
            }
            if (trouble == null && maker.isRanked()) {
                trouble = Ranked.trouble(label, reader.group(row));
            }
            String told = draw.next(reader, row);
            trouble = trouble == null ? told : trouble;
            boolean isHeld = draw.isHeld();
            Open open = isHeld ? held : train;
            if (trouble == null) {
                RecordMaking.Labelled labelled =
                        new RecordMaking.Labelled(label, weight, draw.isBeginning());
                trouble = maker.put(reader, row, labelled, open.bytes, open.at());
            }
            if (trouble != null) {
                return failed(partition, trouble);
            }
            missing += reader.hasMissing() ? 1 : 0;
            if (!isHeld) {
                maker.learnt(open.bytes, open.at());
            }
            open.added();
            if (!isHeld) {
                weights += weight;
                if (!classes.isEmpty()) {
                    counts[(int) label]++;
                }
            }
        }
        train.flush();
        held.flush();
        return new EncodedPart(
                partition,
                train.done,
                held.done,
                LongStream.of(counts).boxed().toList(),
                weights,
                missing,
                maker.counts(),
                null);
    }

    /** The number of the row's class; below 0 where it has one that nobody knows. */
    private static int place(
            Map<Object, Integer> known, List<String> classes, FrameReader reader, RowValues row) {
        return known.computeIfAbsent(
                reader.labelKey(row), any -> classes.indexOf(reader.labelText(row)));
    }

    private static String changed(String label) {
        return "label '%s' came after the classes had been found: the rows are not the same each time;"
                        .formatted(label)
                + " cache() or checkpoint() them first";
    }

    private static EncodedPart failed(int partition, @Nullable String trouble) {
        return new EncodedPart(
                partition, List.of(), List.of(), List.of(), 0, 0, List.of(), trouble);
    }
}
