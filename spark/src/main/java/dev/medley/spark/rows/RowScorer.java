package dev.medley.spark.rows;

import dev.medley.api.TrainedModel;
import dev.medley.base.ConfigException;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.SampleKey;
import dev.medley.data.table.RowEncoder;
import dev.medley.data.table.TableDecoder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import org.apache.spark.sql.Row;

/**
 * Computes a model's outputs for the rows of a partition, some hundred at a time.
 *
 * <p>Thread: the task's.
 *
 * @param <T> what becomes of a row and its outputs
 */
public final class RowScorer<T> implements Iterator<T> {
    private static final int AT_ONCE = 1024;

    private final TrainedModel model;
    private final Iterator<Row> rows;
    private final BiFunction<Row, float[], T> answer;
    private final FrameReader reader;
    private final RowValues.Outside values;
    private final List<Row> batch = new ArrayList<>();
    private float[][] outputs = new float[0][];
    private int next;
    private TableEncoding encoding;
    private RowEncoder encoder;
    private TableDecoder decoder;
    private BatchBuffers buffers;
    private byte[] record;

    /**
     * For rows of which the projected columns come last.
     *
     * @param columns of the projection
     * @param first place of the first of them
     */
    public RowScorer(
            TrainedModel model,
            FrameColumns columns,
            int first,
            Iterator<Row> rows,
            BiFunction<Row, float[], T> answer) {
        this.model = model;
        this.rows = rows;
        this.answer = answer;
        this.encoding = (TableEncoding) model.encoding();
        this.encoder = new RowEncoder(encoding);
        this.reader = new FrameReader(columns, encoder.numbers(), encoder.texts());
        this.values = new RowValues.Outside(first);
        this.decoder = new TableDecoder(encoding);
        this.buffers = new BatchBuffers(encoding.signature());
        this.record = new byte[encoder.recordBytes()];
        buffers.reserve(AT_ONCE);
    }

    @Override
    public boolean hasNext() {
        return next < batch.size() || rows.hasNext();
    }

    @Override
    public T next() {
        if (next == batch.size()) {
            if (!rows.hasNext()) {
                throw new NoSuchElementException();
            }
            fill();
        }
        T made = answer.apply(batch.get(next), outputs[next]);
        next++;
        return made;
    }

    private void encode(Row row, int at) {
        String trouble = reader.read(values.of(row));
        ConfigException.check(trouble == null, "%s", trouble);
        encoder.encode(reader.numbers, reader.texts, 0, 1, record, 0);
        decoder.decode(record, 0, new SampleKey(0, at), buffers, at);
    }

    private void fill() {
        batch.clear();
        next = 0;
        while (batch.size() < AT_ONCE && rows.hasNext()) {
            Row row = rows.next();
            encode(row, batch.size());
            batch.add(row);
        }
        if (encoder.roomy().slots() > encoding.slots()) {
            // A row has more terms than those that the model was trained on.
            encoding = encoder.roomy();
            encoder = new RowEncoder(encoding);
            decoder = new TableDecoder(encoding);
            buffers = new BatchBuffers(encoding.signature());
            buffers.reserve(AT_ONCE);
            record = new byte[encoder.recordBytes()];
            for (int i = 0; i < batch.size(); i++) {
                encode(batch.get(i), i);
            }
        }
        HostArray found = model.predict(buffers.batch(batch.size()));
        FloatBuffer floats = found.data().buffer().asFloatBuffer();
        int width = floats.remaining() / batch.size();
        outputs = new float[batch.size()][width];
        for (float[] each : outputs) {
            floats.get(each);
        }
    }
}
