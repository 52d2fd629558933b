package dev.medley.serving.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A window holds what ended in it, and requests that hang are seen before they end. */
@Tag("unit")
class VersionCountTest {
    private static final long SECOND = 1_000_000_000L;

    private static VersionCount warm() {
        VersionCount count = new VersionCount(new KeyWeights(0.5));
        for (int i = 0; i < 8; i++) {
            count.begin("k", 0).answered(SECOND);
        }
        assertThat(count.take(0).latenciesNs()).as("warming up").isEmpty();
        return count;
    }

    @Test
    void shouldSeeARequestThatHangsOnceAndBeforeItEnds() {
        VersionCount count = warm();
        VersionCount.Request hangs = count.begin("hangs", 0);
        assertThat(count.take(SECOND).latenciesNs()).isEmpty();
        assertThat(count.take(2 * SECOND).latenciesNs()).containsExactly(2 * SECOND);
        assertThat(count.take(3 * SECOND).latenciesNs()).isEmpty();
        hangs.answered(9 * SECOND);
        VersionWindow last = count.take(9 * SECOND);
        assertThat(last.latenciesNs()).isEmpty();
        assertThat(last.requests()).isEqualTo(1);
    }

    @Test
    void failuresOfOneKeyShouldCountOnceWhoeverIsToBlame() {
        VersionCount count = new VersionCount(new KeyWeights(0.5));
        for (int i = 0; i < 40; i++) {
            count.begin("broken caller", 0).failed();
            count.begin("heavy caller", 0).answered(SECOND);
            count.begin("request " + i, 0).failed();
        }
        VersionWindow window = count.take(0);
        assertThat(window.errors()).isEqualTo(1 + 40);
        assertThat(window.requests()).isEqualTo(1 + 40 + KeyWeights.MOST_SUCCESSES);
        assertThat(count.errors()).isEqualTo(80);
        assertThat(count.requests()).isEqualTo(120);
    }

    @Test
    void latenciesOfOneKeyShouldCountInAFewWindowsAlone() {
        VersionCount count = warm();
        int timed = 0;
        for (int window = 0; window < 500; window++) {
            for (int i = 0; i < 10; i++) {
                count.begin("heavy caller", 0).answered(SECOND);
            }
            int now = count.take(0).latenciesNs().length;
            assertThat(now).isLessThanOrEqualTo(1);
            timed += now;
        }
        assertThat(timed).isEqualTo(KeyWeights.MOST_LATENCIES);
    }

    /** Of a request under way nobody knows how slow it is; one that ended says so. */
    @Test
    void longAnswersShouldCountAsLongAsTheyWere() {
        VersionCount count = warm();
        count.begin("long", 0).answered(30 * SECOND);
        assertThat(count.take(30 * SECOND).latenciesNs()).containsExactly(30 * SECOND);
        assertThat(LatencyScale.forgiven(SECOND)).isLessThan(SECOND);
        assertThat(LatencyScale.forgiven(2 * SECOND)).isEqualTo(2 * SECOND);
    }

    /** The version with most requests has seen most keys, and its errors count on all the same. */
    @Test
    void errorsOfManyKeysShouldCountOn() {
        VersionCount count = new VersionCount(new KeyWeights(0.5));
        int keys = 30_000;
        for (int i = 0; i < keys; i++) {
            count.begin("caller " + i, 0).failed();
        }
        assertThat(count.take(0).errors()).isEqualTo(keys);
    }

    @Test
    void aRequestShouldEndOnce() {
        VersionCount count = warm();
        VersionCount.Request request = count.begin("k", 0);
        request.answered(3);
        request.failed(); // The caller has gone.
        VersionWindow window = count.take(5);
        assertThat(window.requests()).isEqualTo(1);
        assertThat(window.errors()).isZero();
        assertThat(window.latenciesNs()).containsExactly(3);
    }
}
