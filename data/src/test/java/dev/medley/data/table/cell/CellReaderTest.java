package dev.medley.data.table.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.TableEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A text is read as a file's scan reads it. */
@Tag("unit")
class CellReaderTest {
    private static final Dense PLAIN = new Numeric("plain", Source.NUMBER, 0, 1, 0, false);
    private static final Dense GROUPED = new Numeric("grouped", Source.THOUSANDS, 0, 1, 0, false);
    private static final Dense TIME = new Numeric("time", Source.TIME, 0, 1, 0, false);
    private static final Dense FLAG = new Numeric("flag", Source.BOOLEAN, 0, 1, 0, false);
    private static final Dense DAY = new Moment("day", "%d/%m/%Y", false, 0, 1, 0, false);

    private static CellReader reader(String decimal) {
        return new CellReader(
                new TableEncoding(
                        List.of(PLAIN, GROUPED, TIME, FLAG, DAY),
                        LabelEncoding.NONE,
                        List.of("NA", "-999"),
                        new CsvReading(",", true, decimal, 0)));
    }

    @Test
    void shouldReadEachColumnInItsForm() {
        try (CellReader cells = reader(".")) {
            assertThat(cells.number(PLAIN, " 1.5e3 ")).isEqualTo(1500);
            assertThat(cells.number(PLAIN, "1_000")).isNull();
            assertThat(cells.number(PLAIN, "1,000")).isNull();
            assertThat(cells.number(GROUPED, "1,000")).isEqualTo(1000);
            assertThat(cells.number(GROUPED, "0,125")).isNull();
            assertThat(cells.number(TIME, "01:30")).isEqualTo(5400);
            assertThat(cells.number(TIME, "25:30")).isNull();
            assertThat(cells.number(FLAG, "Yes")).isEqualTo(1);
            assertThat(cells.number(FLAG, "off")).isZero();
            assertThat(cells.number(FLAG, "maybe")).isNull();
            assertThat(cells.number(DAY, "02/01/1970")).isEqualTo(86_400);
            assertThat(cells.number(DAY, "1970-01-03T00:00:01")).isEqualTo(172_801);
            assertThat(cells.number(DAY, "soon'; DROP TABLE x; --")).isNull();
            assertThat(cells.isNot(DAY)).isEqualTo("is not a date as %d/%m/%Y");
            for (int i = 0; i < 3; i++) { // Remembered, and still the same.
                assertThat(cells.number(DAY, "02/01/1970")).isEqualTo(86_400);
                assertThat(cells.number(DAY, "soon")).isNull();
            }
        }
    }

    @Test
    void manyTextsShouldMeanTogetherWhatTheyMeanAlone() {
        List<String> texts =
                new ArrayList<>(List.of("soon", "a'; --", "\0", "\ud800", "1970-01-03T00:00:01"));
        for (int i = 0; i < 6000; i++) { // More than are remembered.
            texts.add(" %02d/%02d/%d ".formatted(1 + i % 28, 1 + i / 28 % 12, 1970 + i / 336));
        }
        texts.add("x".repeat(100));
        texts.add(null);
        try (CellReader together = reader(".");
                CellReader alone = reader(".")) {
            for (Dense column : List.of(DAY, TIME, GROUPED)) {
                Map<String, Double> known = together.ask(column, texts);
                for (String text : texts) {
                    assertThat(together.number(column, text, known))
                            .as("%s: %s", column.name(), text)
                            .isEqualTo(alone.number(column, text));
                }
            }
        }
    }

    /** As in files: NaN is no value in every spelling or in none. */
    @Test
    void nanShouldMeanNoValueHoweverItIsWritten() {
        TableEncoding encoding =
                new TableEncoding(List.of(PLAIN), LabelEncoding.NONE, List.of(" nan"), null);
        try (CellReader cells = new CellReader(encoding)) {
            for (String text : List.of("nan", "NaN", " NAN ")) {
                assertThat(cells.number(PLAIN, text)).as(text).isNaN();
            }
            assertThat(cells.number(PLAIN, "none")).isNull();
        }
    }

    @Test
    void shouldKnowWhatMeansNoValue() {
        try (CellReader cells = reader(".")) {
            assertThat(cells.number(PLAIN, null)).isNaN();
            assertThat(cells.number(PLAIN, "")).isNaN();
            assertThat(cells.number(PLAIN, " NA ")).isNaN();
            assertThat(cells.number(DAY, "NA")).isNaN();
            assertThat(cells.number(PLAIN, "-999")).isNaN();
            assertThat(cells.number(-999)).isNaN();
            assertThat(cells.number(-998)).isEqualTo(-998);
            assertThat(cells.text("NA")).isNull();
            assertThat(cells.text(" red ")).isEqualTo("red");
            assertThat(cells.text("\u00a0\u2007red\u3000")).isEqualTo("red");
            assertThat(cells.text("red\t")).as("no space to DuckDB").isEqualTo("red\t");
            assertThat(cells.number(PLAIN, "nan")).as("no word for none").isNull();
        }
    }

    @Test
    void shouldReadADecimalComma() {
        try (CellReader cells = reader(",")) {
            assertThat(cells.number(PLAIN, "1,5")).isEqualTo(1.5);
            assertThat(cells.number(PLAIN, "1.5")).isNull();
        }
    }
}
