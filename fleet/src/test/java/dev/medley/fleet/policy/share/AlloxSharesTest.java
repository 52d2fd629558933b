package dev.medley.fleet.policy.share;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class AlloxSharesTest {
    /** With all places that there are, 2,048 jobs on 108 machines were 3.6 GB of costs. */
    @Test
    void placesShouldBeNoMoreThanJobsCanFill() {
        assertThat(AlloxShares.places(new int[] {36, 36, 36}, 2048)).hasSize(3 * 57 * 36);
        assertThat(AlloxShares.places(new int[] {1000, 0, 2000}, 2048))
                .hasSize(3 * 1000 + 2 * 2000);
        assertThat(AlloxShares.places(new int[] {3, 1}, 2)).hasSize(2 + 2);
        assertThat(AlloxShares.places(new int[] {0, 0}, 5)).isEmpty();
    }
}
