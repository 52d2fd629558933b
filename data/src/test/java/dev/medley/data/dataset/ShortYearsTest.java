package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Years of two digits that are read as years to come are not so without a word. */
@Tag("unit")
class ShortYearsTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "12/31/98 3/15/45 1/5/02 7/14/68, 7/14/68, 2068",
        "31.12.98 15.3.61 1.5.02, 15.3.61, 2061",
        "12/31/60 3/15/65, 3/15/65, 2065",
        "12/31/98 2060-01-01 3/15/45 1/13/02 1/14/02 1/15/03, 3/15/45, 2045"
    })
    void birthsThatAreReadAsToComeShouldBeAWarning(String dates, String text, int year)
            throws IOException {
        assertThat(warnings(dates))
                .containsExactly(
                        "column 'd': its years have two digits, of which 69 to 99 are read as 1969"
                                + " to 1999 and others as 2000 to 2068: "
                                + text
                                + " is read as a day of "
                                + year
                                + "; write four digits if that is not meant");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1/15/24 2/16/23 3/17/22",
                "12/31/98 3/15/99 1/5/02",
                "12/31/1998 3/15/2045",
                "12/31/98 2060-01-01 3/15/99 1/13/02 1/14/02 1/15/03"
            })
    void otherDatesShouldNotBe(String dates) throws IOException {
        assertThat(warnings(dates)).isEmpty();
    }

    @Test
    void aColumnWithoutAnOrderShouldSayItsOrderAlone() throws IOException {
        assertThat(warnings("1/5/24"))
                .singleElement()
                .asString()
                .contains("its dates may be meant another way");
    }

    private List<String> warnings(String dates) throws IOException {
        String[] each = dates.split(" ");
        StringBuilder text = new StringBuilder("d,x,y\n");
        for (int i = 0; i < 60; i++) {
            text.append(each[i % each.length]).append(',').append(i % 7);
            text.append(i % 2 == 0 ? ",A\n" : ",B\n");
        }
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        PreparedData read =
                new GivenEncoding(folder.resolve("cache")).prepare(Given.files(file).label("y"));
        assertThat(Datasets.describe(file).findings()).containsAll(read.findings().warnings());
        return read.findings().warnings();
    }
}
