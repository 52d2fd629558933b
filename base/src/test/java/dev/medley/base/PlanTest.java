package dev.medley.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sharesShouldCutEveryStepWithoutGapOrOverlap(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Integer> shares = new ArrayList<>();
        for (int rank = 0; rank < 5; rank++) {
            shares.add(random.nextInt(40));
        }
        shares.add(1 + random.nextInt(40));
        Plan plan = new Plan(1, shares, 64, "test");
        long samples = 1L + random.nextInt(plan.globalBatch());
        long at = 0;
        for (int rank = 0; rank < shares.size(); rank++) {
            assertThat(plan.shareStart(rank, samples)).isEqualTo(at);
            at = plan.shareEnd(rank, samples);
        }
        assertThat(at).isEqualTo(samples);
    }

    @Test
    @Tag("unit")
    void cursorShouldFollowFromTheStep() {
        Cursor cursor = Cursor.START;
        for (long step = 1; step <= 25; step++) {
            assertThat(Cursor.beforeStep(step, 32, 100)).isEqualTo(cursor);
            cursor = cursor.afterStep(32, 100);
        }
        assertThat(cursor).isEqualTo(new Cursor(6, 32));
    }
}
