package dev.medley.data.dataset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class BadTableTest {
    @TempDir Path folder;

    @AfterEach
    void nothingHalfWrittenStays() throws IOException {
        if (Files.exists(folder.resolve("cache"))) {
            assertThat(folder.resolve("cache")).isDirectoryNotContaining("glob:**tmp-*");
        }
    }

    @Test
    void shouldNameAMissingFile() {
        assertRefused(Given.files(folder.resolve("none.csv")).label("y"))
                .hasMessageContaining("none.csv: no such file or folder");
    }

    @Test
    void shouldRefuseAnEmptyFile() throws IOException {
        assertRefused(Given.files(write("t.csv", "")).label("y"))
                .hasMessageContaining("t.csv: is empty");
    }

    @Test
    void shouldRefuseAHeaderWithoutRows() throws IOException {
        assertRefused(Given.files(write("t.csv", "x,y\n")).label("y"))
                .hasMessageContaining("t.csv: has no rows");
    }

    @Test
    void shouldSayWhyNoRowCanBeRead() throws IOException {
        Path file = write("t.csv", "a,b,y\n1,2\n3,4\n");
        assertRefused(Given.files(file).label("y").badRows(BadRows.SKIP))
                .hasMessageContaining("t.csv: none of its 2 rows can be read; the first:")
                .hasMessageContaining("line 2: has 2 columns instead of 3: '1,2'");
        assertThatThrownBy(() -> Datasets.describe(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 2: has 2 columns instead of 3: '1,2'");
    }

    @Test
    void shouldPlaceARaggedRow() throws IOException {
        Path file = write("t.csv", "a,b,y\n1,2,p\n3,4\n5,6,q\n7,8,p,9\n");
        assertRefused(Given.files(file).label("y"))
                .hasMessageContaining("t.csv, line 3: has 2 columns instead of 3: '3,4'")
                .hasMessageContaining("2 such rows")
                .hasMessageContaining("bad_rows");
        PreparedData data =
                prepare(
                        Given.files(write("t.csv", "a,b,y\n1,2,p\n3,4\n5,6,q\n7,8,p\n8,8,q\n"))
                                .label("y")
                                .badRows(BadRows.SKIP));
        assertThat(data.findings().badRows()).isEqualTo(1);
        assertThat(data.trainSamples() + data.validationSamples()).isEqualTo(4);
        assertThat(data.findings().sentences()).anyMatch(s -> s.contains("1 rows left out"));
    }

    @Test
    void shouldSayWhichTextIsNotUtf8() throws IOException {
        String text = "a,y\nK\u00f6ln,p\nBonn,q\n";
        Path latin = Files.write(folder.resolve("latin.csv"), text.getBytes(ISO_8859_1));
        assertRefused(Given.files(latin).label("y"))
                .hasMessageContaining("latin.csv, line 2: is not UTF-8")
                .hasMessageContaining("iconv");
    }

    @Test
    void shouldSuspectAQuotationMarkThatIsNotClosed() throws IOException {
        assertRefused(Given.files(write("t.csv", "a,b,y\n1,\"2,p\n3,4,q\n5,5,p\n")).label("y"))
                .hasMessageContaining("is a quotation mark not closed?");
    }

    @Test
    void shouldSayThatNoHeaderWasFoundWhereAColumnIsSought() throws IOException {
        assertRefused(Given.files(write("t.csv", "1,p\n2,q\n")).label("y"))
                .hasMessageContaining("The columns are: column0, column1 (no line of names")
                .hasMessageContaining("data.table.header: true");
    }

    @Test
    void shouldSayThatAFolderIsEmpty() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertRefused(Given.files(empty)).hasMessageContaining("empty: there is no file in this");
    }

    @Test
    void shouldPlaceATextAmongNumbers() throws IOException {
        Path file = write("t.csv", "a,y\n1,p\n2,q\nabc,p\n4,q\n5,p\n6,q\n");
        assertRefused(Given.files(file).label("y"))
                .hasMessageContaining("t.csv, row 3 (line 4), column 'a': the text \"abc\"");
        PreparedData data = prepare(Given.files(file).label("y").badRows(BadRows.SKIP));
        assertThat(data.findings().badRows()).isEqualTo(1);
    }

    @Test
    void shouldPlaceATextThatComesAfterManyNumbers() throws IOException {
        StringBuilder text = new StringBuilder("a,y\n");
        for (int i = 0; i < 60_000; i++) {
            text.append(i == 50_000 ? "oops" : "" + i).append(i % 2 == 0 ? ",p\n" : ",q\n");
        }
        Path file = write("t.csv", text.toString());
        assertRefused(Given.files(file).label("y"))
                .hasMessageContaining(
                        "(line 50002), column 'a': the text \"oops\" is not a number");
        PreparedData data = prepare(Given.files(file).label("y").badRows(BadRows.SKIP));
        assertThat(data.findings().badRows()).isEqualTo(1);
        assertThat(data.trainSamples() + data.validationSamples()).isEqualTo(59_999);
    }

    @Test
    void shouldSuggestTheLabelThatWasMeant() throws IOException {
        Path file = write("t.csv", "age,income\n1,a\n2,b\n");
        assertRefused(Given.files(file).label("Incom"))
                .hasMessageContaining("data.label=Incom")
                .hasMessageContaining("did you mean 'income'?")
                .hasMessageContaining("age, income");
        assertRefused(Given.files(file).format(DataFormat.CSV))
                .hasMessageContaining("data.label is not set")
                .hasMessageContaining("age, income");
    }

    @Test
    void shouldRefuseOneClassOnly() throws IOException {
        assertRefused(Given.files(write("t.csv", "x,y\n1,a\n2,a\n")).label("y"))
                .hasMessageContaining("label 'y'")
                .hasMessageContaining("one value only");
    }

    @Test
    void shouldPlaceAMissingLabel() throws IOException {
        Path file = write("t.csv", "x,y\n1,a\n2,\n3,b\n4,a\n");
        assertRefused(Given.files(file).label("y"))
                .hasMessageContaining("row 2 (line 3), column 'y': the label is missing");
        assertThat(prepare(Given.files(file).label("y").badRows(BadRows.SKIP)).findings().badRows())
                .isEqualTo(1);
    }

    @Test
    void shouldPlaceNanAndInfinity() throws IOException {
        Path file = write("t.csv", "x,y\n1,a\nnan,b\n3,a\n4,b\n");
        assertRefused(Given.files(file).label("y"))
                .hasMessageContaining("row 2 (line 3), column 'x': nan is not a finite number");
        file = write("t.csv", "x,y\n1,1.5\n2,2.5\n-inf,3.5\n4,4.5\n");
        assertRefused(Given.files(file).label("y"))
                .hasMessageContaining("row 3 (line 4), column 'x': -inf is not a finite number");
    }

    @Test
    void shouldTakeNanAsMissingOnRequest() throws IOException {
        Path file = write("t.csv", "x,y\n1,a\nNaN,b\n3,a\nnan,b\n5,a\n");
        TableSpec table =
                new TableSpec(
                        null,
                        null,
                        ".",
                        List.of("", "nan"),
                        List.of(),
                        List.of(),
                        50,
                        BadRows.FAIL);
        PreparedData data =
                prepare(
                        Given.files(file)
                                .label("y")
                                .table(table)
                                .split(new SplitSpec(SplitKind.RANDOM, 0, null)));
        assertThat(data.findings().sentences()).anyMatch(s -> s.contains("x (2)"));
    }

    @Test
    void shouldRefuseANameThatIsNoColumn() throws IOException {
        Path file = write("t.csv", "age,colour,y\n1,r,a\n2,g,b\n");
        TableSpec table =
                new TableSpec(
                        null,
                        null,
                        ".",
                        List.of(""),
                        List.of("color"),
                        List.of(),
                        50,
                        BadRows.FAIL);
        assertRefused(Given.files(file).label("y").table(table))
                .hasMessageContaining("data.table.drop=color")
                .hasMessageContaining("did you mean 'colour'?");
        assertRefused(
                        Given.files(file)
                                .label("y")
                                .split(new SplitSpec(SplitKind.STRATIFIED, 0.5, "aeg")))
                .hasMessageContaining("data.split.by=aeg")
                .hasMessageContaining("did you mean 'age'?");
    }

    @Test
    void shouldRefuseACutOffParquetFile() throws Exception {
        Path file = folder.resolve("t.parquet");
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                var sql = db.createStatement()) {
            sql.execute("COPY (SELECT range x, range % 2 y FROM range(1000)) TO '" + file + "'");
        }
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        assertRefused(Given.files(file).label("y"))
                .hasMessageContaining("t.parquet: is not a whole Parquet file");
    }

    @Test
    void shouldPlaceABrokenLineOfJson() throws IOException {
        Path file =
                write(
                        "t.jsonl",
                        "{\"x\":1,\"y\":\"a\"}\n{\"x\":2,\n"
                                + "{\"x\":3,\"y\":\"b\"}\n{\"x\":4,\"y\":\"a\"}\n".repeat(3));
        assertRefused(Given.files(file).label("y"))
                .hasMessageContaining("t.jsonl: cannot be read as JSONL")
                .hasMessageContaining("line");
        assertThat(prepare(Given.files(file).label("y").badRows(BadRows.SKIP)).findings().badRows())
                .isEqualTo(1);
    }

    @Test
    void shouldRefuseValidationClassesThatTrainingHasNot() throws IOException {
        Path train = write("t.csv", "x,y\n1,a\n2,b\n3,a\n");
        Path held = write("v.csv", "x,y\n1,a\n2,c\n");
        assertRefused(Given.files(train).validation(held).label("y"))
                .hasMessageContaining("v.csv, row 2 (line 3), column 'y': the label \"c\"")
                .hasMessageContaining("[a, b]");
    }

    @Test
    void shouldSayThatTheCacheIsTooSmall() throws IOException {
        StringBuilder text = new StringBuilder("x,y\n");
        for (int i = 0; i < 200_000; i++) {
            text.append(i).append(i % 2 == 0 ? ",p\n" : ",q\n");
        }
        assertRefused(
                        Given.files(write("t.csv", text.toString()))
                                .label("y")
                                .cache(1 << 20, 1 << 20))
                .hasMessageContaining("does not fit the disk cache")
                .hasMessageContaining("data.cache.disk of 1,048,576 bytes");
    }

    private AbstractThrowableAssert<?, ?> assertRefused(Given given) {
        return assertThatThrownBy(() -> prepare(given)).isInstanceOf(ConfigException.class);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, folder.resolve("cache"), PreparationProgress.NONE);
    }
}
