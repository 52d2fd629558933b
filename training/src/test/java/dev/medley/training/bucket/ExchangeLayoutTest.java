package dev.medley.training.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class ExchangeLayoutTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void regionsShouldFollowEachOtherOnLinesOfTheirOwn(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        ExchangeLayout layout =
                new ExchangeLayout(
                        ElementType.FLOAT32,
                        random.nextLong(5L << 30),
                        random.nextInt(2) * random.nextLong(5000),
                        1 + random.nextInt(9),
                        random.nextInt(2) * random.nextLong(5000),
                        random.nextInt(2) * random.nextInt(9),
                        random.nextInt(2) * random.nextLong(5000),
                        random.nextInt(2) * random.nextLong(5000),
                        random.nextInt(2) * ExchangeLayout.WEIGHT_BYTES,
                        random.nextInt(2) * random.nextLong(5000));
        long[] begin = {
            0,
            layout.bufferOffset(),
            layout.tailOffset(),
            layout.evaluationOffset(),
            layout.fragmentOffset(0),
            layout.factorOffset(),
            layout.tableOffset(),
            layout.weightOffset(),
            layout.ownOffset(),
            layout.bytes()
        };
        long[] bytes = {
            layout.gradientBytes(),
            layout.bufferBytes(),
            layout.ranks() * 5L * Double.BYTES,
            layout.evaluationValues() * Double.BYTES,
            layout.fragments() * layout.fragmentBytes(),
            layout.factorBytes(),
            layout.tableBytes(),
            layout.weightBytes(),
            layout.ownBytes()
        };
        for (int region = 0; region < bytes.length; region++) {
            assertThat(begin[region] % 64).isZero();
            assertThat(begin[region + 1])
                    .isBetween(begin[region] + bytes[region], begin[region] + bytes[region] + 63);
        }
    }
}
