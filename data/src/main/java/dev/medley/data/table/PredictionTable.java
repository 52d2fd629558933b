package dev.medley.data.table;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.column.TableFiles;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;

/**
 * Writes predictions beside the rows they belong to, as CSV, Parquet or JSON lines. The file
 * appears when it is whole.
 *
 * <p>Thread: one.
 */
public final class PredictionTable implements AutoCloseable {
    private static final String CSV = "FORMAT csv, HEADER";
    private static final Map<String, String> FORMATS =
            Map.of(
                    "csv", CSV,
                    "parquet", "FORMAT parquet",
                    "jsonl", "FORMAT json",
                    "ndjson", "FORMAT json");

    private final Path out;
    private final ScratchFolder scratch;
    private final String select;
    private final String options;
    private final DuckDb db;
    private final DuckDBAppender appender;
    private final long inputRows;
    private long rows;

    private PredictionTable(
            Path out,
            ScratchFolder scratch,
            String select,
            String options,
            DuckDb db,
            DuckDBAppender appender,
            long inputRows) {
        this.out = out;
        this.scratch = scratch;
        this.select = select;
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
        ScratchFolder scratch = ScratchFolder.beside(out);
        DuckDb db = DuckDb.forFiles(files, scratch.path());
        try {
            TableFiles tables = TableFiles.like(encoding, db, format, spec);
            InputRows input = InputRows.load(db, tables, files);
            if (format == DataFormat.CSV && !options.contains("FORMAT csv")) {
                input.type(db, encoding, tables.decimal());
            }
            return start(db, scratch, input, columns, out, options);
        } catch (SQLException e) {
            abandon(db, scratch);
            throw new ConfigException(
                    "%s: cannot be read again to put predictions beside its rows: %s"
                            .formatted(files.get(0), DuckDb.message(e)),
                    e);
        } catch (IOException | RuntimeException e) {
            abandon(db, scratch);
            throw e;
        }
    }

    private static void abandon(DuckDb db, ScratchFolder scratch) throws IOException {
        db.close();
        scratch.close();
    }

    /** Predictions for samples that have names instead of columns, such as image files. */
    public static PredictionTable ofNames(
            List<String> names, Map<String, Boolean> columns, Path out) throws IOException {
        return ofRows(List.of("sample"), names.stream().map(List::of).toList(), columns, out);
    }

    /** Predictions for rows of texts, which have columns of these names. */
    public static PredictionTable ofRows(
            List<String> header, List<List<String>> texts, Map<String, Boolean> columns, Path out)
            throws IOException {
        String options = options(out);
        ScratchFolder scratch = ScratchFolder.beside(out);
        DuckDb db = DuckDb.forFiles(List.of(), scratch.path());
        try {
            List<InputRows.Column> named = new ArrayList<>();
            for (String name : header) {
                named.add(new InputRows.Column("i" + named.size(), name, name));
            }
            db.execute(
                    named.stream()
                            .map(column -> column.id() + " VARCHAR")
                            .collect(Collectors.joining(", ", "CREATE TABLE input (", ")")));
            try (DuckDBAppender appender = db.connection().createAppender("main", "input")) {
                for (List<String> row : texts) {
                    appender.beginRow();
                    for (String value : row) {
                        appender.append(value);
                    }
                    appender.endRow();
                }
            }
            InputRows input = new InputRows(named);
            return start(db, scratch, input, columns, out, options);
        } catch (SQLException e) {
            abandon(db, scratch);
            throw new IllegalStateException(e);
        }
    }

    private static PredictionTable start(
            DuckDb db,
            ScratchFolder scratch,
            InputRows input,
            Map<String, Boolean> columns,
            Path out,
            String options)
            throws SQLException {
        Map<String, String> types = types(input, columns);
        db.execute(
                "CREATE TABLE predictions ("
                        + types.entrySet().stream()
                                .map(type -> DuckDb.name(type.getKey()) + " " + type.getValue())
                                .collect(Collectors.joining(", "))
                        + ")");
        String written = options;
        if (options.startsWith(CSV) && input.hasOddNames()) {
            String header = input.csvHeader(List.copyOf(types.keySet()));
            written =
                    "FORMAT csv, HEADER false, PREFIX %s, SUFFIX E'\\n'%s"
                            .formatted(DuckDb.text(header), options.substring(CSV.length()));
        }
        return new PredictionTable(
                out,
                scratch,
                input.select(),
                written,
                db,
                db.connection().createAppender("main", "predictions"),
                db.longs("SELECT count(*) FROM input")[0]);
    }

    private static Map<String, String> types(InputRows input, Map<String, Boolean> columns) {
        List<String> names = freeNames(input.lowerNames(), columns.keySet());
        Map<String, String> types = new LinkedHashMap<>();
        Iterator<Boolean> areNumbers = columns.values().iterator();
        names.forEach(name -> types.put(name, areNumbers.next() ? "DOUBLE" : "VARCHAR"));
        return types;
    }

    /** A name that is there already gets an underscore: both columns are in the file. */
    public static List<String> freeNames(Collection<String> lowerNames, Collection<String> names) {
        Set<String> taken = new HashSet<>(lowerNames);
        List<String> all = new ArrayList<>();
        for (String name : names) {
            String free = name;
            while (!taken.add(free.toLowerCase(Locale.ROOT))) {
                free += "_";
            }
            all.add(free);
        }
        return all;
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
        Path temporary = scratch.path().resolve("part");
        try {
            appender.close();
            db.execute(
                    "COPY (SELECT %s, predictions.* FROM input POSITIONAL JOIN predictions) TO %s (%s)"
                            .formatted(select, DuckDb.text(temporary.toString()), options));
            AtomicFile.publish(temporary, out);
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        }
    }

    @Override
    public void close() throws IOException {
        abandon(db, scratch);
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
}
