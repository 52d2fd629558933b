package dev.medley.tensor.lowrank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class OrthonormalTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldMakeOrthonormalWhateverItIsGiven(long seed) {
        double[][] columns = columns(seed);
        double[][] same = columns(seed);
        Orthonormal.make(columns, Seeds.generator(seed, 1));
        for (int i = 0; i < columns.length; i++) {
            for (int j = 0; j <= i; j++) {
                assertThat(product(columns[i], columns[j]))
                        .as("columns %d and %d", i, j)
                        .isCloseTo(i == j ? 1 : 0, within(1e-12));
            }
        }
        Orthonormal.make(same, Seeds.generator(seed, 1));
        assertThat(Arrays.deepEquals(columns, same)).as("bit-equal").isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldKeepTheSpaceOfColumnsThatDifferInLength(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double[][] columns = new double[3][20];
        double scale = 1;
        for (double[] column : columns) {
            Orthonormal.draw(column, random);
            for (int i = 0; i < column.length; i++) {
                column[i] *= scale;
            }
            scale *= 1e-9;
        }
        double[] last = columns[2].clone();
        Orthonormal.make(columns, random);
        double inside = 0;
        for (double[] column : columns) {
            double along = product(column, last);
            inside += along * along;
        }
        assertThat(inside / product(last, last)).isCloseTo(1, within(1e-12));
    }

    /** Some columns are zero, some follow from others, nearly or fully, some are no numbers. */
    private static double[][] columns(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int count = 1 + random.nextInt(6);
        double[][] columns = new double[count][count + random.nextInt(9)];
        for (int k = 0; k < count; k++) {
            Orthonormal.draw(columns[k], random);
            double[] other = columns[random.nextInt(k + 1)];
            switch (random.nextInt(5)) {
                case 0 -> Arrays.fill(columns[k], 0);
                case 1 -> columns[k] = other.clone();
                case 2 -> {
                    for (int i = 0; i < other.length; i++) {
                        columns[k][i] = other[i] + 1e-5 * columns[k][i];
                    }
                }
                case 3 -> columns[k][0] = random.nextBoolean() ? Double.NaN : 1e300 * 1e300;
                default -> {}
            }
        }
        return columns;
    }

    private static double product(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
