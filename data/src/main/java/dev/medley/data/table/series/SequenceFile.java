package dev.medley.data.table.series;

import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.ShardWriter;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.engine.TableScan;
import dev.medley.data.table.series.SeriesCategories.OneHot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Writes sequences as records of equal length: the last rows of each, and its label as a float
 * behind them.
 *
 * <p>Thread: one.
 */
final class SequenceFile implements AutoCloseable {
    private final String name;
    private final SequenceEncoding encoding;
    private final ShardWriter out;
    private final ByteBuffer record;
    private final float[] rows;
    private final List<Scaling> scales;
    private final int width;
    private long seen;
    private long samples;

    /** Creates the file. */
    SequenceFile(String name, SequenceEncoding encoding, Workplace place) throws IOException {
        this.name = name;
        this.encoding = encoding;
        scales = encoding.scales();
        width = encoding.rowNumbers();
        rows = new float[Math.multiplyExact(encoding.rows(), width)];
        record =
                ByteBuffer.allocate((rows.length + 1) * Float.BYTES).order(ByteOrder.nativeOrder());
        out = new ShardWriter(place.file(name), place.budget());
    }

    /**
     * Adds the next row of the sequence that is being written, times first; the oldest may fall
     * out.
     *
     * @param oneHot knows the codes of its categories
     */
    void add(TableScan.Chunk chunk, int row, OneHot oneHot) {
        int at = (int) (seen++ % encoding.rows()) * width;
        for (int c = 0; c < scales.size(); c++) {
            double value = chunk.numbers[c + 1][row];
            rows[at + c] = Double.isNaN(value) ? 0 : (float) scales.get(c).of(value);
        }
        oneHot.put(chunk.codes, 1, row, rows, at + scales.size());
        rows[at + width - 1] = 1;
    }

    /** Ends the sequence. */
    void end(double label) throws IOException {
        int count = (int) Math.min(seen, encoding.rows());
        record.clear();
        for (int i = 0; i < (encoding.rows() - count) * width; i++) {
            record.putFloat(0);
        }
        for (int i = 0; i < count; i++) {
            int at = (int) ((seen - count + i) % encoding.rows()) * width;
            for (int c = 0; c < width; c++) {
                record.putFloat(rows[at + c]);
            }
        }
        record.putFloat((float) label);
        out.write(record.array(), 0, record.capacity());
        seen = 0;
        samples++;
    }

    /** Sequences so far. */
    long samples() {
        return samples;
    }

    /** What was written. */
    ShardFile file() {
        return ShardFile.ofRecords(name, record.capacity(), samples);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
