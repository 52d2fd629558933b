package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ViewMakerTest {
    /** Long enough for several rounds of asking who reaches whom. */
    @Test
    void groupsInVainShouldFollowEachOtherSlowly() {
        assertThat(IntStream.range(0, 7).mapToLong(ViewMaker::pauseNs))
                .containsExactly(
                        0L,
                        0L,
                        250_000_000L,
                        500_000_000L,
                        1_000_000_000L,
                        1_000_000_000L,
                        1_000_000_000L);
        long all =
                IntStream.rangeClosed(0, ViewMaker.MOST_FRUITLESS_GROUPS)
                        .mapToLong(ViewMaker::pauseNs)
                        .sum();
        assertThat(all).isGreaterThan(15_000_000_000L);
    }
}
