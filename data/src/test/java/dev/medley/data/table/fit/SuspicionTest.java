package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.table.column.ColumnForm;
import dev.medley.data.table.column.StagedTable.Column;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is suspected at a border, and what one beyond it. */
@Tag("unit")
class SuspicionTest {
    private static final ColumnForm NUMBER = ColumnForm.number(Source.NUMBER);

    private static Suspicion of(
            String name, ColumnForm form, long rows, long values, long distinct) {
        Column column = new Column(name, form, "t", "t", true);
        return new Suspicion(
                column, rows, values, distinct, form.equals(NUMBER), false, 0, 0, false);
    }

    private static Suspicion between(boolean isWhole, long least, long most) {
        Column column = new Column("day", NUMBER, "t", "t", true);
        return new Suspicion(column, 9, 9, 9, isWhole, false, least, most, false);
    }

    @ParameterizedTest
    @CsvSource({"201, 101, true", "202, 101, false", "150, 100, false", "150, 101, true"})
    void moreThanHalfAndMoreThanAHundredTextsShouldNameRows(long rows, long distinct, boolean is) {
        assertThat(of("c", ColumnForm.TEXT, rows, rows, distinct).isTextIdentifier()).isEqualTo(is);
        assertThat(of("c", NUMBER, rows, rows, distinct).isTextIdentifier()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "customer_id, 220, 191, true",
        "customer_id, 220, 189, false",
        "customer_id, 100, 100, true",
        "customer_id, 99, 99, false",
        "userId, 100, 100, true",
        "ID, 100, 100, true",
        "order number, 100, 100, true",
        "Row, 100, 100, true",
        "paid, 100, 100, false",
        "idle, 100, 100, false",
        "numbers, 100, 100, false"
    })
    void numbersThatHardlyRepeatShouldNameRowsIfTheyAreCalledSo(
            String name, long values, long distinct, boolean is) {
        assertThat(of(name, NUMBER, 1000, values, distinct).isNumberIdentifier()).isEqualTo(is);
        assertThat(of(name, ColumnForm.TEXT, 1000, values, distinct).isNumberIdentifier())
                .isFalse();
    }

    @Test
    void numbersThatCountRowsShouldNameThemWhateverTheyAreCalled() {
        Column column = new Column("size", NUMBER, "t", "t", true);
        Suspicion counting = new Suspicion(column, 9, 9, 9, true, true, 1, 9, false);
        assertThat(counting.isNumberIdentifier()).isTrue();
        assertThat(counting.whyIdentifier()).isEqualTo("its numbers count the rows, each once");
    }

    @Test
    void theFirstColumnWithoutANameShouldBeAnIndexIfItsValuesDiffer() {
        String name = "Unnamed: 0";
        assertThat(of(name, NUMBER, 220, 3, 1).isIndex()).isTrue();
        assertThat(of("Unnamed: 1", NUMBER, 220, 220, 220).isIndex()).isFalse();
        assertThat(of(name, ColumnForm.TEXT, 220, 220, 191).isIndex()).isTrue();
        assertThat(of(name, ColumnForm.TEXT, 220, 220, 189).isIndex()).isFalse();
        assertThat(of(name, ColumnForm.TEXT, 220, 219, 219).isIndex()).isFalse();
    }

    @Test
    void datesShouldLieBetweenTwoCenturies() {
        assertThat(between(true, 19000101, 21001231).mayBeDates()).isTrue();
        assertThat(between(true, 19000100, 21001231).mayBeDates()).isFalse();
        assertThat(between(true, 19000101, 21001232).mayBeDates()).isFalse();
        assertThat(between(true, 20240101, 20240101).mayBeDates()).isFalse();
        assertThat(between(false, 19000101, 21001231).mayBeDates()).isFalse();
    }
}
