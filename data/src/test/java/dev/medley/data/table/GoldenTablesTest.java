package dev.medley.data.table;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.Dates;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PredictionWriter;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rich tables give what they gave, in every word and number; see {@link Golden}. */
@Tag("unit")
class GoldenTablesTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);
    private static final List<String> NO_COLUMN = List.of();

    private final Path folder;
    private final GivenEncoding files;

    GoldenTablesTest(@TempDir Path folder) {
        this.folder = folder;
        this.files = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void classesOfARichTableShouldStay() throws IOException {
        Golden golden = new Golden("classes", folder);
        Given shop =
                Given.files(golden.table("shop.csv"))
                        .label("y")
                        .split(new SplitSpec(SplitKind.RANDOM, 0.25, null));
        PreparedData data = files.prepare(shop);
        golden.data("prepared", data, 6);
        Encoding model = GivenEncoding.again(data);
        Given later = Given.files(golden.table("later.csv")).badRows(BadRows.SKIP);
        golden.data("later rows", files.encode(model, later), 8);
        golden.data("their inputs", files.encodeInputs(model, later), 2);
        golden.data("learnt on", files.prepareAs(model, later.label("y").split(ALL)), 2);
        golden.compare();
    }

    @Test
    void numbersWithWeightsAndRareValuesShouldStay() throws IOException {
        Golden golden = new Golden("numbers", folder);
        TermSpec terms = new TermSpec(3, 3, NO_COLUMN, NO_COLUMN, 1000, 5, false);
        TableSpec table =
                table(
                        List.of("ref", "id"),
                        List.of("digit", "day", "switch"),
                        List.of("long", "code"),
                        2,
                        BadRows.SKIP,
                        NumberScaling.STANDARD,
                        terms,
                        NO_COLUMN);
        PreparedData data =
                files.prepare(
                        Given.files(golden.table("shop.csv"))
                                .label("price")
                                .task(Task.REGRESSION)
                                .weight("weight")
                                .table(table)
                                .split(new SplitSpec(SplitKind.STRATIFIED, 0.2, "city")));
        golden.data("prepared", data, 8);
        golden.data(
                "later rows",
                files.encode(
                        GivenEncoding.again(data),
                        Given.files(golden.table("later.csv")).badRows(BadRows.SKIP)),
                4);
        golden.compare();
    }

    @Test
    void rawNumbersWordsAndHashesShouldStay() throws IOException {
        Golden golden = new Golden("words", folder);
        Given words = Given.files(golden.table("words.csv")).label("y").split(ALL);
        TermSpec sparse = new TermSpec(1, 0, List.of("t", "u"), List.of("u", "h"), 1000, 4, true);
        PreparedData data = files.prepare(words.scaling(NumberScaling.RAW).terms(sparse));
        golden.data("sparse", data, 4);
        TermSpec spread = new TermSpec(2, 0, List.of("t"), List.of("h"), 3, 3, false);
        PreparedData other =
                files.prepare(
                        words.terms(spread).split(new SplitSpec(SplitKind.STRATIFIED, 0.3, null)));
        golden.data("spread", other, 6);
        Path more = Files.writeString(folder.resolve("more.csv"), "n,t,u,h\n3,red red blue,,k9\n");
        golden.data("more", files.encodeInputs(other.encoding(), Given.files(more)), 3);
        golden.data(
                "more of the sparse", files.encodeInputs(data.encoding(), Given.files(more)), 3);
        golden.compare();
    }

    @Test
    void gradesRatesAndNoLabelShouldStay() throws IOException {
        Golden golden = new Golden("tasks", folder);
        Given ranks = Given.files(golden.table("ranks.csv")).label("grade").ranked("query");
        PreparedData ranked =
                files.prepare(ranks.split(new SplitSpec(SplitKind.RANDOM, 0.25, null)));
        golden.data("grades", ranked, 10);
        Given same = Given.files(golden.table("ranks.csv"));
        golden.data("grades again", files.encode(ranked.encoding(), same), 8);
        Given rates =
                Given.files(golden.table("rates.csv"))
                        .label("claims")
                        .task(Task.COUNTS)
                        .weight("exposure")
                        .split(new SplitSpec(SplitKind.TAIL, 0.2, null));
        golden.data("rates", files.prepare(rates), 5);
        Given none = Given.files(golden.table("rates.csv")).task(Task.NONE).split(ALL);
        golden.data("no label", files.prepare(none.scaling(NumberScaling.NONE)), 3);
        Given strengths =
                Given.files(golden.table("ranks.csv")).label("w").task(Task.STRENGTH).split(ALL);
        golden.data("strengths", files.prepare(strengths), 3);
        golden.compare();
    }

    @Test
    void otherDialectsAndFormatsShouldStay() throws IOException {
        Golden golden = new Golden("dialects", folder);
        TableSpec comma =
                new TableSpec(
                        null,
                        null,
                        ",",
                        Dates.FOUND,
                        List.of("", "k.A."),
                        NO_COLUMN,
                        List.of("n"),
                        List.of("y"),
                        50,
                        BadRows.FAIL,
                        NumberScaling.ROBUST,
                        TermSpec.defaults(),
                        NO_COLUMN);
        PreparedData euro =
                files.prepare(
                        Given.files(golden.table("euro.csv"))
                                .table(comma)
                                .label("y")
                                .weight("w")
                                .task(Task.REGRESSION)
                                .split(new SplitSpec(SplitKind.TAIL, 0.25, null)));
        golden.data("comma", euro, 4);
        Given point = Given.files(golden.table("euro.csv")).label("y").split(ALL);
        golden.data("point", files.prepare(point.dates(Dates.DAY_FIRST).badRows(BadRows.SKIP)), 2);
        Path alone = Files.write(folder.resolve("c.csv"), List.of("a,y", "1,u", "2,v", "5,u"));
        golden.data(
                "commas alone",
                files.prepare(Given.files(alone).decimal(",").label("y").split(ALL)),
                3);
        Path named =
                Files.write(
                        folder.resolve("s.csv"),
                        List.of("a;\"b, c\";y", "1,5;x;u", "2,5;z;v", "3;x;u"));
        golden.data(
                "commas in names",
                files.prepare(Given.files(named).decimal(",").label("y").split(ALL)),
                3);
        Given bare = Given.files(golden.table("bare.tsv")).label("column2").split(ALL);
        golden.data("no header", files.prepare(bare.numeric("column2")), 4);
        Given pairs = Given.files(golden.table("pairs.svm")).format(DataFormat.LIBSVM).split(ALL);
        golden.data("pairs", files.prepare(pairs), 4);
        PreparedData rows =
                files.prepare(Given.files(golden.table("rows.jsonl")).label("y").split(ALL));
        golden.data("json", rows, 6);
        golden.compare();
    }

    @Test
    void windowsAndSequencesShouldStay() throws IOException {
        Golden golden = new Golden("series", folder);
        SeriesSpec spec =
                new SeriesSpec(
                        "day",
                        List.of("store"),
                        List.of("sold", "cost"),
                        List.of("holiday"),
                        5,
                        3,
                        SeriesSpec.Scaling.SERIES,
                        "0.2",
                        "2024-02-08",
                        null);
        PreparedData windows = files.prepare(Given.files(golden.table("sales.csv")).series(spec));
        golden.data("windows", windows, 3);
        Encoding model = GivenEncoding.again(windows);
        Given sales = Given.files(golden.table("sales.csv")).series(spec);
        golden.data("test", files.encode(model, sales), 2);
        Given ahead = Given.files(golden.table("ahead.csv")).series(spec);
        PreparedData inputs = files.encodeInputs(model, ahead);
        golden.data("ahead", inputs, 2);
        predictions(
                golden, inputs, "forecast.csv", 2, new Object[] {0.0, 1.0, 2.0, -1.0, 0.5, 3.0});
        SeriesSpec one = SeriesSpec.of("t", 4, 1).seeing(List.of("walk"), List.of("x", "z"));
        Given walks = Given.files(golden.table("walks.csv")).series(one);
        PreparedData kinds =
                files.prepare(
                        walks.label("kind").split(new SplitSpec(SplitKind.STRATIFIED, 0.4, null)));
        golden.data("kinds", kinds, 15);
        Given judged =
                Given.files(golden.table("walks.csv"))
                        .validation(Files.copy(golden.table("walks.csv"), folder.resolve("w2.csv")))
                        .series(one)
                        .label("kind");
        golden.data("kinds of two files", files.prepare(judged), 1);
        golden.data("kinds again", files.encode(kinds.encoding(), walks), 3);
        Given heights = Given.files(golden.table("walks.csv")).series(one).label("height");
        golden.data("heights", files.prepare(heights.task(Task.REGRESSION)), 3);
        golden.compare();
    }

    @Test
    void descriptionsAndPredictionsShouldStay() throws IOException {
        Golden golden = new Golden("described", folder);
        for (String file : List.of("shop.csv", "rows.jsonl", "euro.csv", "bare.tsv")) {
            golden.described(golden.table(file));
        }
        Given shop = Given.files(golden.table("shop.csv")).label("y").split(ALL);
        PreparedData later =
                files.encodeInputs(files.trained(shop), Given.files(golden.table("later.csv")));
        predictions(golden, later, "p.csv", 24, new Object[] {"low", 0.25, "spare"});
        predictions(golden, later, "p.jsonl", 24, new Object[] {"low", 0.25, "spare"});
        golden.compare();
    }

    /** Files whose columns have types, and rows of several files beside predictions. */
    @Test
    void typesAndSeveralFilesShouldStay() throws Exception {
        Golden golden = new Golden("typed", folder);
        Path file = folder.resolve("t.parquet");
        try (DuckDb db = DuckDb.forFiles(List.of(), folder.resolve("db"))) {
            db.execute(
                    """
                    COPY (SELECT i::TINYINT AS tiny,
                      CASE WHEN i = 3 THEN NULL ELSE i * 7 END AS whole,
                      CASE WHEN i = 5 THEN 'nan'::DOUBLE ELSE i / 4 END AS half,
                      (i * 1.25)::DECIMAL(9, 2) AS money,
                      (9107199254740993 + i)::UBIGINT AS long,
                      i %% 3 = 0 AS flag, DATE '2024-02-27' + i::INTEGER AS day,
                      TIMESTAMP '2024-01-01 12:00:00.5' + INTERVAL (i) HOUR AS moment,
                      TIMESTAMPTZ '2024-01-01 12:00:00+02' + INTERVAL (i) DAY AS zoned,
                      TIME '01:00:00' + INTERVAL (i) MINUTE AS clock,
                      ['u', ' v', 'w', NULL, '?'][1 + i %% 5] AS word,
                      (i %% 4)::FLOAT AS code, [i] AS list, {'a': i} AS pair, 'x'::BLOB AS bytes,
                      (i %% 2 + 1)::DOUBLE AS y
                      FROM range(20) r(i)) TO '%s' (FORMAT parquet)
                    """
                            .formatted(file));
        }
        golden.described(file);
        TermSpec terms = TermSpec.defaults();
        TableSpec table =
                table(
                        NO_COLUMN,
                        List.of("code", "tiny"),
                        NO_COLUMN,
                        5,
                        BadRows.FAIL,
                        NumberScaling.ROBUST,
                        terms,
                        List.of(
                                "whole", "half", "money", "flag", "day", "moment", "word", "code",
                                "tiny"));
        Given given = Given.files(file).label("y").split(ALL);
        golden.refused("nan", () -> files.prepare(given));
        PreparedData data = files.prepare(given.table(table));
        golden.data("prepared", data, 8);
        Encoding model = GivenEncoding.again(data);
        Path one = folder.resolve("one.csv");
        String names = "day,moment,word,code,half,money,flag,whole,tiny";
        Files.write(
                one,
                List.of(
                        "\"Y, \"\"1\"\"\"," + names,
                        "a,2024-03-01,2024-01-01 13:00,u,1.0,0.5,2.5,true,14,1",
                        "b,2024-03-02,2024-01-01T14:00:00Z,v ,3,0.75,3.75,false,,07"));
        Path two = folder.resolve("two.csv");
        Files.write(two, List.of(names + ",P", "2024-03-09,2024-01-02,w,9,1,5,no,28,4,007"));
        PreparedData later = files.encodeInputs(model, Given.files(one, two));
        golden.data("later", later, 3);
        predictions(golden, later, "both.csv", 3, new Object[] {"1", 0.5, "n"});
        predictions(golden, later, "both.ndjson", 3, new Object[] {"1", 0.5, "n"});
        predictions(
                golden,
                files.encodeInputs(model, Given.files(file).table(table)),
                "t.csv",
                20,
                new Object[] {"2", 0.1, ""});
        golden.compare();
    }

    private void predictions(
            Golden golden, PreparedData data, String name, int rows, Object[] values)
            throws IOException {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        boolean isForecast = values.length > 3;
        for (String column : isForecast ? List.of("sold", "cost") : List.of("Y", "p", "note")) {
            columns.put(
                    column, isForecast || column.equals("p") ? ColumnType.NUMBER : ColumnType.TEXT);
        }
        Path out = folder.resolve(name);
        try (PredictionWriter writer = PredictionWriter.open(data, columns, out)) {
            for (int i = 0; i < rows; i++) {
                writer.add(values);
            }
            writer.finish();
        }
        golden.say("").say("== " + name);
        Files.readAllLines(out).stream().limit(30).forEach(golden::say);
    }

    private static TableSpec table(
            List<String> drop,
            List<String> categorical,
            List<String> numeric,
            int oneHotLimit,
            BadRows badRows,
            NumberScaling scaling,
            TermSpec terms,
            List<String> columns) {
        return new TableSpec(
                null,
                null,
                ".",
                Dates.FOUND,
                List.of("", "?", "NA", "null", "nan"),
                drop,
                categorical,
                numeric,
                oneHotLimit,
                badRows,
                scaling,
                terms,
                columns);
    }
}
