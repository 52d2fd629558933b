package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.data.encoding.ColumnEncoding.Moment;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Days are scaled; years, weeks and days are circles. */
@Tag("unit")
class DateFeaturesTest {
    private static final int BEFORE = 2;
    private static final float UNTOUCHED = 77;

    @Test
    void aMomentShouldBeItsDaysAndItsPlacesOnThreeCircles() {
        float[] into = put(moment(true, false), "2024-07-04T18:00:00");
        double year = 2 * Math.PI * 185 / 366; // Of a leap year.
        double week = 2 * Math.PI * 3 / 7; // A Thursday; Monday is the first day.
        double day = 2 * Math.PI * 0.75;
        assertFeatures(
                into,
                (19_908.75 - 19_000) / 500,
                Math.sin(year),
                Math.cos(year),
                Math.sin(week),
                Math.cos(week),
                Math.sin(day),
                Math.cos(day));
    }

    @Test
    void aDateShouldHaveNoTimeOfDay() {
        float[] into = put(moment(false, false), "1969-12-29T00:00:00");
        double year = 2 * Math.PI * 362 / 365;
        assertFeatures(into, (-3.0 - 19_000) / 500, Math.sin(year), Math.cos(year), 0, 1);
    }

    @Test
    void whatIsMissingShouldBeTheCentreAndNoPlaceOrNoNumber() {
        assertFeatures(put(moment(true, false), null), 0, 0, 0, 0, 0, 0, 0);
        assertFeatures(put(moment(false, false), null), 0, 0, 0, 0, 0);
        double n = Double.NaN;
        assertFeatures(put(moment(true, true), null), n, n, n, n, n, n, n);
    }

    private static Moment moment(boolean hasTime, boolean keepsMissing) {
        return new Moment(
                "at", "%Y-%m-%d", hasTime, 19_000, 500, 0, false, keepsMissing, List.of());
    }

    private static float[] put(Moment moment, String time) {
        double seconds =
                time == null ? Double.NaN : LocalDateTime.parse(time).toEpochSecond(ZoneOffset.UTC);
        float[] into = new float[BEFORE + 8];
        Arrays.fill(into, UNTOUCHED);
        int end = DateFeatures.put(moment, seconds, into, BEFORE);
        assertThat(into).startsWith(UNTOUCHED, UNTOUCHED);
        for (int i = end; i < into.length; i++) {
            assertThat(into[i]).isEqualTo(UNTOUCHED);
        }
        return Arrays.copyOfRange(into, BEFORE, end);
    }

    private static void assertFeatures(float[] found, double... expected) {
        assertThat(found).hasSize(expected.length);
        for (int i = 0; i < found.length; i++) {
            if (Double.isNaN(expected[i])) {
                assertThat(found[i]).as("feature %d", i).isNaN();
            } else {
                assertThat((double) found[i])
                        .as("feature %d", i)
                        .isCloseTo(expected[i], within(1e-6));
            }
        }
    }
}
