package dev.medley.tensor.kmeans;

import dev.medley.base.Seeds;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Holds samples about some places. */
record Blobs(int count, int features, float[] values) {
    /** So many about {@code places} places, all moved by {@code offset}. */
    static Blobs of(long seed, int count, int features, int places, double offset) {
        RandomGenerator random = Seeds.generator(seed);
        double[] centres = new double[places * features];
        for (int i = 0; i < centres.length; i++) {
            centres[i] = offset + 4 * random.nextGaussian();
        }
        float[] values = new float[count * features];
        for (int i = 0; i < values.length; i++) {
            int place = i / features % places;
            values[i] = (float) (centres[place * features + i % features] + random.nextGaussian());
        }
        return new Blobs(count, features, values);
    }

    /** From one sample to before another, in batches. */
    void between(int from, int to, Consumer<Batch> taker) {
        for (int at = from; at < to; at += 100) {
            taker.accept(batch(at, Math.min(to, at + 100)));
        }
    }

    Batch batch(int from, int to) {
        HostArray inputs = HostArray.allocate(ElementType.FLOAT32, to - from, features);
        inputs.data().buffer().asFloatBuffer().put(values, from * features, (to - from) * features);
        HostArray target = HostArray.allocate(ElementType.FLOAT32, to - from);
        return new Batch(java.util.List.of(inputs), target, to - from);
    }

    /** The nearest centre of a sample, by plain loops. */
    int nearest(int sample, double[] centres) {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int c = 0; c < centres.length / features; c++) {
            double squared =
                    Distance.squared(values, sample * features, centres, c * features, features);
            if (squared < least) {
                least = squared;
                nearest = c;
            }
        }
        return nearest;
    }

    /** Sum of squared distances to the nearest centres. */
    double inertia(double[] centres) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            int c = nearest(i, centres);
            sum += Distance.squared(values, i * features, centres, c * features, features);
        }
        return sum;
    }
}
