package dev.medley.training.prediction;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Outputs of a model for the samples of a block, as they travel.
 *
 * @param block its number
 * @param rows how many samples it has
 * @param outputs of one sample after the other, each a big-endian float
 */
public record PredictedBlock(long block, int rows, byte[] outputs) {
    /** The kind of the note that carries it. */
    public static final String KIND = "predicted";

    static PredictedBlock of(long block, int rows, FloatBuffer outputs) {
        ByteBuffer bytes = ByteBuffer.allocate(outputs.remaining() * Float.BYTES);
        bytes.asFloatBuffer().put(outputs);
        return new PredictedBlock(block, rows, bytes.array());
    }

    /** One row for each sample. */
    public List<float[]> values() {
        FloatBuffer values = ByteBuffer.wrap(outputs).asFloatBuffer();
        int width = rows == 0 ? 0 : values.remaining() / rows;
        List<float[]> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            float[] row = new float[width];
            values.get(row);
            all.add(row);
        }
        return all;
    }
}
