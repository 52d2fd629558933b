package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.data.encoding.Scaling;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class QuantileBinsTest {
    private static List<Float> of(double... sorted) {
        return QuantileBins.of(sorted, 1, Scaling.NONE, 1);
    }

    @Test
    void eachOfFewValuesShouldBeAnEdge() {
        assertThat(of(1, 1, 1, 2, 7, 7)).containsExactly(1f, 2f, 7f);
        assertThat(of(5, 5, 5)).isEmpty();
        assertThat(of()).isEmpty();
    }

    @Test
    void binsOfManyValuesShouldHoldAsMany() {
        double[] sorted = IntStream.range(0, 128_000).asDoubleStream().toArray();
        List<Float> edges = of(sorted);
        assertThat(edges).hasSizeBetween(QuantileBins.MOST, QuantileBins.MOST + 1);
        for (int i = 1; i < edges.size(); i++) {
            assertThat(edges.get(i) - edges.get(i - 1)).isBetween(900f, 1100f);
        }
        assertThat(edges.get(0)).isZero();
        assertThat(edges.get(edges.size() - 1)).isEqualTo(127_999);
    }

    @Test
    void aColumnThatIsMostlyZeroShouldHaveItsBinsWhereItIsNot() {
        double[] sorted = new double[100_000];
        for (int i = 92_000; i < sorted.length; i++) {
            sorted[i] = i;
        }
        List<Float> edges = of(sorted);
        assertThat(edges).hasSizeGreaterThan(120).startsWith(0f);
        assertThat(edges.get(1)).isBetween(92_000f, 92_200f);
    }

    @Test
    void soShouldOneWhoseZerosComeLast() {
        double[] sorted = new double[100_000];
        for (int i = 0; i < 8_000; i++) {
            sorted[i] = i - 8_000;
        }
        List<Float> edges = of(sorted);
        assertThat(edges).hasSizeBetween(120, QuantileBins.MOST + 2).endsWith(0f);
        assertThat(edges.get(edges.size() - 2)).isBetween(-200f, 0f);
    }

    @Test
    void edgesShouldBeScaledAndFewerInWideTables() {
        double[] sorted = IntStream.range(0, 864).mapToDouble(i -> 100.0 * i).toArray();
        List<Float> edges = QuantileBins.of(sorted, 86_400, new Scaling(0.5, 0.5, 3), 1 << 14);
        assertThat(edges).hasSizeBetween(4, 5);
        assertThat(edges.get(0)).isEqualTo((float) new Scaling(0.5, 0.5, 3).of(0));
        double[] far = Arrays.copyOf(sorted, 865);
        far[864] = 1e300;
        assertThat(QuantileBins.of(far, 1, new Scaling(0, 1, 3), 1)).endsWith(3f);
    }
}
