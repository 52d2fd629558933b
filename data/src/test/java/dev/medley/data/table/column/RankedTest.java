package dev.medley.data.table.column;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a row of a ranking needs, one row at a time. */
@Tag("unit")
class RankedTest {
    @Test
    void gradesShouldBeWholeNumbersUpToTheHighest() {
        for (double grade : new double[] {0, 1, 31}) {
            assertThat(Ranked.trouble(grade, "g")).isNull();
        }
        assertThat(Ranked.trouble(32, "g"))
                .startsWith("the grade 32.0 is above 31: what a row gains");
        for (double grade : new double[] {-1, 0.5, Double.NaN}) {
            assertThat(Ranked.trouble(grade, "g"))
                    .isEqualTo("the grade %s is no whole number of 0 or more".formatted(grade));
        }
    }

    @Test
    void aRowWithoutAGroupShouldBeTold() {
        assertThat(Ranked.trouble(1, null)).startsWith("the group is missing");
    }
}
