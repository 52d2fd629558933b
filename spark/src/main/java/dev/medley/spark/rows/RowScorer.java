package dev.medley.spark.rows;

import dev.medley.api.TrainedModel;
import dev.medley.base.ConfigException;
import dev.medley.base.memory.HostArray;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.RecordDecoder;
import dev.medley.data.shard.SampleKey;
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
    private RecordMaking.Maker maker;
    private RecordDecoder decoder;
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
        this.maker = new RecordMaking(model.encoding(), true).open();
        this.reader = new FrameReader(columns, maker.numbers(), maker.texts());
        this.values = new RowValues.Outside(first);
        this.decoder = TrainingData.decoder(maker.encoding());
        this.buffers = new BatchBuffers(maker.encoding().signature());
        this.record = new byte[maker.recordBytes()];
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
        RowValues read = values.of(row);
        String trouble = reader.read(read);
        if (trouble == null) {
            trouble = maker.put(reader, read, RecordMaking.Labelled.NONE, record, 0);
        }
        ConfigException.check(trouble == null, "%s", trouble);
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
        RecordMaking.Maker roomy = maker.roomy();
        if (roomy != null) {
            // A row has more terms than those that the model was trained on.
            maker = roomy;
            decoder = TrainingData.decoder(maker.encoding());
            buffers = new BatchBuffers(maker.encoding().signature());
            buffers.reserve(AT_ONCE);
            record = new byte[maker.recordBytes()];
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
