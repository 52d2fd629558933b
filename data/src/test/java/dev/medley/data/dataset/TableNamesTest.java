package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names of columns as files have them: none, twice, or apart in case only. */
@Tag("unit")
class TableNamesTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    TableNamesTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {",a,b,y 0 1", "\"\",a,b,y 17 3", "Unnamed:_0,a,b,y 0 1", ",0,1,y 0 1"})
    void anIndexWithoutANameShouldBeLeftOut(String head, int from, int by) throws IOException {
        String names = head.replace('_', ' ');
        Path table = rows("t.csv", names, from, by, 40);
        PreparedData prepared = data.prepare(Given.files(table).label("y").split(ALL));
        assertThat(names(prepared.encoding()))
                .containsExactlyElementsOf(List.of(names.split(",")).subList(1, 3));
        assertThat(prepared.findings().sentences())
                .anyMatch(s -> s.startsWith("column 'Unnamed: 0' is left out: it looks like the"));
        Description described = Datasets.describe(table);
        assertThat(described.samples()).isEqualTo(40);
        assertThat(described.columns().get(0).name()).isEqualTo("Unnamed: 0");
        Encoding model = GivenEncoding.again(prepared);
        Path bare = text("bare.csv", names.substring(names.indexOf(',') + 1) + "\n1.5,2,A\n");
        Path whole = text("whole.csv", names + "\n999,1.5,2,A\n");
        assertThat(features(model, whole)).isEqualTo(features(model, bare));
    }

    @Test
    void anIndexShouldBeLeftOutOfEveryFileOfAList() throws IOException {
        Path one = rows("1.csv", ",a,b,y", 0, 1, 30);
        Path two = rows("2.csv", ",a,b,y", 0, 1, 30);
        Given given = Given.files(one, two).label("y").split(ALL);
        assertThat(names(data.prepare(given).encoding())).containsExactly("a", "b");
        assertThat(names(data.prepare(given.numeric("Unnamed: 0")).encoding()))
                .containsExactly("Unnamed: 0", "a", "b");
    }

    @Test
    void namesOfRowsShouldBeLeftOut() throws IOException {
        StringBuilder text = new StringBuilder("\"\",\"a\",\"y\"\n");
        for (int i = 0; i < 30; i++) {
            text.append("\"car %d\",%d.5,\"%s\"\n".formatted(i, i, i % 2 == 0 ? "A" : "B"));
        }
        Path table = text("r.csv", text.toString());
        assertThat(names(data.trained(Given.files(table).label("y").split(ALL))))
                .containsExactly("a");
    }

    @Test
    void aColumnAtTheEndWithoutNameAndValuesShouldBeLeftOut() throws IOException {
        Path table = text("t.csv", "a,b,y,\n" + "1,2.5,A,\n2,3.5,B,\n3,1,A,\n".repeat(5));
        assertThat(names(data.trained(Given.files(table).label("y").split(ALL))))
                .containsExactly("a", "b");
        assertThat(Datasets.describe(table).samples()).isEqualTo(15);
    }

    @Test
    void namesThatDifferInCaseShouldBeDifferentColumns() throws IOException {
        Path table = rows("t.csv", "A,a,b,y", 0, 3, 40);
        Encoding model = data.trained(Given.files(table).label("y").split(ALL).numeric("A"));
        assertThat(names(model)).containsExactly("A", "a", "b");
        Path other = text("o.csv", "a,b,A\n1.5,2,6\n");
        Path same = text("s.csv", "A,a,b\n6,1.5,2\n");
        assertThat(features(model, other)).isEqualTo(features(model, same));
        assertThat(predicted(model, other, "out.csv")).isEqualTo("a,b,A,prediction\n1.5,2,6,0.5\n");
        Path third = text("u.csv", "b,A,a\n3,7,1\n");
        PreparedData two = data.encode(model, Given.files(same, third));
        assertThat(predicted(two, "two.csv", 2))
                .isEqualTo("A,a,b,prediction\n6,1.5,2,0.5\n7,1,3,0.5\n");
        assertThatThrownBy(() -> features(model, text("n.csv", "a,b\n1,2\n")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("n.csv: has no column 'A', which the training data had");
    }

    @Test
    void namesThatStandTwiceShouldBeToldApart() throws IOException {
        Path table = rows("t.csv", "a,x,a,y", 0, 3, 40);
        PreparedData prepared =
                data.prepare(Given.files(table).label("y").split(ALL).numeric("a", "a.1"));
        assertThat(names(prepared.encoding())).containsExactly("a", "x", "a.1");
        assertThat(prepared.findings().sentences())
                .contains("the name 'a' stands at several columns: column 3 is called 'a.1'");
        Encoding model = GivenEncoding.again(prepared);
        Path named = text("n.csv", "a.1,a,x\n2,6,1.5\n");
        Path twice = text("o.csv", "a,x,a\n6,1.5,2\n");
        assertThat(features(model, named)).isEqualTo(features(model, twice));
        assertThat(predicted(model, twice, "out.csv")).isEqualTo("a,x,a,prediction\n6,1.5,2,0.5\n");
        assertThatThrownBy(
                        () ->
                                data.prepare(
                                        Given.files(text("y.csv", "y,a,y\n1,2,3\n4,5,6\n"))
                                                .label("y")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("y.csv: 2 columns are called 'y', which is to be predicted");
    }

    @Test
    void namesOfOneColumnShouldStayWhatTheyAreWithSpacesAndQuotes() throws IOException {
        Path table = text("t.csv", "\"a,1\", \"b \"\"c\"\"\",\"d\ne\",y\n" + "1,2,3,A\n4,5,6,B\n");
        assertThat(Datasets.describe(table).columns())
                .extracting(Description.Column::name)
                .containsExactly("a,1", "b \"c\"", "d\ne", "y");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '/',
            value = {
                "# made by hand~# on Monday~a,b,y~/3",
                "~~a,b,y~/3",
                "sep=;~a;b;y~/3",
                "#a,b,y~/1"
            })
    void whatStandsBeforeTheTableShouldBePassedOver(String begin, int line) throws IOException {
        String head = begin.replace('~', '\n');
        String rows = "1,2.5,A\n#4,5,6\n7,8,9,9\n3,3,B\n";
        Path table = text("t.csv", head + (head.contains(";") ? rows.replace(',', ';') : rows));
        assertThat(Datasets.describe(table).columns())
                .extracting(Description.Column::name)
                .containsExactly(head.startsWith("#a") ? "#a" : "a", "b", "y");
        assertThatThrownBy(() -> data.prepare(Given.files(table).label("y")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "t.csv, line %d: has 4 columns instead of 3"
                                .formatted(line + (head.startsWith("sep") ? 2 : 3)));
    }

    private Path rows(String name, String head, int from, int by, int rows) throws IOException {
        StringBuilder text = new StringBuilder(head).append('\n');
        for (int i = 0; i < rows; i++) {
            text.append(
                    "%d,%s,%d,%s\n"
                            .formatted(from + i * by, i % 7 + 0.5, i % 5, i % 2 == 0 ? "A" : "B"));
        }
        return text(name, text.toString());
    }

    private Path text(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static List<String> names(Encoding model) {
        return ((TableEncoding) model).columns().stream().map(ColumnEncoding::name).toList();
    }

    private float[] features(Encoding model, Path file) {
        return GivenEncoding.held(data.encode(model, Given.files(file)));
    }

    private String predicted(Encoding model, Path file, String name) throws IOException {
        return predicted(data.encode(model, Given.files(file)), name, 1);
    }

    private String predicted(PreparedData rows, String name, int count) throws IOException {
        Path out = folder.resolve(name);
        try (PredictionWriter writer =
                PredictionWriter.open(rows, Map.of("prediction", ColumnType.NUMBER), out)) {
            for (int i = 0; i < count; i++) {
                writer.add(0.5);
            }
            writer.finish();
        }
        return Files.readString(out);
    }
}
