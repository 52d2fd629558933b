package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.Dates;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What dates show of their order goes before what the job says of it. */
@Tag("unit")
class DateOrdersTest {
    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource(names = {"DAY_FIRST", "MONTH_FIRST"})
    void datesThatProveTheirOrderShouldBeReadSoWhateverTheJobSays(Dates asked) throws IOException {
        StringBuilder text = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 40; i++) {
            LocalDate day = LocalDate.of(2024, 1, 1).plusDays(9L * i);
            text.append(DateTimeFormatter.ofPattern("dd/MM/yyyy,MM/dd/yyyy").format(day))
                    .append(i % 2 == 0 ? ",p\n" : ",q\n");
        }
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        Given given = Given.files(file).label("y").dates(asked);
        PreparedData read = new GivenEncoding(folder.resolve("cache")).prepare(given);
        assertThat(((TableEncoding) read.encoding()).columns())
                .extracting(c -> c instanceof Moment m ? m.dates() : "text")
                .containsExactly("%d/%m/%Y", "%m/%d/%Y");
        assertThat(read.findings().warnings())
                .singleElement()
                .asString()
                .contains(
                        asked == Dates.DAY_FIRST ? "'b'" : "'a'",
                        "data.table.dates says",
                        "values above 12 are days");
    }
}
