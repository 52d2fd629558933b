package dev.medley.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSizesTest {
    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void everySampleShouldBeTakenOnceAnEpochWhateverTheSizes(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        long samples = 1L + random.nextInt(200);
        BatchSizes sizes = BatchSizes.of(1 + random.nextInt(40));
        for (int i = random.nextInt(6), step = 1; i > 0; i--) {
            step += random.nextInt(30);
            sizes = sizes.from(step, 1 + random.nextInt(300));
        }
        Cursor cursor = Cursor.START;
        for (long step = 1; step <= 400; step++) {
            assertThat(sizes.before(step, samples)).isEqualTo(cursor);
            long taken = sizes.samples(step, samples);
            assertThat(taken).isBetween(1L, samples - cursor.position());
            for (long i = 0; i < taken; i++) {
                Cursor sample = new Cursor(cursor.epoch(), cursor.position() + i);
                assertThat(sizes.stepOf(sample, samples)).isEqualTo(step);
            }
            long next = cursor.position() + taken;
            cursor =
                    next == samples
                            ? new Cursor(cursor.epoch() + 1, 0)
                            : new Cursor(cursor.epoch(), next);
        }
    }

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4})
    void aSizeThatNeverChangesShouldCountAsBefore(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int batch = 1 + random.nextInt(50);
        long samples = 1L + random.nextInt(300);
        for (long step = 1; step <= 100; step++) {
            assertThat(BatchSizes.of(batch).before(step, samples))
                    .isEqualTo(Cursor.beforeStep(step, batch, samples));
        }
    }

    @Test
    @Tag("unit")
    void aLaterWordShouldHoldAndWhatWasSaidOfLaterStepsIsVoid() {
        BatchSizes sizes = BatchSizes.of(8).from(5, 16).from(9, 32).from(7, 64);
        assertThat(sizes.changes())
                .containsExactly(
                        new BatchSizes.Change(1, 8),
                        new BatchSizes.Change(5, 16),
                        new BatchSizes.Change(7, 64));
        assertThat(sizes.from(7, 16)).isEqualTo(BatchSizes.of(8).from(5, 16));
        assertThat(sizes.from(1, 3)).isEqualTo(BatchSizes.of(3));
        assertThat(Json.parse(Json.line(sizes), BatchSizes.class)).isEqualTo(sizes);
        assertThatThrownBy(() -> new BatchSizes(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
