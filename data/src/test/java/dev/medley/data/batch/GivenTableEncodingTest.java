package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.Dates;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that a trained model learns more from are read as that model reads them. */
@Tag("unit")
class GivenTableEncodingTest {
    private static final int ROWS = 200;

    private final Path folder;
    private final GivenEncoding data;

    GivenTableEncodingTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void aTableShouldKeepTheMeansAndCategoriesOfTheModel() throws IOException {
        Encoding model = trained();
        PreparedData more = data.prepareAs(model, Given.files(table("more.csv", 1000, "dab")));
        assertThat(more.encoding()).isEqualTo(model);
        assertThat(more.findings().classCounts()).hasSize(2).allMatch(count -> count > 0);
        try (TrainingData training = TrainingData.open(more, 1, Clock.system())) {
            float[] rows = Given.floats(training.validation(0, 3).inputs().get(0));
            TableEncoding table = (TableEncoding) model;
            Numeric id = (Numeric) table.columns().get(0);
            assertThat(table.featureNames()).containsExactly("id", "c=a", "c=b", "c=c");
            assertThat(rows[0] * id.scale() + id.centre()).isBetween(1000.0, 1000.0 + ROWS);
            // Each row has one known category or, as a prediction would have it, none.
            for (int row = 0; row < 3; row++) {
                int number = (int) Math.round(rows[4 * row] * id.scale() + id.centre()) - 1000;
                char category = "dab".charAt(number % 3);
                assertThat(rows[4 * row + 1]).isEqualTo(category == 'a' ? 1 : 0);
                assertThat(rows[4 * row + 2]).isEqualTo(category == 'b' ? 1 : 0);
                assertThat(rows[4 * row + 3]).isZero();
            }
        }
    }

    static Stream<SplitSpec> splits() {
        return Stream.of(
                new SplitSpec(SplitKind.RANDOM, 0.2, null),
                new SplitSpec(SplitKind.TAIL, 0.2, null),
                new SplitSpec(SplitKind.STRATIFIED, 0.2, null),
                new SplitSpec(SplitKind.STRATIFIED, 0.2, "c"),
                new SplitSpec(SplitKind.STRATIFIED, 0.2, "part"));
    }

    @ParameterizedTest
    @MethodSource("splits")
    void theSplitShouldBeThatOfAnEncodingOfItsOwn(SplitSpec split) throws IOException {
        Encoding model = trained();
        Path file = table("more.csv", 50, "cab");
        Given given = Given.files(file).label("y").table(dropping("part")).split(split);
        assertThat(ids(data.prepareAs(model, given))).isEqualTo(ids(data.prepare(given)));
    }

    @Test
    void aGivenSplitShouldStayTheOneThatIsGiven() throws IOException {
        Encoding model = trained();
        Given given =
                Given.files(table("more.csv", 50, "cab")).validation(table("held.csv", 900, "bca"));
        PreparedData more = data.prepareAs(model, given);
        assertThat(more.trainSamples()).isEqualTo(ROWS);
        assertThat(ids(more)).hasSize(ROWS).allMatch(id -> id >= 900);
    }

    @Test
    void oneCacheShouldKeepBothWaysApart() throws IOException {
        Encoding model = trained();
        Given given = Given.files(table("more.csv", 1000, "dab")).label("y");
        PreparedData own = data.prepare(given);
        PreparedData as = data.prepareAs(model, given);
        PreparedData encoded = data.encode(model, given);
        assertThat(Stream.of(own, as, encoded).map(PreparedData::folder)).doesNotHaveDuplicates();
        assertThat(own.encoding()).isNotEqualTo(as.encoding());
        assertThat(data.prepareAs(model, given)).isEqualTo(as);
    }

