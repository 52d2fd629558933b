package dev.medley.store.table;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.store.encoding.TableEncoding;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.duckdb.DuckDBAppender;

/**
 * Predictions beside the rows they belong to, written as CSV, Parquet or JSON lines. The file
 * appears when it is whole.
 *
 * <p>Thread: one.
 */
public final class PredictionTable implements AutoCloseable {
    private static final Map<String, String> FORMATS =
            Map.of(
                    "csv", "FORMAT csv, HEADER",
                    "parquet", "FORMAT parquet",
                    "jsonl", "FORMAT json",
                    "ndjson", "FORMAT json");

    private final Path out;
    private final String options;
    private final DuckDb db;
    private final DuckDBAppender appender;
    private final long inputRows;
    private long rows;

    private PredictionTable(
            Path out, String options, DuckDb db, DuckDBAppender appender, long inputRows) {
        this.out = out;
        this.options = options;
        this.db = db;
        this.appender = appender;
        this.inputRows = inputRows;
    }

    /**
     * Predictions for the rows of tables.
     *
     * <p>Texts of CSV are written to another format with the types that training found, and as the
     * texts that they are where it found none; whole numbers as such.
     *
     * @param encoding by which the files were read
     * @param columns names of the prediction columns, with whether each is a number (else a text)
     * @param out its extension tells the format
     */
    public static PredictionTable ofFiles(
            List<Path> files,
            DataFormat format,
            TableSpec spec,
            TableEncoding encoding,
            Map<String, Boolean> columns,
            Path out)
            throws IOException {
        String options = options(out);
        DuckDb db = DuckDb.forFiles(files, scratch(out));
        try {
            TableFiles tables = TableFiles.like(encoding, db, format, spec);
            for (int i = 0; i < files.size(); i++) {
                String source = tables.typed(files.get(i));
                String into = i == 0 ? "CREATE TABLE input AS " : "INSERT INTO input BY NAME ";
                db.plainly(() -> db.execute(into + "SELECT * FROM " + source));
            }
            if (format == DataFormat.CSV && !options.contains("FORMAT csv")) {
                type(db, encoding, tables);
            }
            return start(db, columns, out, options);
        } catch (SQLException e) {
            db.close();
            throw new ConfigException(
                    "%s: cannot be read again to put predictions beside its rows: %s"
                            .formatted(files.get(0), DuckDb.message(e)),
                    e);
        }
    }

