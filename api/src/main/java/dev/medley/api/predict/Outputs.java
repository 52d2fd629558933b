package dev.medley.api.predict;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/** Splits a model's outputs into a row for each sample. */
final class Outputs {
    private Outputs() {}

    /** One row for each sample. */
    static List<float[]> rows(float[] outputs, int samples) {
        FloatBuffer values = FloatBuffer.wrap(outputs);
        int width = samples == 0 ? 0 : values.remaining() / samples;
        List<float[]> rows = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            float[] row = new float[width];
            values.get(row);
            rows.add(row);
        }
        return rows;
    }
}
