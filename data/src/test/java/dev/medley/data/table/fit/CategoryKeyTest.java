package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.data.table.csv.DecimalMark;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a number, in values and in the line of names. */
@Tag("unit")
class CategoryKeyTest {
    @Test
    void aNumberOfMoreDigitsThanAnyIsMeantWithShouldBeAText() {
        String zeros = "1" + "0".repeat(1_900_000);
        assertThat(CategoryKey.of(zeros, DecimalMark.POINT)).isEqualTo(zeros);
        assertThat(CategoryKey.isWhole(zeros, DecimalMark.POINT)).isFalse();
        assertThat(CategoryKey.of("1" + "0".repeat(30), DecimalMark.POINT))
                .isEqualTo(CategoryKey.of("1e30", DecimalMark.POINT));
    }

    @ParameterizedTest
    @CsvSource({
        "5d, false",
        "3F, false",
        "0x1p3, false",
        "'', false",
        "-, false",
        "1e5, true",
        "-.5, true",
        "+7., true",
        "NaN, true",
        "12, true"
    })
    void theLineOfNamesShouldHaveNoNumbersButThoseOfFiles(String text, boolean isNumber) {
        assertThat(DecimalMark.POINT.isNumber(text)).isEqualTo(isNumber);
    }
}
