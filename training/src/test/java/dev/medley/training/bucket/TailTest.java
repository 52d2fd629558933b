package dev.medley.training.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.training.bucket.Tail.Wish;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TailTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void theSumShouldSayWhatEachRankSaid(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int ranks = 1 + random.nextInt(7);
        double[] sum = new double[ranks * Tail.FIELDS];
        double weights = 0;
        double losses = 0;
        int wishes = 0;
        for (int rank = 0; rank < ranks; rank++) {
            double weight = rank == 0 ? 1 : random.nextInt(50);
            double loss = random.nextDouble() * weight;
            int wished = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
            add(sum, rank, loss, weight, 1, wished);
            weights += weight;
            losses += loss;
            wishes |= wished;
        }
        Tail all = new Tail(DoubleBuffer.wrap(sum), ranks);
        assertThat(all.weight()).isEqualTo(weights);
        assertThat(all.loss()).isEqualTo(losses / weights);
        assertThat(all.firstUnsoundRank()).isEqualTo(-1);
        for (Wish wish : Wish.values()) {
            assertThat(all.isWished(wish)).isEqualTo((wishes & Tail.bit(wish)) != 0);
        }
    }

    @Test
    @Tag("unit")
    void shouldNameTheFirstRankThatIsNotFiniteAndStaySound() {
        double[] bad = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double value : bad) {
            double[] sum = new double[4 * Tail.FIELDS];
            add(sum, 0, 1, 8, 1, 0);
            add(sum, 1, 1, 8, 1, 0);
            add(sum, 2, value, 8, 1, Tail.bit(Wish.PAUSE));
            add(sum, 3, 1, 8, value, 0);
            Tail tail = new Tail(DoubleBuffer.wrap(sum), 4);
            assertThat(tail.firstUnsoundRank()).isEqualTo(2);
            assertThat(tail.loss()).as("nothing that is not finite travels").isFinite();
            assertThat(tail.weight()).isEqualTo(32);
            assertThat(tail.isWished(Wish.PAUSE)).isTrue();
        }
    }

    @Test
    @Tag("unit")
    void shouldNameARankWhoseGradientAloneIsNotFinite() {
        double[] sum = new double[2 * Tail.FIELDS];
        add(sum, 0, 1, 8, 1, 0);
        add(sum, 1, 1, 8, Double.POSITIVE_INFINITY, 0);
        Tail tail = new Tail(DoubleBuffer.wrap(sum), 2);
        assertThat(tail.firstUnsoundRank()).isEqualTo(1);
    }

    @Test
    @Tag("unit")
    void shouldClearWhatTheStepBeforeLeft() {
        double[] memory = new double[3 * Tail.FIELDS];
        Arrays.fill(memory, 7);
        new Tail(DoubleBuffer.wrap(memory), 3).write(1, 0, 0, 0, 0);
        assertThat(memory).containsOnly(0, 1);
        assertThat(LongStream.range(0, memory.length).filter(i -> memory[(int) i] == 1)).hasSize(1);
    }

    @Test
    @Tag("unit")
    void wishesShouldHaveBitsOfTheirOwn() {
        int all = 0;
        for (Wish wish : Wish.values()) {
            assertThat(Integer.bitCount(Tail.bit(wish))).isEqualTo(1);
            assertThat(all & Tail.bit(wish)).isZero();
            all |= Tail.bit(wish);
        }
    }

    /** What the exchange does with the slot that a rank writes. */
    private static void add(
            double[] sum, int rank, double loss, double weight, double norm, int wishes) {
        double[] mine = new double[sum.length];
        new Tail(DoubleBuffer.wrap(mine), sum.length / Tail.FIELDS)
                .write(rank, loss, weight, norm, wishes);
        for (int i = 0; i < sum.length; i++) {
            sum[i] += mine[i];
        }
    }
}
