package dev.medley.training.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BucketRangesTest {
    private static final int LINE_FLOATS = 16;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldCoverAllGradientsFromTheLastLayerToTheFirst(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        ElementType type = random.nextBoolean() ? ElementType.FLOAT32 : ElementType.FLOAT64;
        ParameterLayout layout = layout(random, type);
        long wanted = 1L << random.nextInt(16);
        List<BucketRanges.Range> ranges = BucketRanges.of(layout, wanted);
        long endBytes = layout.gradientBytes();
        int endSlot = layout.slots().size();
        for (BucketRanges.Range range : ranges) {
            assertThat(range.offsetBytes() + range.bytes()).isEqualTo(endBytes);
            assertThat(range.endSlot()).isEqualTo(endSlot);
            assertThat(range.slots()).isPositive();
            assertThat(range.offsetBytes())
                    .isEqualTo(layout.slots().get(range.firstSlot()).offset() * type.bytes());
            endBytes = range.offsetBytes();
            endSlot = range.firstSlot();
        }
        assertThat(endBytes).isZero();
        assertThat(endSlot).isZero();
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldReachTheWantedSizeAndEndThere(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        ParameterLayout layout = layout(random, ElementType.FLOAT32);
        long wanted = 1L << random.nextInt(16);
        List<BucketRanges.Range> ranges = BucketRanges.of(layout, wanted);
        for (BucketRanges.Range range : ranges.subList(0, ranges.size() - 1)) {
            assertThat(range.bytes()).isGreaterThanOrEqualTo(wanted);
            int second = range.firstSlot() + 1;
            if (second < range.endSlot()) {
                long without =
                        range.bytes()
                                - 4 * layout.slots().get(second).offset()
                                + range.offsetBytes();
                assertThat(without).as("without its last parameter").isLessThan(wanted);
            }
        }
    }

    @Test
    @Tag("unit")
    void shouldMakeOneBucketOfASmallModelAndNoneOfAnEmptyOne() {
        ParameterLayout layout = layout(Seeds.generator(1), ElementType.FLOAT32);
        assertThat(BucketRanges.of(layout, Long.MAX_VALUE)).hasSize(1);
        ParameterLayout none = new ParameterLayout(ElementType.FLOAT32, List.of(), List.of());
        assertThat(BucketRanges.of(none, 1024)).isEmpty();
    }

    private static ParameterLayout layout(RandomGenerator random, ElementType type) {
        List<Slot> slots = new ArrayList<>();
        long offset = 0;
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            long length = 1L + random.nextInt(random.nextBoolean() ? 20 : 5000);
            slots.add(
                    new Slot(
                            "p" + i,
                            List.of(length),
                            Slot.MemoryOrder.ROW_MAJOR,
                            offset,
                            random.nextBoolean()));
            offset = (offset + length + LINE_FLOATS - 1) / LINE_FLOATS * LINE_FLOATS;
        }
        return new ParameterLayout(type, slots, List.of());
    }

    @Test
    void shouldCutSmallModelsIntoSeveralBucketsAndLargeOnesByTheLimit() {
        long limit = 4 << 20;
        assertThat(BucketRanges.size(100 << 20, limit)).isEqualTo(limit);
        assertThat(BucketRanges.size(2 << 20, limit)).isEqualTo(512 << 10);
        assertThat(BucketRanges.size(100 << 10, limit)).isEqualTo(256 << 10);
        assertThat(BucketRanges.size(2 << 20, 1024)).isEqualTo(1024);
    }
}
