package dev.medley.spark.rows;

import dev.medley.base.Seeds;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.RowEncoder;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
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
    private static final long PURPOSE = 0x53706c6974L;

    /** Numbers of chunks: those of a partition follow each other; every second is of validation. */
    private static final int MOST_CHUNKS = 1 << 14;

    private final int set;
    private final FrameColumns columns;
    private final EncodedEncoding encoding;
    private final double validation;
    private final long seed;

    /**
     * What is done with rows.
     *
     * @param set number of the blocks
     * @param validation share of the rows that are kept for it, where no column says which
     */
    Encode(int set, FrameColumns columns, TableEncoding encoding, double validation, long seed) {
        this.set = set;
        this.columns = columns;
        this.encoding = new EncodedEncoding(encoding);
        this.validation = validation;
        this.seed = seed;
    }

    /** The number of a chunk's block. */
    static int block(int partition, boolean isTrain, int chunk) {
        return Math.addExact(
                Math.multiplyExact(partition, MOST_CHUNKS), 2 * chunk + (isTrain ? 0 : 1));
    }

    /** Rows of one purpose that wait until they are a chunk. */
    private final class Open {
        private final int partition;
        private final boolean isTrain;
        private final int recordBytes;
        private final byte[] bytes;
        private final List<Chunk> done = new ArrayList<>();
        private int rows;

        Open(int partition, boolean isTrain, int recordBytes) {
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
            CRC32C check = new CRC32C();
            check.update(bytes, 0, at());
            new Blocks(set).put(block(partition, isTrain, done.size()), bytes.clone(), at());
            done.add(new Chunk(rows, (int) check.getValue()));
            rows = 0;
        }
    }

    /** All rows of a partition. */
    EncodedPart of(int partition, Iterator<InternalRow> rows) throws IOException {
        TableEncoding table = encoding.get();
        RowEncoder encoder = new RowEncoder(table);
        RowReader reader = new RowReader(columns, encoder.numbers(), encoder.texts());
        List<String> classes = table.label().classes();
        Map<String, Integer> classOf = new HashMap<>();
        for (int i = 0; i < classes.size(); i++) {
            classOf.put(classes.get(i), i);
        }
        Open train = new Open(partition, true, encoder.recordBytes());
        Open held = new Open(partition, false, encoder.recordBytes());
        long[] counts = new long[classes.size()];
        double weights = 0;
        long number = 0;
        boolean hasLabel = !table.label().isNone();
        RowValues.Inside inside = new RowValues.Inside();
        while (rows.hasNext()) {
            RowValues row = inside.of(rows.next());
            String trouble = reader.read(row);
            double label = 0;
            if (trouble == null && hasLabel) {
                trouble = reader.hasLabel(row) ? null : "a row has no label";
                if (trouble == null && !classes.isEmpty()) {
                    Integer index = classOf.get(reader.labelText(row));
                    trouble =
                            index == null
                                    ? "label '%s' came after the classes had been found: the rows"
                                                    .formatted(reader.labelText(row))
                                            + " are not the same each time; cache() or checkpoint()"
                                            + " them first"
                                    : null;
                    label = index == null ? 0 : index;
                } else if (trouble == null) {
                    label = reader.label(row);
                }
            }
            double weight = reader.weight(row);
            if (trouble == null && !(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
                trouble =
                        "a row has the weight %s: numbers of 0 or more are needed"
                                .formatted(weight);
            }
            if (trouble != null) {
                return failed(partition, trouble);
            }
            boolean isHeld =
                    columns.roles().validation() >= 0
                            ? reader.isValidation(row)
                            : validation > 0 && drawn(partition, number) < validation;
            number++;
            Open open = isHeld ? held : train;
            encoder.encode(reader.numbers, reader.texts, label, weight, open.bytes, open.at());
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
                null);
    }

    private static EncodedPart failed(int partition, @Nullable String trouble) {
        return new EncodedPart(partition, List.of(), List.of(), List.of(), 0, trouble);
    }

    private double drawn(int partition, long row) {
        return (Seeds.of(seed, PURPOSE, partition, row) >>> 11) * 0x1p-53;
    }
}
