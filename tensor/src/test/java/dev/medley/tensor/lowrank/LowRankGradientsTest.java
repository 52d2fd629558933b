package dev.medley.tensor.lowrank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Torch;
import dev.medley.tensor.lowrank.FactorLayout.Matrix;
import dev.medley.tensor.lowrank.FactorLayout.Other;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sums of three workers' gradients, added here: the last of them has no samples. */
class LowRankGradientsTest {
    private static final int WORKERS = 3;
    private static final int ROWS = 14;
    private static final int COLUMNS = 9;
    private static final int MATRIX = ROWS * COLUMNS;
    private static final int BIAS = 14;
    private static final int ELEMENTS = MATRIX + 2 + BIAS;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 8);
    }

    /** One matrix and one vector behind it, on three workers. */
    private static final class Workers implements AutoCloseable {
        private final FactorLayout layout;
        private final List<Span> gradients = new ArrayList<>();
        private final List<Span> factors = new ArrayList<>();
        private final List<LowRankGradients> each = new ArrayList<>();

        Workers(int rank, long seed) {
            layout =
                    new FactorLayout(
                            ElementType.FLOAT32,
                            rank,
                            List.of(new Matrix(0, ROWS, COLUMNS, 0, 0)),
                            List.of(new Other(MATRIX + 2, BIAS, 0)));
            for (int i = 0; i < WORKERS; i++) {
                gradients.add(Span.allocate(ELEMENTS * Float.BYTES));
                factors.add(Span.allocate(layout.bytes()));
                each.add(new LowRankGradients(layout, gradients.get(i), factors.get(i), seed));
            }
        }

        /** The sum that comes out of gradients, equal on all. */
        float[] sum(long step, float[][] of) {
            return sum(step, of, 1);
        }

        /** The same of gradients of a mean, which the unit makes a sum. */
        float[] sum(long step, float[][] of, int unit) {
            for (int i = 0; i < WORKERS; i++) {
                FloatBuffer into = floats(gradients.get(i));
                for (int at = 0; at < ELEMENTS; at++) {
                    into.put(at, unit * of[i][at]);
                }
                each.get(i).project(step, unit);
            }
            add(0, layout.leftBytes());
            each.forEach(LowRankGradients::turn);
            each.forEach(LowRankGradients::keepRest);
            add(layout.rightOffset(), layout.secondBytes());
            each.forEach(LowRankGradients::restore);
            float[] sum = values(0);
            for (int i = 1; i < WORKERS; i++) {
                assertThat(values(i)).as("worker %d", i).isEqualTo(sum);
            }
            return sum;
        }

        void applied() {
            each.forEach(LowRankGradients::applied);
        }

        private void add(long offset, long bytes) {
            List<FloatBuffer> parts =
                    factors.stream().map(f -> floats(f.slice(offset, bytes))).toList();
            for (int i = 0; i < bytes / Float.BYTES; i++) {
                float sum = 0;
                for (FloatBuffer part : parts) {
                    sum += part.get(i);
                }
                for (FloatBuffer part : parts) {
                    part.put(i, sum);
                }
            }
        }

        private float[] values(int worker) {
            float[] values = new float[ELEMENTS];
            floats(gradients.get(worker)).get(0, values);
            return values;
        }

        private static FloatBuffer floats(Span span) {
            return span.buffer().asFloatBuffer();
        }

        @Override
        public void close() {
            each.forEach(LowRankGradients::close);
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void asManyColumnsAsTheShorterSideShouldGiveTheSum(long seed) {
        float[][] gradients = gradients(seed, 1);
        try (Workers workers = new Workers(COLUMNS, seed)) {
            assertClose(workers.sum(1, gradients), exact(gradients), 1e-4);
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void gradientsOfLowRankShouldComeOutWhole(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        float[][] gradients = new float[WORKERS][ELEMENTS];
        double[] column = new double[ROWS];
        double[] row = new double[COLUMNS];
        Orthonormal.draw(column, random);
        Orthonormal.draw(row, random);
        for (int i = 0; i < MATRIX; i++) {
            gradients[0][i] = (float) (column[i / COLUMNS] * row[i % COLUMNS]);
            gradients[1][i] = -3 * gradients[0][i];
        }
        try (Workers workers = new Workers(2, seed)) {
            assertClose(workers.sum(1, gradients), exact(gradients), 1e-4);
        }
    }

    /** What is left out of the sum is sent later: the mean over steps goes to the sum as 1 / t. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void nothingShouldBeLostOverTime(long seed) {
        float[][] gradients = gradients(seed, 1);
        float[] exact = exact(gradients);
        double[] total = new double[ELEMENTS];
        double first = 0;
        try (Workers workers = new Workers(1, seed)) {
            for (int step = 1; step <= 300; step++) {
                float[] sum = workers.sum(step, gradients);
                workers.applied();
                for (int i = 0; i < ELEMENTS; i++) {
                    total[i] += sum[i];
                }
                if (step == 1) {
                    first = distance(total, exact, 1);
                }
            }
        }
        assertThat(first).as("one column is few").isGreaterThan(0.5);
        assertThat(distance(total, exact, 300)).isLessThan(0.1);
    }

    /** A step of another unit is the same step, so many times over; the mean is the same. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void whatIsLeftOutShouldCountInTheUnitOfTheNextStep(long seed) {
        int[] units = {1, 256, 1, 8, 512, 2};
        try (Workers one = new Workers(1, seed);
                Workers other = new Workers(1, seed)) {
            for (int step = 1; step <= 12; step++) {
                int unit = units[step % units.length];
                float[] mean = one.sum(step, gradients(seed, step));
                float[] sum = other.sum(step, gradients(seed, step), unit);
                for (int i = 0; i < ELEMENTS; i++) {
                    assertThat(sum[i] / unit).isCloseTo(mean[i], within(1e-3f));
                }
                one.applied();
                other.applied();
            }
        }
    }

    /**
     * A step begins with the directions of the one before: of two parts that do not meet, the one
     * column takes that which it knows, and the other is left for later.
     */
    @Test
    @Tag("unit")
    void directionsShouldBeRemembered() {
        float[][] known = new float[WORKERS][ELEMENTS];
        known[0][3 * COLUMNS] = 2;
        float[][] both = new float[WORKERS][ELEMENTS];
        both[0][0] = 1;
        both[1][COLUMNS + 1] = 0.5f;
        float[] taken = new float[ELEMENTS];
        taken[0] = 1;
        try (Workers workers = new Workers(1, 3)) {
            assertClose(workers.sum(1, known), exact(known), 1e-6);
            workers.applied();
            assertClose(workers.sum(2, both), taken, 1e-6);
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void aDiscardedStepShouldLeaveNoTrace(long seed) {
        try (Workers one = new Workers(2, seed);
                Workers other = new Workers(2, seed)) {
            for (int step = 1; step <= 4; step++) {
                if (step == 3) {
                    one.sum(step, gradients(seed, 99));
                }
                float[] sum = one.sum(step, gradients(seed, step));
                assertThat(sum).isEqualTo(other.sum(step, gradients(seed, step)));
                one.applied();
                other.applied();
            }
            float[] again = one.sum(5, gradients(seed, 5));
            one.applied();
            assertThat(one.sum(5, gradients(seed, 5))).isNotEqualTo(again);
        }
    }

    @Test
    @Tag("unit")
    void theSameSeedShouldGiveTheSameBits() {
        try (Workers one = new Workers(2, 5);
                Workers same = new Workers(2, 5);
                Workers other = new Workers(2, 6)) {
            float[] sum = one.sum(1, gradients(1, 1));
            assertThat(same.sum(1, gradients(1, 1))).isEqualTo(sum);
            assertThat(other.sum(1, gradients(1, 1))).isNotEqualTo(sum);
        }
    }

    @Test
    @Tag("unit")
    void whereThereWasNothingSomethingShouldBeFoundLater() {
        float[][] nothing = new float[WORKERS][ELEMENTS];
        float[][] gradients = gradients(1, 1);
        try (Workers workers = new Workers(COLUMNS, 1)) {
            for (int step = 1; step <= 3; step++) {
                assertThat(workers.sum(step, nothing)).containsOnly(0);
                workers.applied();
            }
            assertClose(workers.sum(4, gradients), exact(gradients), 1e-4);
        }
    }

    @Test
    @Tag("unit")
    void whatIsNoNumberShouldShow() {
        float[][] gradients = gradients(1, 1);
        gradients[1][5] = Float.NaN;
        try (Workers workers = new Workers(2, 1)) {
            assertThat(workers.sum(1, gradients)).contains(Float.NaN);
        }
    }

    /** The last worker has no samples, and so no gradient. */
    private static float[][] gradients(long seed, long step) {
        RandomGenerator random = Seeds.generator(seed, step);
        float[][] gradients = new float[WORKERS][ELEMENTS];
        for (int worker = 0; worker < WORKERS - 1; worker++) {
            for (int i = 0; i < ELEMENTS; i++) {
                boolean isGap = i == MATRIX || i == MATRIX + 1;
                gradients[worker][i] = isGap ? 0 : (float) random.nextGaussian() * (1 + worker);
            }
        }
        return gradients;
    }

    private static float[] exact(float[][] gradients) {
        float[] sum = new float[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            for (float[] gradient : gradients) {
                sum[i] += gradient[i];
            }
        }
        return sum;
    }

    private static void assertClose(float[] actual, float[] expected, double tolerance) {
        for (int i = 0; i < ELEMENTS; i++) {
            double allowed = i < MATRIX ? tolerance : 0;
            assertThat((double) actual[i]).as("%d", i).isCloseTo(expected[i], within(allowed));
        }
    }

    /** Of the matrix, relative to its length. */
    private static double distance(double[] total, float[] exact, int steps) {
        double apart = 0;
        double length = 0;
        for (int i = 0; i < MATRIX; i++) {
            double difference = total[i] / steps - exact[i];
            apart += difference * difference;
            length += exact[i] * exact[i];
        }
        return Math.sqrt(apart / length);
    }
}
