package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.encoding.SparseColumn.Words;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
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

    @Test
    void yesAndNoShouldBeANumberAndDaysBeCountedAsDays() throws Exception {
        List<String> lines = new ArrayList<>(List.of("flag,day,t,y"));
        for (int i = 0; i < 2048; i++) {
            lines.add(
                    "%s,2024-01-0%d,word%s,%d"
                            .formatted(
                                    i % 3 == 0 ? "yes" : i % 3 == 1 ? "no" : "",
                                    1 + i % 2 * 2,
                                    "abc".charAt(i % 3),
                                    i % 5));
        }
        TableEncoding encoding =
                encoding(
                        Given.files(Files.write(folder.resolve("t.csv"), lines))
                                .terms(new TermSpec(1, 0, List.of("t"), List.of(), 10, 5, true)));
        assertThat(((Numeric) encoding.columns().get(0)).source()).isEqualTo(Source.BOOLEAN);
        assertThat(((Moment) encoding.columns().get(1)).scaling().centre())
                .isBetween(19_723.0, 19_725.0);
        assertThat(((Moment) encoding.columns().get(1)).scaling().scale()).isBetween(0.5, 3.0);
        assertThat(((Words) encoding.columns().get(2)).vocabulary())
                .containsExactlyInAnyOrder("worda", "wordb", "wordc");
    }

    @Test
    void whatTheJobCallsMissingShouldBeSo() throws Exception {
        List<String> lines = new ArrayList<>(List.of("x,y"));
        for (int i = 0; i < 40; i++) {
            lines.add((i < 20 ? "-" : i % 7) + "," + i % 2);
        }
        TableSpec spec =
                new TableSpec(
                        null, null, ".", List.of("-"), List.of(), List.of(), 50, BadRows.FAIL);
        Path file = Files.write(folder.resolve("t.csv"), lines);
        TableEncoding encoding = encoding(Given.files(file).table(spec));
        assertThat(((Numeric) encoding.columns().get(0)).missingIndicator()).isTrue();
    }

    /** Of files whose columns have types: numbers of all of them, and times of a day as seconds. */
    @Test
    void typedNumbersShouldKeepTheirValues() throws Exception {
        Path file = folder.resolve("t.parquet");
        try (DuckDb db = DuckDb.forFiles(List.of(), folder.resolve("db"))) {
            db.execute(
                    ("COPY (SELECT i::INTEGER AS n, TIME '01:00:00' + INTERVAL (i) SECOND AS t,"
                                    + " i %% 2 = 0 AS y FROM range(41) r(i)) TO '%s'")
                            .formatted(file));
        }
        TableEncoding encoding = encoding(Given.files(file).standard());
        assertThat(((Numeric) encoding.columns().get(0)).centre()).isEqualTo(20);
        assertThat(((Numeric) encoding.columns().get(1)).centre()).isEqualTo(3620);
    }

    private TableEncoding encoding(Given given) throws Exception {
        SplitSpec all = new SplitSpec(SplitKind.RANDOM, 0, null);
        GivenEncoding data = new GivenEncoding(folder.resolve("cache"));
        return (TableEncoding) data.prepare(given.label("y").split(all)).encoding();
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