    private static void type(DuckDb db, TableEncoding encoding, TableFiles tables)
            throws SQLException {
        Map<String, ColumnForm> forms = new HashMap<>();
        encoding.columns().forEach(c -> forms.put(c.name(), ColumnForm.of(c)));
        List<String> names = new ArrayList<>();
        db.rows("SELECT column_name FROM (DESCRIBE input)").forEach(row -> names.add(row.get(0)));
        Function<String, ColumnForm> form =
                name -> forms.getOrDefault(name.strip(), ColumnForm.TEXT);
        List<long[]> others =
                new ColumnQuery(db, "input")
                        .counts(
                                names,
                                form,
                                name -> "trim(" + DuckDb.name(name) + ")",
                                (f, text) -> List.of(notWhole(f, text, tables.decimal())));
        List<String> select = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = DuckDb.name(names.get(i));
            ColumnForm found = form.apply(names.get(i));
            String value = found.sql("trim(" + name + ")", tables.decimal());
            boolean isWhole = others.get(i)[0] == 0;
            select.add(typed(found.kind(), isWhole, name, value) + " AS " + name);
        }
        db.execute("CREATE TABLE typed AS SELECT " + String.join(", ", select) + " FROM input");
        db.execute("DROP TABLE input");
        db.execute("ALTER TABLE typed RENAME TO input");
    }

    /** Values that are more than a whole number, or written as none: codes keep their zeros. */
    private static String notWhole(ColumnForm form, String text, DecimalMark decimal) {
        String value = form.sql(text, decimal);
        return "count(*) FILTER (%s)"
                .formatted(
                        form.kind() == ColumnKind.NUMBER
                                ? "%1$s <> floor(%1$s) OR abs(%1$s) > 9e15".formatted(value)
                                : "CAST(TRY_CAST(%1$s AS BIGINT) AS VARCHAR) IS DISTINCT FROM %1$s"
                                        .formatted(text));
    }

    private static String typed(ColumnKind kind, boolean isWhole, String name, String value) {
        return switch (kind) {
            case NUMBER, TEXT ->
                    isWhole
                            ? "CAST(" + value + " AS BIGINT)"
                            : kind == ColumnKind.TEXT ? name : value;
            case BOOLEAN -> "CAST(" + value + " AS BOOLEAN)";
            default ->
                    "CAST(make_timestamp(CAST(%s * 1000000 AS BIGINT)) AS %s)"
                            .formatted(value, kind);
        };
    }

    /** Predictions for samples that have names instead of columns, such as image files. */
    public static PredictionTable ofNames(
            List<String> names, Map<String, Boolean> columns, Path out) throws IOException {
        String options = options(out);
        DuckDb db = DuckDb.forFiles(List.of(), scratch(out));
        try {
            db.execute("CREATE TABLE input (sample VARCHAR)");
            try (DuckDBAppender appender = db.connection().createAppender("main", "input")) {
                for (String name : names) {
                    appender.beginRow().append(name).endRow();
                }
            }
            return start(db, columns, out, options);
        } catch (SQLException e) {
            db.close();
            throw new IllegalStateException(e);
        }
    }

    private static PredictionTable start(
            DuckDb db, Map<String, Boolean> columns, Path out, String options) throws SQLException {
        db.execute("CREATE TABLE predictions (" + types(db, columns) + ")");
        return new PredictionTable(
                out,
                options,
                db,
                db.connection().createAppender("main", "predictions"),
                db.longs("SELECT count(*) FROM input")[0]);
    }

    /** A name that the input has already gets an underscore: both columns are in the file. */
    private static String types(DuckDb db, Map<String, Boolean> columns) throws SQLException {
        Set<String> taken = new HashSet<>();
        for (List<String> row : db.rows("SELECT lower(column_name) FROM (DESCRIBE input)")) {
            taken.add(row.get(0));
        }
        List<String> types = new ArrayList<>();
        columns.forEach(
                (name, isNumber) -> {
                    String free = name;
                    while (!taken.add(free.toLowerCase(Locale.ROOT))) {
                        free += "_";
                    }
                    types.add(DuckDb.name(free) + (isNumber ? " DOUBLE" : " VARCHAR"));
                });
        return String.join(", ", types);
    }

    /** Adds the next row: for every column a Double or a String. */
    public void add(Object... values) {
        try {
            appender.beginRow();
            for (Object value : values) {
                if (value instanceof Double number) {
                    appender.append(number.doubleValue());
                } else {
                    appender.append(String.valueOf(value));
                }
            }
            appender.endRow();
            rows++;
        } catch (SQLException e) {
            throw new IllegalStateException("a prediction of " + values.length + " columns", e);
        }
    }

    /** Writes the file and puts it in place; every input row must have its prediction. */
    public void finish() throws IOException {
        if (rows != inputRows) {
            throw new IllegalStateException(
                    "%d predictions for %d input rows".formatted(rows, inputRows));
        }
        Path temporary = scratch(out).resolve("part");
        try {
            appender.close();
            db.execute(
                    "COPY (SELECT * FROM input POSITIONAL JOIN predictions) TO %s (%s)"
                            .formatted(DuckDb.text(temporary.toString()), options));
            AtomicFile.publish(temporary, out);
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        }
    }

    @Override
    public void close() throws IOException {
        db.close();
        Path scratch = scratch(out);
        Files.deleteIfExists(scratch.resolve("part"));
        Files.deleteIfExists(scratch);
    }

    /**
     * What a file's ending asks for; a {@link ConfigException} lists the endings that there are.
     */
    public static String options(Path out) {
        String name = out.getFileName().toString().toLowerCase(Locale.ROOT);
        boolean isGzip = name.endsWith(".gz");
        String plain = isGzip ? name.substring(0, name.length() - 3) : name;
        String format = FORMATS.get(plain.substring(plain.lastIndexOf('.') + 1));
        check(
                format != null && !(isGzip && plain.endsWith(".parquet")),
                "%s: the ending says what is written: use .csv, .parquet or .jsonl (.csv.gz,"
                        + " .jsonl.gz)",
                out);
        return format + (isGzip ? ", COMPRESSION gzip" : "");
    }

    /** Beside the file, so that it can be renamed into place. */
    private static Path scratch(Path out) throws IOException {
        Path folder = out.toAbsolutePath().resolveSibling("." + out.getFileName() + ".tmp");
        return Files.createDirectories(folder);
    }
}
