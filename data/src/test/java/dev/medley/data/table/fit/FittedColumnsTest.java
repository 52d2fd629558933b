package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.csv.DecimalMark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a column tells decides whether it stays: gaps tell something, too. */
@Tag("unit")
class FittedColumnsTest {
    @TempDir Path folder;

    @Test
    void oneValueAmongGapsShouldStayAndOneEverywhereGo() throws Exception {
        List<String> lines = new ArrayList<>(List.of("x,gaps,same,empty,c,y"));
        for (int i = 0; i < 40; i++) {
            lines.add(
                    "%d.5,%s,3,,%s,%s"
                            .formatted(
                                    i % 7,
                                    i < 25 ? "5" : "",
                                    i < 9 ? "" : i % 3 == 0 ? "u" : "v",
                                    i % 2 == 0 ? "a" : "b"));
        }
        PreparedData data =
                new GivenEncoding(folder.resolve("cache"))
                        .prepare(
                                Given.files(Files.write(folder.resolve("t.csv"), lines))
                                        .label("y")
                                        .split(new SplitSpec(SplitKind.RANDOM, 0, null)));
        TableEncoding encoding = (TableEncoding) data.encoding();
        assertThat(encoding.columns().stream().map(ColumnEncoding::name))
                .containsExactly("x", "gaps", "c");
        assertThat(((Numeric) encoding.columns().get(0)).missingIndicator()).isFalse();
        assertThat(((Numeric) encoding.columns().get(1)).missingIndicator()).isTrue();
        String told = String.join("\n", data.findings().sentences());
        assertThat(told)
                .contains("column 'same' is left out: it has one value in all training rows")
                .contains("column 'empty' is left out")
                .contains("gaps (15)", "c (9)");
    }

    /** A model of files with a decimal comma reads later ones so, whatever the job says. */
    @Test
    void theMarkOfTrainingShouldBeThatOfLaterFiles() {
        CsvReading comma = new CsvReading(";", true, ",", 0);
        CsvReading point = new CsvReading(",", true, ".", 0);
        TableSpec spec = TableSpec.defaults();
        assertThat(DecimalMark.of(DataFormat.CSV, spec, comma)).isEqualTo(DecimalMark.COMMA);
        assertThat(DecimalMark.of(DataFormat.CSV, spec, point)).isEqualTo(DecimalMark.POINT);
        assertThat(DecimalMark.of(DataFormat.CSV, spec, null)).isEqualTo(DecimalMark.POINT);
        assertThat(DecimalMark.of(DataFormat.PARQUET, spec, comma)).isEqualTo(DecimalMark.POINT);
    }
}
