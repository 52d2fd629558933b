package dev.medley.tensor.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.tensor.kmeans.KMeansRows.Block;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("property")
class LloydPassTest {
    /** Bounds that are too tight would leave samples with a centre that is no longer nearest. */
    @ParameterizedTest
    @CsvSource({"1, 0.01", "2, 0.1", "3, 0.5", "4, 2", "5, 0.3", "6, 0"})
    void samplesShouldBeWithTheNearestCentreHoweverThatMoves(long seed, double way) {
        Blobs data = Blobs.of(seed, 5000, 5, 7, 0);
        KMeansShape shape = new KMeansShape(7, 5, 1);
        KMeansRows rows = new KMeansRows(5);
        data.between(0, 5000, rows::add);
        ExactUnit unit = ExactUnit.forSumsWithin(1e6);
        LloydPass pass = new LloydPass(rows, shape, unit, unit);
        RandomGenerator random = Seeds.generator(seed);
        double[] centres = new double[35];
        for (int i = 0; i < centres.length; i++) {
            centres[i] = 4 * random.nextGaussian();
        }
        for (int step = 0; step < 12; step++) {
            double inertia = pass.assign(centres.clone());
            assertThat(inertia).isCloseTo(data.inertia(centres), within(1e-4));
            assertNearest(data, rows, centres);
            assertSums(data, pass, centres);
            for (int i = 0; i < centres.length; i++) {
                centres[i] += way * random.nextGaussian();
            }
        }
    }

    private static void assertNearest(Blobs data, KMeansRows rows, double[] centres) {
        int sample = 0;
        for (Block block : rows.blocks()) {
            for (int i = 0; i < block.rows(); i++) {
                assertThat(block.nearest[i]).isEqualTo(data.nearest(sample++, centres));
            }
        }
    }

    private static void assertSums(Blobs data, LloydPass pass, double[] centres) {
        double[] sums = new double[35 + 7 + 1];
        pass.write(sums);
        double[] expected = new double[35];
        double[] counts = new double[7];
        for (int i = 0; i < data.count(); i++) {
            int c = data.nearest(i, centres);
            counts[c]++;
            for (int j = 0; j < 5; j++) {
                expected[c * 5 + j] += data.values()[i * 5 + j];
            }
        }
        assertThat(java.util.Arrays.copyOfRange(sums, 35, 42)).isEqualTo(counts);
        for (int at = 0; at < 35; at++) {
            assertThat(sums[at]).isCloseTo(expected[at], within(1e-4));
        }
    }
}
