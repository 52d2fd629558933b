package dev.medley.spark.ml;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.TrainedModel;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.SampleKey;
import dev.medley.data.table.RowEncoder;
import dev.medley.data.table.TableDecoder;
import dev.medley.spark.rows.FrameColumns;
import java.nio.FloatBuffer;
import org.apache.spark.ml.linalg.Vector;

/** Computes a model's outputs for one vector, as {@code model.predict(vector)} asks for them. */
final class OneRow {
    private OneRow() {}

    static float[] outputs(ModelFiles files, Vector features) {
        try (LoadedModels<TrainedModel>.Use use = files.use()) {
            return outputs(use.model(), features);
        }
    }

    private static float[] outputs(TrainedModel model, Vector features) {
        TableEncoding encoding = (TableEncoding) model.encoding();
        RowEncoder encoder = new RowEncoder(encoding);
        check(encoder.texts().isEmpty(), "the model reads %s, too: use transform", encoder.texts());
        double[] numbers = new double[encoder.numbers().size()];
        double[] all = features.toArray();
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = all[FrameColumns.place(encoder.numbers().get(i))];
        }
        byte[] record = new byte[encoder.recordBytes()];
        encoder.encode(numbers, new String[0], 0, 1, record, 0);
        BatchBuffers buffers = new BatchBuffers(encoding.signature());
        new TableDecoder(encoding).decode(record, 0, new SampleKey(0, 0), buffers, 0);
        HostArray found = model.predict(buffers.batch(1));
        FloatBuffer floats = found.data().buffer().asFloatBuffer();
        float[] outputs = new float[floats.remaining()];
        floats.get(outputs);
        return outputs;
    }
}
