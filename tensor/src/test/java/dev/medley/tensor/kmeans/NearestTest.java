package dev.medley.tensor.kmeans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class NearestTest {
    @Test
    void centresThatSinglePrecisionCannotTellApartShouldBeToldApart() {
        RandomGenerator random = Seeds.generator(4);
        int d = 3;
        for (int round = 0; round < 200; round++) {
            float[] sample = new float[d];
            double[] centres = new double[4 * d];
            for (int j = 0; j < d; j++) {
                sample[j] = (float) random.nextGaussian();
                double far = 3 + random.nextGaussian();
                for (int c = 0; c < 4; c++) {
                    centres[c * d + j] = far + 1e-9 * random.nextGaussian();
                }
            }
            CentreProducts products = new CentreProducts(centres, 4, d);
            products.add(sample, 0);
            products.score();
            Nearest nearest = new Nearest(products);
            nearest.find(0);
            Blobs one = new Blobs(1, d, sample);
            assertThat(nearest.centre()).isEqualTo(one.nearest(0, centres));
            assertThat(nearest.squared()).isEqualTo(one.inertia(centres));
            for (int c = 0; c < 4; c++) {
                double apart = Distance.squared(sample, 0, centres, c * d, d);
                assertThat(c == nearest.centre() || nearest.squaredOfOthers() <= apart).isTrue();
            }
        }
    }

    @Test
    void ofEqualCentresTheFirstShouldBeTheNearest() {
        CentreProducts products = new CentreProducts(new double[] {5, 1, 1, 1}, 4, 1);
        products.add(new float[] {0.5f}, 0);
        products.score();
        Nearest nearest = new Nearest(products);
        nearest.find(0);
        assertThat(nearest.centre()).isEqualTo(1);
        assertThat(nearest.squaredOfOthers()).isEqualTo(0.25);
    }
}
