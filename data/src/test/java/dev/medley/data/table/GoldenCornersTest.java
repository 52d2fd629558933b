package dev.medley.data.table;

import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.Dates;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.encoding.Encoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said at a border and one beyond it, word for word; see {@link Golden}. */
@Tag("unit")
class GoldenCornersTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding files;

    GoldenCornersTest(@TempDir Path folder) {
        this.folder = folder;
        this.files = new GivenEncoding(folder.resolve("cache"));
    }

    private Path file(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    private Path rows(String name, String header, int rows, IntFunction<String> row)
            throws IOException {
        List<String> lines = new ArrayList<>(List.of(header));
        IntStream.range(0, rows).mapToObj(row).forEach(lines::add);
        return Files.write(folder.resolve(name), lines);
    }

    /** As it is, and without its bad rows where the message says so. */
    private void skipping(Golden golden, String title, Given given) throws Exception {
        golden.skipping(title, given, files::prepare);
    }

    private void prepared(Golden golden, String title, Given given) throws Exception {
        golden.refused(title, () -> Golden.found(files.prepare(given)));
    }

    @Test
    void classesAndNamesByNumberShouldStay() throws Exception {
        Golden golden = new Golden("classes-by-number", folder);
        int[][] sizes = {{10, 20}, {11, 109}, {11, 110}, {100, 1000}, {101, 1010}};
        for (int[] size : sizes) {
            Path texts = rows("t.csv", "x,y", size[1], i -> i % 7 + ",c" + i % size[0]);
            prepared(
                    golden,
                    size[0] + " texts in " + size[1],
                    Given.files(texts).label("y").split(ALL));
        }
        for (int classes : new int[] {20, 21}) {
            Path whole = rows("w.csv", "x,y", 210, i -> i % 7 + "," + i % classes);
            prepared(golden, classes + " whole", Given.files(whole).label("y").split(ALL));
        }
        for (int columns : new int[] {12, 13}) {
            String names =
                    IntStream.range(0, columns)
                            .mapToObj(i -> "n" + i)
                            .collect(Collectors.joining(","));
            Path wide =
                    rows(
                            "n.csv",
                            names + ",y",
                            6,
                            i ->
                                    IntStream.range(0, columns)
                                                    .mapToObj(c -> i == 0 ? "" : "" + (i + c))
                                                    .collect(Collectors.joining(","))
                                            + ","
                                            + i % 2);
            prepared(golden, columns + " columns", Given.files(wide).label("y").split(ALL));
        }
        Path coarse = rows("c.csv", "x,y", 4, i -> i * i + "," + (1e9 + i * 10));
        prepared(golden, "coarse", Given.files(coarse).label("y").task(Task.REGRESSION).split(ALL));
        Path codes =
                rows(
                        "k.csv",
                        "x,y",
                        8,
                        i -> i + "," + (i % 2 == 0 ? "01" : i % 3 == 0 ? "1" : "1.0"));
        prepared(golden, "codes", Given.files(codes).label("y").split(ALL));
        Path flags =
                rows(
                        "f.csv",
                        "x,y",
                        8,
                        i -> i + "," + (i % 2 == 0 ? "Yes" : i % 3 == 0 ? "No" : "no"));
        prepared(golden, "flags", Given.files(flags).label("y").split(ALL));
        golden.compare();
    }

    @Test
    void datesThatMayBeMeantOtherwiseShouldStay() throws Exception {
        Golden golden = new Golden("dates", folder);
        Path file =
                rows(
                        "d.csv",
                        "open,shown,mixed,iso,month,short,y",
                        30,
                        i ->
                                ("%d/%d/2020,%d/%d/2020,%s,2020-02-%02dT10:00:00+0%d:00,"
                                                + "%d March 2020,%02d-%02d-%02d,%s")
                                        .formatted(
                                                i % 12 + 1,
                                                i % 11 + 1,
                                                i % 28 + 1,
                                                i % 12 + 1,
                                                i % 9 == 0
                                                        ? "none"
                                                        : i % 2 == 0 ? "2020-01-05" : "05.01.2020",
                                                i % 28 + 1,
                                                i % 5,
                                                i % 28 + 1,
                                                i % 28 + 1,
                                                i % 12 + 1,
                                                i % 20,
                                                i % 2));
        Given given = Given.files(file).label("y").split(ALL);
        golden.data("found", files.prepare(given.badRows(BadRows.SKIP)), 3);
        golden.data("month first", files.prepare(given.dates(Dates.MONTH_FIRST)), 3);
        Path both =
                rows(
                        "b.csv",
                        "a,b,c,y",
                        12,
                        i ->
                                "%d/%d/2020,%d/%d/2020,%d.%d.2020,%d"
                                        .formatted(
                                                13 + i, i + 1, i + 1, 13 + i, i + 1, 12 - i,
                                                i % 2));
        golden.data("disagreeing", files.prepare(Given.files(both).label("y").split(ALL)), 3);
        golden.compare();
    }

    /** Windows of two rows and the next one. */
    private static SeriesSpec pairs(
            List<String> known,
            SeriesSpec.Scaling scaling,
            String validation,
            @Nullable String until) {
        return new SeriesSpec(
                "t", List.of("s"), List.of("v"), known, 2, 1, scaling, validation, "0", until);
    }

    @Test
    void seriesThatCannotBeCutShouldStay() throws Exception {
        Golden golden = new Golden("uncut", folder);
        SeriesSpec spec = pairs(List.of(), SeriesSpec.Scaling.COLUMN, "0.2", null);
        String[][] tables = {
            {"enough", "a,1,5", "a,2,6", "a,3,7", "a,4,8", "a,5,9"},
            {"too few", "a,1,5", "a,2,6", "a,3,7"},
            {"a gap", "a,1,5", "a,2,6", "a,4,7", "a,5,7", "a,6,7", "a,7,8"},
            {"twice", "a,1,5", "a,2,6", "a,2,7", "a,3,7", "a,4,7"},
            {"no value", "a,1,5", "a,2,", "a,3,7", "a,4,7", "a,5,7"},
            {"no time", "a,1,5", "a,,6", "a,3,7", "a,4,7", "a,5,7"},
            {"no series", "a,1,5", ",2,6", "a,3,7", "a,4,7", "a,5,7"},
            {"one short", "a,1,5", "a,2,6", "a,3,7", "a,4,8", "a,5,9", "b,1,5", "b,2,6"},
            {"a word", "a,1,5", "a,2,6", "a,3,x", "a,4,8", "a,5,9", "a,6,9"}
        };
        for (String[] table : tables) {
            List<String> lines = new ArrayList<>(List.of(table));
            lines.set(0, "s,t,v");
            Path path = Files.write(folder.resolve("s.csv"), lines);
            skipping(golden, table[0], Given.files(path).series(spec));
        }
        Path file = file("s.csv", "s,t,v", "a,1,5", "a,2,6", "a,3,7", "a,4,8", "a,5,9", "a,6,11");
        SeriesSpec none = SeriesSpec.of("T", 2, 1);
        SeriesSpec named = SeriesSpec.of("t", 2, 1);
        Given given = Given.files(file);
        prepared(golden, "no such time", given.series(none));
        prepared(golden, "no such series", given.series(named.seeing(List.of("S"), List.of("v"))));
        prepared(golden, "no such number", given.series(named.seeing(List.of("s"), List.of("V"))));
        prepared(golden, "a text", given.series(named.seeing(List.of(), List.of("s"))));
        given.label("w");
        prepared(golden, "no such label", given.series(named.seeing(List.of("s"), List.of("v"))));
        prepared(golden, "nor column", given.series(named.seeing(List.of("s"), List.of("V"))));
        golden.compare();
    }

    @Test
    void whatIsKnownAheadShouldStay() throws Exception {
        Golden golden = new Golden("known", folder);
        SeriesSpec known = pairs(List.of("k"), SeriesSpec.Scaling.COLUMN, "0.2", null);
        Path ahead = file("k.csv", "s,t,v,k", "a,1,5,0", "a,2,6,1", "a,3,7,0", "a,4,8,1", "a,5,,0");
        prepared(golden, "known ahead", Given.files(ahead).series(known));
        Path first = file("f.csv", "s,t,v,k", "a,1,,0", "a,2,6,1", "a,3,7,0", "a,4,8,1", "a,5,9,0");
        prepared(golden, "nothing but known first", Given.files(first).series(known));
        Path between =
                file("b.csv", "s,t,v,k", "a,1,5,0", "a,2,,1", "a,3,7,0", "a,4,8,1", "a,5,9,0");
        prepared(golden, "nothing but known between", Given.files(between).series(known));
        Path unknown =
                file("u.csv", "s,t,v,k", "a,1,5,0", "a,2,6,1", "a,3,7,", "a,4,8,1", "a,5,9,0");
        prepared(golden, "not known", Given.files(unknown).series(known));
        golden.compare();
    }

    @Test
    void windowsOfSeriesShouldStay() throws Exception {
        Golden golden = new Golden("cut", folder);
        SeriesSpec spec = pairs(List.of(), SeriesSpec.Scaling.COLUMN, "0.2", null);
        Path file = file("s.csv", "s,t,v", "a,1,5", "a,2,6", "a,3,7", "a,4,8", "a,5,9", "a,6,11");
        for (SeriesSpec.Scaling scaling : SeriesSpec.Scaling.values()) {
            for (String until : new String[] {"6", "7"}) {
                SeriesSpec other = pairs(List.of(), scaling, "5", until);
                Given cut = Given.files(file).series(other);
                golden.data(scaling + " until " + until, files.prepare(cut), 4);
            }
        }
        Encoding model = files.trained(Given.files(file).series(spec));
        Path few = file("few.csv", "s,t,v", "a,7,5", "a,8,6");
        golden.refused("few to judge", () -> Golden.found(files.encode(model, Given.files(few))));
        golden.data("as many as it looks back", files.encodeInputs(model, Given.files(few)), 1);
        Path fewer = file("fewer.csv", "s,t,v", "b,7,5");
        golden.refused("fewer", () -> Golden.found(files.encodeInputs(model, Given.files(fewer))));
        golden.compare();
    }

    /** The names may stand in a comment; what is above names is a comment, whatever its commas. */
    @Test
    void namesBehindCommentsShouldStay() throws Exception {
        Golden golden = new Golden("comments", folder);
        for (String[] text :
                new String[][] {
                    {"# made by me, today", "a,y", "1,u", "2,v"},
                    {"# made by me", "#a,y", "1,u", "2,v"},
                    {"#a,y", "1,u", "2,v"},
                    {"# made by me", "a,y", "1,u", "2,v"}
                }) {
            Given given = Given.files(file("c.csv", text)).format(DataFormat.CSV);
            prepared(golden, String.join("/", text), given.label("y").split(ALL));
        }
        golden.compare();
    }

    @Test
    void rowsOfSeveralFilesAndFormatsShouldStay() throws Exception {
        Golden golden = new Golden("places", folder);
        Path one = file("1.csv", "a,y", "1,u", "2,v", "x,u", "3,u", "4,v", "5,v", "6,v");
        Path two = file("2.csv", "y,a", "", "u,1", "\"v\",\"2\"", "w,x", "u,3", "v,5");
        Path three = file("3.csv", "a,y", "1,u", "2,", "3,v", "x,v");
        for (List<Path> some :
                List.of(List.of(one, two), List.of(two, three), List.of(three, two))) {
            Given given = Given.files(some.toArray()).label("y").numeric("a").split(ALL);
            skipping(golden, some.get(0).getFileName() + " first", given);
        }
        Path lines =
                file(
                        "r.jsonl",
                        "{\"a\": 1, \"y\": \"u\"}",
                        "",
                        "{\"a\": 2, \"y\": \"v\"}",
                        "{\"a\": 3",
                        "{\"a\": \"x\", \"y\": \"v\"}");
        Path whole =
                file(
                        "w.json",
                        "[{\"a\": 1, \"y\": \"u\"},",
                        "{\"a\": 2.5, \"y\": \"v\"}, {\"a\": \"x\", \"y\": \"v\"}]");
        Path odd =
                file(
                        "odd.jsonl",
                        "{\"a\": 1, \"y\": \"u\"}",
                        "7",
                        "{\"b\": 2, \"y\": \"v\"}",
                        "{\"a\": null, \"y\": \"v\"}");
        for (Path path : List.of(lines, whole, odd)) {
            Given given =
                    Given.files(path).format(DataFormat.JSONL).label("y").numeric("a").split(ALL);
            skipping(golden, "" + path.getFileName(), given);
        }
        String[] bad = {
            "1 1:2 1:3", "1 2:1 1:1", "0 a:1", "x 1:1", "1 0:1 3:", "0 1:1e999", "", "# note"
        };
        for (String line : bad) {
            Path pairs = file("p.svm", "0 1:1", "1 2:3", line, "0 3:1");
            Given given = Given.files(pairs).format(DataFormat.LIBSVM).split(ALL);
            skipping(golden, "'" + line + "'", given);
        }
        golden.compare();
    }

    @Test
    void oddValuesAndTextsShouldStay() throws Exception {
        Golden golden = new Golden("odd", folder);
        List<String> lines =
                new ArrayList<>(List.of("huge,tiny,long,control,same,ties,none,mostly,when"));
        String text = "abcdefghijklmnopqrstuvwxyz";
        for (int i = 0; i < 24; i++) {
            lines.add(
                    "%s,%s,%s,\"a\tb%sc\u0001\",x,%s,,%s,%s"
                            .formatted(
                                    i == 0 ? "1e200" : i % 3 == 0 ? "-1e149" : i + "",
                                    i % 2 == 0 ? "1e-300" : "0.1",
                                    text.substring(0, 3 + i) + (i % 2 == 0 ? "" : "\u00e9"),
                                    i % 2 == 0 ? "\r\n" : "\n",
                                    List.of("b", "a", "c").get(i % 3),
                                    i < 20 ? "" : "7",
                                    i % 4 == 0
                                            ? ""
                                            : "1969-12-%02d 23:59:%02d".formatted(i + 1, i)));
        }
        golden.described(Files.write(folder.resolve("o.csv"), lines));
        golden.described(rows("many.csv", "v,w,y", 60, i -> i % 21 + "," + i % 20 + "," + i % 41));
        golden.described(file("none.csv", "a,b", ",x", ",y"));
        String[] texts = {
            "\ufeffa,y\r\n1,u\r\n2,v\r\n",
            "a,y\r1,u\r2,v",
            "a,y\n1,u\r\n2,v\n",
            "\n\na,y\n\n1,u\n\n2,v\n\n",
            "a,y\n1,u\n2,v\n\0\0",
            "# note\n# more, still\na,y\n1,u\n2,v\n",
            "#a,y\n1,u\n2,v\n",
            "sep=|\na|y\n1|u\n2|v\n",
            "a\ty\n1\tu\n2\tv\n",
            "a;y\n1;u\n2;v\n",
            "\"a\" ,\"y\"\n1,u\n2,v\n",
            ",y\n0,u\n1,v\n2,u\n",
            "a,a,y\n1,2,u\n2,3,v\n",
            "1,u\n2,v\n",
            "a,y\n1,u\n2,\"v\n\"\"w\"\"\"\n3,u\n",
            "a,y\n1,\" u \"\n2, v\n3,u \n"
        };
        for (String one : texts) {
            Path file = Files.writeString(folder.resolve("t.csv"), one);
            golden.say("").say("== " + Json.line(one));
            TableSummary summary = TableSummary.of(file, DataFormat.CSV, TableSpec.defaults());
            for (TableSummary.ColumnSummary column : summary.columns()) {
                golden.say(
                        "%s: %s %s, %d missing, %s"
                                .formatted(
                                        Json.line(column.name()),
                                        column.type(),
                                        column.frequent(),
                                        column.missing(),
                                        summary.findings()));
            }
        }
        golden.compare();
    }
}
