package dev.medley.training.kmeans;

import dev.medley.base.Seeds;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.training.strategy.OwnRows;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Holds samples about some places. */
final class KMeansSamples implements OwnRows {
    static final int DIMENSIONS = 3;
    static final int CENTRES = 5;

    private final float[][] all;

    /** So many, from a seed. */
    KMeansSamples(int count, long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double[][] places = new double[CENTRES][DIMENSIONS];
        Arrays.stream(places).forEach(p -> Arrays.setAll(p, d -> 3 * random.nextGaussian()));
        all = new float[count][DIMENSIONS];
        for (float[] sample : all) {
            double[] place = places[random.nextInt(CENTRES)];
            for (int d = 0; d < DIMENSIONS; d++) {
                sample[d] = (float) (place[d] + random.nextGaussian());
            }
        }
    }

    @Override
    public long count() {
        return all.length;
    }

    @Override
    public void between(long from, long to, Consumer<Batch> taker) {
        int samples = (int) (to - from);
        HostArray x = HostArray.allocate(ElementType.FLOAT32, samples, DIMENSIONS);
        FloatBuffer values = x.data().buffer().asFloatBuffer();
        for (long at = from; at < to; at++) {
            values.put(all[(int) at]);
        }
        HostArray none = HostArray.allocate(ElementType.FLOAT32, samples);
        taker.accept(new Batch(List.of(x), none, samples));
    }
}
