package dev.medley.data.table.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names of columns as pandas makes them, and the values of a line. */
@Tag("unit")
class ColumnNamesTest {
    @Test
    void everyColumnShouldHaveANameOfItsOwn() {
        ColumnNames names =
                ColumnNames.of(List.of(" a ", "b", "a", "", "a.1", "b", "Unnamed: 3", "b", "A"));
        assertThat(names.names())
                .containsExactly(
                        "a", "b", "a.2", "Unnamed: 3.1", "a.1", "b.1", "Unnamed: 3", "b.2", "A");
        assertThat(names.notes())
                .containsExactly(
                        "the name 'a' stands at several columns: column 3 is called 'a.2'",
                        "column 4 has no name and is called 'Unnamed: 3.1'",
                        "the name 'b' stands at several columns: column 6 is called 'b.1'",
                        "the name 'b' stands at several columns: column 8 is called 'b.2'");
        assertThat(ColumnNames.of(List.of("", "x")).names()).containsExactly("Unnamed: 0", "x");
    }

    @Test
    void delimitersBetweenQuotationMarksShouldNotCount() {
        assertThat(CsvDialect.split("a,b,,c", ",")).containsExactly("a", "b", "", "c");
        assertThat(CsvDialect.split("\"a,b\",c\"d,\"e", ",")).containsExactly("a,b", "c\"d", "e");
        assertThat(CsvDialect.split("\"say \"\"x\"\"\",1", ",")).containsExactly("say \"x\"", "1");
        assertThat(CsvDialect.split("\"\",\"\"\"\"", ",")).containsExactly("", "\"");
        assertThat(CsvDialect.split("a, \"b,c\",d", ",")).containsExactly("a", " b,c", "d");
        assertThat(CsvDialect.split("a||b||c|d", "||")).containsExactly("a", "b", "c|d");
        assertThat(CsvDialect.split("", ",")).containsExactly("");
        assertThat(CsvDialect.split(",", ",")).containsExactly("", "");
    }
}