    @Test
    void aTableThatTheModelCannotReadShouldBeRefused() throws IOException {
        Encoding model = trained();
        Path file = folder.resolve("bad.csv");
        Files.writeString(file, "id,c,part,y\n1,a,p,no\n2,b,p,perhaps\n3,b,p,yes\n");
        data.assertRefused(model, Given.files(file), "bad.csv, row 2", "\"perhaps\"", "[no, yes]");
        Given skipping = Given.files(file).badRows(BadRows.SKIP);
        assertThat(data.prepareAs(model, skipping).findings().badRows()).isEqualTo(1);
        Files.writeString(file, "id,c,part,y\n1,a,p,no\n2,b,p,\n3,b,p,yes\n");
        data.assertRefused(model, Given.files(file), "row 2", "the label is missing");
        Files.writeString(file, "id,part,y\n1,p,no\n2,p,yes\n");
        data.assertRefused(model, Given.files(file), "bad.csv", "has no column 'c'", "id, part, y");
        Files.writeString(file, "id,c,part\n1,a,p\n2,b,p\n");
        data.assertRefused(model, Given.files(file), "data.label=y", "no such column");
    }

    @Test
    void optionsThatContradictATableModelShouldBeRefused() throws IOException {
        Encoding model = trained();
        Given given = Given.files(table("more.csv", 0, "abc"));
        data.assertRefused(model, given.label("c"), "data.label=c", "data.label=y");
        given.label("y");
        data.assertRefused(model, given.table(dropping("c")), "data.table.drop=c");
        TableSpec t = TableSpec.defaults();
        data.assertRefused(
                model,
                given.table(table(t.missing(), List.of("id"), t.oneHotLimit())),
                "data.table.categorical=id",
                "as a number");
        data.assertRefused(
                model,
                given.table(table(List.of("-"), List.of(), t.oneHotLimit())),
                "data.table.missing=[-]",
                "NA");
        data.assertRefused(
                model,
                given.table(table(t.missing(), List.of(), 2)),
                "data.table.one_hot_limit=2",
                "the 3 values of 'c' one-hot");
        data.assertRefused(
                model,
                given.table(t).scaling(NumberScaling.NONE),
                "data.table.scaling=NONE",
                "data.table.scaling=STANDARD");
    }

    @Test
    void anotherKindOfDataShouldBeRefused() throws IOException {
        Encoding model = trained();
        Path text = Files.writeString(folder.resolve("a.txt"), "abc".repeat(100));
        data.assertRefused(model, Given.files(text), "holds TEXT data");
    }

    /** Of a model whose numbers lie from 0 and whose categories are a, b and c. */
    private Encoding trained() throws IOException {
        Path first = table("first.csv", 0, "abc");
        return data.trained(Given.files(first).label("y").table(dropping("part")));
    }

    private Path table(String name, int from, String categories) throws IOException {
        StringBuilder text = new StringBuilder("id,c,part,y\n");
        for (int i = 0; i < ROWS; i++) {
            text.append(
                    "%d,%s,%s,%s\n"
                            .formatted(
                                    from + i,
                                    categories.charAt(i % 3),
                                    "p" + i / 40,
                                    i % 7 < 3 ? "yes" : "no"));
        }
        return Files.writeString(folder.resolve(name), text);
    }

    private static TableSpec dropping(String column) {
        TableSpec t = TableSpec.defaults();
        return new TableSpec(
                null,
                null,
                ".",
                Dates.FOUND,
                t.missing(),
                List.of(column),
                List.of(),
                List.of("id"),
                t.oneHotLimit(),
                t.badRows(),
                NumberScaling.STANDARD,
                t.terms(),
                t.columns());
    }

    private static TableSpec table(List<String> missing, List<String> categorical, int oneHot) {
        return new TableSpec(
                null, null, ".", missing, List.of(), categorical, oneHot, BadRows.FAIL);
    }

    /** The numbers of the rows that are held out, in order. */
    private static List<Long> ids(PreparedData data) {
        TableEncoding table = (TableEncoding) data.encoding();
        Numeric id = (Numeric) table.columns().get(0);
        List<Long> ids = new ArrayList<>();
        float[] features = GivenEncoding.held(data);
        for (int i = 0; i < features.length; i += table.featureCount()) {
            ids.add(Math.round(features[i] * id.scale() + id.centre()));
        }
        return ids;
    }
}
