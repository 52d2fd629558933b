package dev.medley.training.kmeans;

import dev.medley.base.Seeds;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.order.SampleRange;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Holds samples about some places, and deals them in another order in each epoch. */
final class KMeansSamples {
    private static final int DIMENSIONS = 3;
    private static final int CENTRES = 5;

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

    int count() {
        return all.length;
    }

    float[][] all() {
        return all;
    }

    /** Some of the samples: what all workers begin with. */
    double[][] start() {
        double[][] start = nowhere();
        for (int c = 0; c < CENTRES; c++) {
            float[] sample = all[c * all.length / CENTRES];
            Arrays.setAll(start[c], d -> sample[d]);
        }
        return start;
    }

    /** Centres that no run begins with. */
    double[][] nowhere() {
        return new double[CENTRES][DIMENSIONS];
    }

    /** Those at these positions of an epoch. */
    private Batch of(SampleRange range) {
        int[] order = order(range.epoch());
        HostArray x = HostArray.allocate(ElementType.FLOAT32, range.samples(), DIMENSIONS);
        FloatBuffer values = x.data().buffer().asFloatBuffer();
        for (long at = range.from(); at < range.to(); at++) {
            values.put(all[order[(int) at]]);
        }
        HostArray none = HostArray.allocate(ElementType.FLOAT32, range.samples());
        return new Batch(List.of(x), none, range.samples());
    }

    /** The samples of ranges, from one number on. */
    BatchStream stream(LongFunction<SampleRange> ranges, long first) {
        return new BatchStream() {
            private long number = first;

            @Override
            public Batch next() {
                return of(ranges.apply(number++));
            }

            @Override
            public long stallNs() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }

    private int[] order(long epoch) {
        RandomGenerator random = Seeds.generator(7, epoch);
        int[] order = IntStream.range(0, all.length).toArray();
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        return order;
    }
}
