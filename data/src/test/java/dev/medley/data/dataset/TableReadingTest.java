package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.DataSpec.Dates;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a text is read as follows from all training rows, and stays so for every later file.
 *
 * <p>Long because each kind of text is read in several forms.
 */
@Tag("unit")
class TableReadingTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    TableReadingTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void aTableOfNumbersAndBooleansShouldBeReadWithAndWithoutItsLabel() throws IOException {
        Path train =
                rows(
                        "t.csv",
                        "age,member,y",
                        i -> i + 0.5 + "," + (i % 3 == 0) + "," + "AB".charAt(i % 2),
                        30);
        Encoding model = trained(train);
        assertThat(Datasets.describe(train).samples()).isEqualTo(30);
        Path bare = rows("new.csv", "age,member", i -> i + 0.5 + "," + (i % 3 == 0), 30);
        assertThat(Datasets.describe(bare).samples()).isEqualTo(30);
        assertThat(features(model, bare)).isEqualTo(features(model, train));
        Path numbers =
                rows(
                        "numbers.csv",
                        "member,age",
                        i -> (i % 3 == 0 ? "1" : "0") + "," + (i + 0.5),
                        30);
        assertThat(features(model, numbers)).isEqualTo(features(model, train));
    }

    @ParameterizedTest
    @CsvSource({"true,false", "TRUE,False", "yes,no", "Y,N", "t,f", "On,Off"})
    void booleansShouldBeReadInEverySpelling(String yes, String no) throws IOException {
        Encoding model =
                trained(rows("t.csv", "f,y", i -> (i % 3 == 0 ? yes : no) + "," + i % 2, 30));
        assertThat(column(model)).isInstanceOf(Numeric.class);
        Path other = csv("o.csv", "f", "true", "0", "NO", "y", "1.0");
        float[] read = features(model, other);
        assertThat(read[0]).isPositive().isEqualTo(read[3]).isEqualTo(read[4]);
        assertThat(read[1]).isNegative().isEqualTo(read[2]);
        assertThatThrownBy(() -> features(model, csv("bad.csv", "f", "true", "maybe")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "bad.csv, row 2 (line 3), column 'f': the text \"maybe\" is neither true"
                                + " nor false");
    }

    @ParameterizedTest
    @CsvSource({
        "%d/%m/%Y, 13/02/2021, 05/06/2021, 2021-06-05",
        "%m/%d/%Y, 02/13/2021, 05/06/2021, 2021-05-06",
        "%m/%d/%y, 2/13/21, 5/6/21, 2021-05-06",
        "%d.%m.%Y, 05.06.2021, 07.08.2021, 2021-08-07",
        "%Y/%m/%d, 2021/07/05, 2021/6/5, 2021-06-05",
        "%Y-%m-%d, 2021-07-05, 2021-06-05T00:00:00Z, 2021-06-05",
        "%d/%m/%Y, 13/02/2021, 05/06/2021 00:00, 2021-06-05",
        "%m/%d/%Y, 02/13/2021 1:00:00 PM, 05/06/2021 12:00:00 AM, 2021-05-06",
        "%d/%m/%Y, 13/02/2021 10:00, 05/06/2021 02:00:00+02:00, 2021-06-05"
    })
    void datesOfLaterFilesShouldBeReadAsThoseOfTraining(
            String pattern, String proof, String date, String iso) throws IOException {
        Encoding model =
                trained(
                        rows(
                                "t.csv",
                                "d,y",
                                i -> (i == 7 ? proof : date) + "," + "AB".charAt(i % 2),
                                20));
        assertThat(((Moment) column(model)).dates()).isEqualTo(pattern);
        float[] alone = features(model, csv("a.csv", "d", date));
        assertThat(features(model, csv("i.csv", "d", iso))).isEqualTo(alone);
        assertThat(features(model, csv("j.jsonl", "{\"d\":\"" + date + "\"}"))).isEqualTo(alone);
        assertThatThrownBy(() -> features(model, csv("bad.csv", "d", date, "31/31/2021")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "column 'd': the text \"31/31/2021\" is not a date as " + pattern);
    }

    @Test
    void anOrderOfDatesThatTrainingLeavesOpenShouldBeSaidAndCanBeSet() throws IOException {
        Path file =
                rows(
                        "t.csv",
                        "d,y",
                        i -> "%02d/%02d/2021,%s".formatted(1 + i % 12, 1 + i % 7, i % 2),
                        40);
        PreparedData open = data.prepare(Given.files(file).label("y").split(ALL));
        assertThat(((Moment) column(open.encoding())).dates()).isEqualTo("%m/%d/%Y");
        assertThat(open.findings().warnings())
                .singleElement()
                .asString()
                .contains("column 'd'", "read month-first", "data.table.dates: day-first");
        Given given = Given.files(file).label("y").split(ALL).dates(Dates.DAY_FIRST);
        assertThat(((Moment) column(data.prepare(given).encoding())).dates()).isEqualTo("%d/%m/%Y");
        assertThat(data.prepare(given).findings().warnings()).isEmpty();
        Path other =
                rows(
                        "u.csv",
                        "d,e,y",
                        i ->
                                "%02d/%02d/2021,%d/1/2020,%s"
                                        .formatted(1 + i % 12, 1 + i % 7, 13 + i % 9, i % 2),
                        40);
        TableEncoding both =
                (TableEncoding) data.prepare(Given.files(other).label("y").split(ALL)).encoding();
        assertThat(both.columns()).allMatch(c -> ((Moment) c).dates().equals("%d/%m/%Y"));
    }

    @Test
    void theFilesOfAListShouldBeReadAlike() throws IOException {
        Path one =
                rows(
                        "1.csv",
                        "d;v;y",
                        i -> "0%d/02/2021;%d,5;%s".formatted(1 + i % 9, i, i % 2),
                        20);
        Path two =
                rows("2.csv", "y;d;v", i -> "%s;2%d/02/2021;%d,5".formatted(i % 2, i % 9, i), 20);
        Given given = Given.files(one, two).label("y").split(ALL).decimal(",");
        TableEncoding model = (TableEncoding) data.trained(given);
        assertThat(((Moment) model.columns().get(0)).dates()).isEqualTo("%d/%m/%Y");
        assertThat(model.csv()).isEqualTo(new CsvReading(";", true, ",", 0));
        float[] read = features(model, csv("n.csv", "v;d", "1,5;05/02/2021"));
        assertThat(features(model, csv("o.csv", "d,v", "05/02/2021,\"1,5\""))).isEqualTo(read);
    }

    @Test
    void typesShouldComeFromAllRowsInAnyOrder() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            lines.add(
                    (i < 25_000 ? "" : "K")
                            + i % 40
                            + ","
                            + i * 7919 % 1000 / 1000.0
                            + ","
                            + "AB".charAt(i % 2));
        }
        Encoding sorted = trained(file("sorted.csv", "code,v,y", lines));
        lines.sort(Comparator.comparingLong(line -> Seeds.of(1, line.hashCode())));
        Encoding shuffled = trained(file("shuffled.csv", "code,v,y", lines));
        List<ColumnEncoding> one = ((TableEncoding) sorted).columns();
        List<ColumnEncoding> two = ((TableEncoding) shuffled).columns();
        assertThat(((Category) one.get(0)).values()).hasSize(80);
        assertThat(two.get(0)).isEqualTo(one.get(0));
        List<String> json = new ArrayList<>();
        for (int i = 0; i < 25_000; i++) {
            json.add("{\"code\":%s,\"y\":%d}".formatted(i < 22_000 ? i % 40 : "\"K1\"", i % 2));
        }
        assertThatThrownBy(() -> trained(file("late.jsonl", "", json)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "late.jsonl, row 22001 (line 22001), column 'code': the text \"K1\"")
                .hasMessageContaining("data.table.categorical");
    }

    @Test
    void valuesThatAreTheSameNumberShouldBeTheSameCategory() throws IOException {
        Path train =
                rows(
                        "t.csv",
                        "code,y",
                        i -> (i % 5 > 2 ? "x" : 1 + i % 5) + "," + "AB".charAt(i % 2),
                        40);
        Encoding model = trained(train);
        Path floats = rows("f.csv", "code", i -> (i % 5 > 2 ? "x" : 1 + i % 5 + ".0"), 40);
        assertThat(features(model, floats)).isEqualTo(features(model, train));
        assertThat(features(model, csv("g.csv", "code", "1e0", "+1", "01", "1.", "1.00")))
                .isEqualTo(features(model, csv("h.csv", "code", "1", "1", "1", "1", "1")));
        assertThat(features(model, csv("g.jsonl", "{\"code\":1.0}")))
                .isEqualTo(features(model, csv("h1.csv", "code", "1")));
        assertThat(data.encode(model, Given.files(floats)).findings().warnings()).isEmpty();
        Path unknown = rows("u.csv", "code", i -> i % 4 == 3 ? "x" : "new" + i, 40);
        assertThat(data.encode(model, Given.files(unknown)).findings().warnings())
                .singleElement()
                .asString()
                .contains("u.csv: column 'code': 30 of 40 values are unknown to the model");
        Given more =
                Given.files(rows("m.csv", "code,y", i -> "new" + i + "," + "AB".charAt(i % 2), 40))
                        .label("y");
        assertThat(data.prepareAs(model, more).findings().warnings()).hasSize(1);
        Given given =
                Given.files(train).label("y").validation(rows("v.csv", "code,y", i -> "q,A", 9));
        assertThat(data.prepare(given).findings().warnings()).hasSize(1);
    }

    @Test
    void longNumbersThatDifferShouldBeDifferentCategories() throws IOException {
        String one = "98765432109876543210987";
        String two = "98765432109876543210986";
        Path file = rows("t.csv", "x,y", i -> i + "," + (i % 2 == 0 ? one : two), 40);
        TableEncoding model = (TableEncoding) trained(file);
        assertThat(model.label().classes()).containsExactly(two, one);
        Path big = rows("b.csv", "x,y", i -> i + "," + (10_000_000_002L + i % 2), 40);
        assertThat(((TableEncoding) trained(big)).label().classes())
                .containsExactly("10000000002", "10000000003");
    }

    @Test
    void aClassShouldBeItsTextAsItStands() throws IOException {
        Path file = rows("t.csv", "x,y", i -> i + "," + List.of("01", "02", "10").get(i % 3), 40);
        TableEncoding model = (TableEncoding) trained(file);
        assertThat(model.label().classes()).containsExactly("01", "02", "10");
        assertThat(targets(model, csv("n.csv", "x,y", "1,1", "2,02", "3,10.0")))
                .containsExactly(0, 1, 2);
        Path many = rows("m.csv", "x,y", i -> i + ",%03d".formatted(i % 30), 90);
        assertThat(((TableEncoding) trained(many)).label().classes()).hasSize(30).startsWith("000");
        Path mixed =
                rows(
                        "x.csv",
                        "x,y",
                        i -> i + "," + List.of("1", "1.0", "2", "True", "true").get(i % 5),
                        40);
        assertThat(((TableEncoding) trained(mixed)).label().classes())
                .containsExactly("1", "2", "True");
    }

    @Test
    void theJobShouldSayWhetherWholeNumbersAreClasses() throws IOException {
        Path file = rows("t.csv", "x,y", i -> i + "," + i % 5, 40);
        PreparedData classes = data.prepare(Given.files(file).label("y").split(ALL));
        assertThat(((TableEncoding) classes.encoding()).label().classes()).hasSize(5);
        assertThat(classes.findings().sentences())
                .anyMatch(s -> s.contains("data.task: regression"));
        Given number = Given.files(file).label("y").split(ALL).task(Task.REGRESSION);
        assertThat(((TableEncoding) data.trained(number)).label().classes()).isEmpty();
        Given numeric = Given.files(file).label("y").split(ALL).numeric("y");
        assertThat(((TableEncoding) data.trained(numeric)).label().mean()).isEqualTo(2);
        Path halves = rows("h.csv", "x,y", i -> i + "," + i % 30 / 2.0, 90);
        Given asClasses = Given.files(halves).label("y").split(ALL).task(Task.CLASSIFICATION);
        assertThat(((TableEncoding) data.trained(asClasses)).label().classes())
                .hasSize(30)
                .startsWith("0.0", "0.5", "1.0")
                .endsWith("14.5");
        Given text =
                Given.files(csv("b.csv", "x,y", "1,2", "2,three", "3,1"))
                        .label("y")
                        .task(Task.REGRESSION);
        assertThatThrownBy(() -> data.prepare(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "row 2 (line 3), column 'y': the text \"three\" is not a number");
    }

    @Test
    void commasBeforeThreeDigitsShouldBeThousands() throws IOException {
        Path file = rows("t.csv", "x,amount", i -> i + ",\"" + (1 + i % 30) + ",000\"", 90);
        PreparedData prepared = data.prepare(Given.files(file).label("amount").split(ALL));
        TableEncoding model = (TableEncoding) prepared.encoding();
        assertThat(model.label().source()).isEqualTo(Source.THOUSANDS);
        assertThat(model.label().mean()).isEqualTo(15_500);
        assertThat(prepared.findings().sentences()).anyMatch(s -> s.contains("is read as 1000"));
        Path mixed =
                rows(
                        "m.csv",
                        "v,y",
                        i -> (i == 3 ? "\"-1,234,567.5\"" : "2.5") + "," + "AB".charAt(i % 2),
                        20);
        Given plain = Given.files(mixed).label("y").split(ALL).standard();
        assertThat(((Numeric) column(data.prepare(plain).encoding())).centre())
                .isEqualTo((-1234567.5 + 19 * 2.5) / 20);
        Path decimals = rows("d.csv", "v;y", i -> "0,1" + i % 10 + "5;" + "AB".charAt(i % 2), 20);
        assertThat(data.prepare(Given.files(decimals).label("y").split(ALL)).findings().sentences())
                .anyMatch(s -> s.contains("decimal comma, as 0,105; set data.table.decimal"));
        Path both = rows("b.csv", "v;w;y", i -> "1,500;2,5;" + "AB".charAt(i % 2), 20);
        assertThatThrownBy(() -> data.prepare(Given.files(both).label("y").split(ALL)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "column 'v': 1,500 may be 1500, or a number with a decimal comma, as column"
                                + " 'w' has them");
    }

    @Test
    void identifiersShouldBeLeftOutWithASentence() throws IOException {
        Path file =
                rows(
                        "t.csv",
                        "n,customerId,amount,v,y",
                        i ->
                                (i + 1)
                                        + ","
                                        + (i * 7919 + 13)
                                        + ","
                                        + i * 31 % 1009
                                        + ","
                                        + i % 7
                                        + ","
                                        + i % 2,
                        200);
        PreparedData prepared = data.prepare(Given.files(file).label("y").split(ALL));
        assertThat(((TableEncoding) prepared.encoding()).columns())
                .extracting(ColumnEncoding::name)
                .containsExactly("amount", "v");
        assertThat(prepared.findings().sentences())
                .anyMatch(s -> s.contains("'n' is left out: its numbers count the rows"))
                .anyMatch(s -> s.contains("'customerId' is left out: it looks like an identifier"));
        Given kept = Given.files(file).label("y").split(ALL).numeric("n", "customerId");
        assertThat(((TableEncoding) data.trained(kept)).columns()).hasSize(4);
        Path alone = rows("a.csv", "n,y", i -> i + "," + i % 2, 200);
        assertThat(((TableEncoding) trained(alone)).columns()).hasSize(1);
    }

    @Test
    void timesOfDayAndOddNumbersShouldBeNumbers() throws IOException {
        Path times =
                rows("t.csv", "t,y", i -> "%02d:30,%s".formatted(i % 24, "AB".charAt(i % 2)), 48);
        assertThat(((Numeric) column(trained(times))).source()).isEqualTo(Source.TIME);
        List<String> odd =
                List.of("+5", "-0", "1e3", ".5", "007", "98765432109876543210987", "-1.5E-3");
        Path numbers = rows("n.csv", "v,y", i -> odd.get(i % 7) + "," + "AB".charAt(i % 2), 40);
        assertThat(((Numeric) column(trained(numbers))).source()).isEqualTo(Source.NUMBER);
    }

    @Test
    void aWideTableShouldBeDescribedInFull() throws IOException {
        StringBuilder head = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            head.append('f').append(i).append(',');
        }
        Path file =
                rows(
                        "w.csv",
                        head + "y",
                        r ->
                                String.join(",", Collections.nCopies(400, "" + r % 9 / 4.0))
                                        + ","
                                        + "AB".charAt(r % 2),
                        30);
        Description wide = Datasets.describe(file);
        assertThat(wide.columns()).hasSize(401).allMatch(c -> c.missing() == 0);
        Description.Column last = wide.columns().get(400);
        assertThat(last.frequent())
                .containsExactly(
                        new Description.Frequent("A", 15), new Description.Frequent("B", 15));
        Description.Column first = wide.columns().get(0);
        assertThat(first.quartiles()).containsExactly(0.3125, 0.875, 1.5);
        assertThat(first.isEstimate()).isFalse();
        assertThat(((TableEncoding) trained(file)).columns()).hasSize(400);
    }

    private static final List<String> FORMS =
            List.of("number", "flag", "date", "time", "code", "text", "grouped");

    /** The features of a row, whatever stands beside it, in whatever order and file. */
    @Test
    @Tag("property")
    void aRowShouldBeReadTheSameWhateverStandsBesideIt() throws IOException {
        for (int seed = 0; seed < 12; seed++) {
            RandomGenerator random = Seeds.generator(seed);
            int width = 1 + random.nextInt(5);
            List<String> names = new ArrayList<>();
            List<IntFunction<String>> columns = new ArrayList<>();
            for (int c = 0; c < width; c++) {
                names.add(FORMS.get(random.nextInt(FORMS.size())) + c);
                columns.add(values(names.get(c).replaceAll("\\d", ""), random));
            }
            List<List<String>> rows = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                List<String> row = new ArrayList<>();
                for (IntFunction<String> column : columns) {
                    row.add(random.nextInt(20) == 0 ? "" : column.apply(i));
                }
                rows.add(row);
            }
            List<String> labelled = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                labelled.add(String.join(";", rows.get(i)) + ";" + "AB".charAt(i % 2));
            }
            Encoding model =
                    trained(file("p" + seed + ".csv", String.join(";", names) + ";y", labelled));
            float[] all =
                    features(
                            model,
                            file("all" + seed + ".csv", String.join(";", names), joined(rows)));
            int size = all.length / rows.size();
            List<Integer> some = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                some.add(i);
            }
            shuffle(some, random);
            some = some.subList(0, 1 + random.nextInt(6));
            Path file = json(seed, random, names, rows, some);
            float[] read = features(model, file);
            for (int k = 0; k < some.size(); k++) {
                assertThat(Arrays.copyOfRange(read, k * size, (k + 1) * size))
                        .as("seed %d, %s, row %s", seed, file, rows.get(some.get(k)))
                        .isEqualTo(
                                Arrays.copyOfRange(
                                        all, some.get(k) * size, (some.get(k) + 1) * size));
            }
        }
    }

    /** Some rows as CSV or JSON lines, with the columns in another order and one more. */
    private Path json(
            int seed,
            RandomGenerator random,
            List<String> names,
            List<List<String>> rows,
            List<Integer> some)
            throws IOException {
        boolean isJson = random.nextBoolean();
        List<Integer> order = new ArrayList<>();
        for (int c = 0; c < names.size(); c++) {
            order.add(c);
        }
        shuffle(order, random);
        List<String> lines = new ArrayList<>();
        for (int i : some) {
            List<String> values = new ArrayList<>();
            for (int c : order) {
                String value = rows.get(i).get(c);
                values.add(isJson ? "\"%s\":\"%s\"".formatted(names.get(c), value) : value);
            }
            lines.add(
                    isJson
                            ? "{" + String.join(",", values) + ",\"more\":[1]}"
                            : String.join(";", values) + ";more");
        }
        String head = String.join(";", order.stream().map(names::get).toList()) + ";more";
        return file("some" + seed + (isJson ? ".jsonl" : ".csv"), isJson ? "" : head, lines);
    }

    private static List<String> joined(List<List<String>> rows) {
        return rows.stream().map(row -> String.join(";", row)).toList();
    }

    private static IntFunction<String> values(String form, RandomGenerator random) {
        boolean dayFirst = random.nextBoolean();
        List<String> flags = List.of("true", "false", "yes", "no", "Y", "N");
        int pair = 2 * random.nextInt(3);
        return switch (form) {
            case "number" -> i -> "" + random.nextInt(2000) / 8.0;
            case "flag" -> i -> flags.get(pair + random.nextInt(2));
            case "date" ->
                    i -> {
                        int day = i == 0 ? 31 : 1 + random.nextInt(28);
                        int month = i == 0 ? 1 : 1 + random.nextInt(12);
                        return "%d/%d/2021"
                                .formatted(dayFirst ? day : month, dayFirst ? month : day);
                    };
            case "time" ->
                    i ->
                            "2021-01-%02d %02d:15"
                                    .formatted(1 + random.nextInt(30), random.nextInt(24));
            case "code" -> i -> random.nextBoolean() ? "x" : "0" + random.nextInt(5);
            case "grouped" ->
                    i -> "%d,%03d".formatted(1 + random.nextInt(999), random.nextInt(1000));
            default -> i -> "value " + random.nextInt(6);
        };
    }

    private Encoding trained(Path file) {
        return data.trained(Given.files(file).label("y").split(ALL));
    }

    private static ColumnEncoding column(Encoding model) {
        return ((TableEncoding) model).columns().get(0);
    }

    private float[] features(Encoding model, Path file) {
        return GivenEncoding.held(data.encode(model, Given.files(file)));
    }

    private int[] targets(Encoding model, Path file) {
        PreparedData encoded = data.encode(model, Given.files(file));
        try (TrainingData rows = TrainingData.open(encoded, 1, Clock.system())) {
            long[] targets = Given.longs(rows.validation(0, encoded.validationSamples()).target());
            return Arrays.stream(targets).mapToInt(Math::toIntExact).toArray();
        }
    }

    private Path rows(String name, String head, IntFunction<String> row, int rows)
            throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            lines.add(row.apply(i));
        }
        return file(name, head, lines);
    }

    private Path csv(String name, String... lines) throws IOException {
        return file(name, "", List.of(lines));
    }

    private Path file(String name, String head, List<String> lines) throws IOException {
        String text = (head.isEmpty() ? "" : head + "\n") + String.join("\n", lines) + "\n";
        return Files.writeString(folder.resolve(name), text);
    }

    private static void shuffle(List<?> list, RandomGenerator random) {
        for (int last = list.size() - 1; last > 0; last--) {
            Collections.swap(list, last, random.nextInt(last + 1));
        }
    }
}
