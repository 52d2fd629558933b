package dev.medley.data.table.column;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.InputFiles;
import dev.medley.data.table.csv.CsvFiles;
import dev.medley.data.table.csv.CsvLines;
import dev.medley.data.table.csv.CsvRecords;
import dev.medley.data.table.csv.CsvText;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells DuckDB how to read files of one format: the table function and what its columns hold. */
public final class TableFiles {
    /** What DuckDB takes a column of JSON for that is null in all rows. */
    private static final String NOTHING = "\"NULL\"";

    private final DuckDb db;
    private final DataFormat format;
    private final TableSpec spec;
    private final Map<Path, List<RawColumn>> columns = new LinkedHashMap<>();
    private final DecimalMark decimal;
    private final CsvFiles csv;

    private TableFiles(
            DuckDb db,
            DataFormat format,
            TableSpec spec,
            @Nullable String label,
            DecimalMark decimal) {
        this.db = db;
        this.format = format;
        this.spec = spec;
        this.decimal = decimal;
        this.csv = new CsvFiles(spec, label, decimal, db.scratch());
    }

    /** Files that are read for the first time. */
    public TableFiles(DuckDb db, DataFormat format, TableSpec spec, @Nullable String label) {
        this(db, format, spec, label, DecimalMark.of(format, spec));
    }

    /** Files that are read as training read others. */
    public static TableFiles like(
            TableEncoding encoding, DuckDb db, DataFormat format, TableSpec spec) {
        List<String> label = encoding.label().columns();
        DecimalMark decimal = DecimalMark.of(format, spec, encoding.csv());
        TableFiles files =
                new TableFiles(db, format, spec, label.isEmpty() ? null : label.get(0), decimal);
        List<String> names = new ArrayList<>(label);
        encoding.columns().forEach(column -> names.add(column.name()));
        Set<String> optional = new HashSet<>(label);
        if (encoding.weight() != null) {
            optional.add(encoding.weight().column());
        }
        if (encoding.label().group() != null) {
            optional.add(encoding.label().group());
        }
        files.csv.expect(encoding.csv(), names, optional);
        return files;
    }

    /** The format that all files have. */
    public DataFormat format() {
        return format;
    }

    /** The decimal mark that all files have. */
    public DecimalMark decimal() {
        return decimal;
    }

    TableSpec spec() {
        return spec;
    }

    /** How the CSV files that were looked at are written; null for another format. */
    @Nullable
    public CsvReading reading() {
        return format == DataFormat.CSV ? csv.reading() : null;
    }

    /** Texts for "no value"; NaN is taken in every spelling or in none. */
    List<String> missing() {
        Set<String> missing = new LinkedHashSet<>();
        spec.missing().forEach(text -> missing.add(text.strip()));
        if (isNanMissing()) {
            missing.addAll(List.of("nan", "NaN", "NAN", "Nan"));
        }
        return List.copyOf(missing);
    }

    boolean isNanMissing() {
        return spec.missing().stream().anyMatch(m -> m.strip().equalsIgnoreCase("nan"));
    }

    /**
     * A column as a file has it.
     *
     * @param sql its name in the table function
     * @param name in the file, without spaces around it
     * @param type DuckDB's
     */
    public record RawColumn(String sql, String name, String type) {
        ColumnKind kind() {
            return ColumnKind.of(type);
        }
    }

    /** The columns of a file. */
    public List<RawColumn> columns(Path file) {
        return columns.computeIfAbsent(file, this::find);
    }

    private List<RawColumn> find(Path file) {
        try {
            check(
                    Files.size(file) > 0,
                    "%s: is empty; a table with a header and rows is needed",
                    file);
            List<RawColumn> found = new ArrayList<>();
            if (format == DataFormat.CSV) {
                for (String name : csv.names(file)) {
                    found.add(new RawColumn(CsvFiles.sql(found.size()), name, "VARCHAR"));
                }
                return found;
            }
            if (format == DataFormat.JSONL) {
                InputFiles.requireWholeText(file);
            }
            for (List<String> row : db.rows("DESCRIBE SELECT * FROM " + typed(file))) {
                found.add(column(file, row.get(0), row.get(1)));
            }
            return found;
        } catch (SQLException e) {
            throw unreadable(file, e);
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }

    /**
     * JSON's values are read as the texts that they are: what a text looks like depends on the
     * column, not on the first rows. So what DuckDB takes for a date or a number is a text to us,
     * and so are values of several types.
     */
    private RawColumn column(Path file, String name, String type) throws SQLException {
        String sql = DuckDb.name(name);
        boolean isText =
                format == DataFormat.JSONL
                        && (type.equals("JSON")
                                ? !isNested(file, sql)
                                : type.equals(NOTHING) || ColumnKind.of(type) != ColumnKind.OTHER);
        return isText
                ? new RawColumn("(" + sql + "->>'$')", name.strip(), "VARCHAR")
                : new RawColumn(sql, name.strip(), type);
    }

    private boolean isNested(Path file, String sql) throws SQLException {
        String nested =
                "SELECT count(*) FILTER (json_type(%s) IN ('OBJECT', 'ARRAY')) FROM %s"
                        .formatted(sql, JsonFiles.source(file, spec.badRows(), 1));
        return db.longs(nested)[0] > 0;
    }

    /**
     * The table function for a file, whose columns {@link #columns} names.
     *
     * @param rejects prefix of the tables that collect unreadable CSV rows
     */
    String source(Path file, String rejects) {
        return switch (format) {
            case PARQUET -> typed(file);
            case JSONL -> JsonFiles.source(file, spec.badRows(), 1);
            case LIBSVM -> LibsvmFiles.source(file);
            default ->
                    csv.source(
                            file,
                            List.of(
                                    "nullstr = " + DuckDb.list(nulls()),
                                    "store_rejects = true",
                                    "rejects_table = " + DuckDb.text(rejects),
                                    "rejects_scan = " + DuckDb.text(rejects + "_scans")));
        };
    }

    /**
     * The table function that gives values with the types that the file, or DuckDB, says; those of
     * CSV as the texts that they are.
     */
    public String typed(Path file) {
        return switch (format) {
            case PARQUET -> "read_parquet(" + DuckDb.path(file) + ", hive_partitioning = false)";
            case JSONL -> JsonFiles.source(file, spec.badRows(), -1);
            case LIBSVM -> LibsvmFiles.source(file);
            default -> csv.source(file, List.of("nullstr = ''", "ignore_errors = true"));
        };
    }

    /** The names of a file's columns as they stand in it, and are to stand in a copy. */
    public List<String> header(Path file) {
        return format == DataFormat.CSV
                ? csv.header(file)
                : columns(file).stream().map(RawColumn::name).toList();
    }

    /** The names of a file's columns as its rows would have them; empty for no value. */
    Map<String, String> namesAsValues(Path file) {
        List<RawColumn> here = columns(file);
        List<String> header = header(file);
        List<String> missing = missing();
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < here.size(); i++) {
            String text = header.get(i).strip();
            values.put(here.get(i).name(), missing.contains(text) ? "" : text);
        }
        return values;
    }

    /**
     * The line of a row of a file; 0 where lines mean nothing.
     *
     * @param row its number among those that were read, from 0
     * @param rejected the first bytes of the rows that were not, in order
     */
    long line(Path file, long row, long[] rejected) {
        if (format == DataFormat.PARQUET
                || (format == DataFormat.JSONL && JsonFiles.isWhole(file))) {
            return 0;
        }
        if (format == DataFormat.LIBSVM) {
            return LibsvmFiles.line(file, row);
        }
        if (format == DataFormat.JSONL) {
            CsvText text = JsonFiles.isGzip(file) ? CsvText.gzip(file) : CsvText.plain(file);
            return new CsvLines(text, CsvRecords.NO_QUOTES)
                    .ofRow(row, 1, CsvLines.Blank.NOTHING, rejected);
        }
        return csv.line(file, row, rejected);
    }

    /** Whether values of a CSV file may have a space before or behind them. */
    boolean hasSpacedValues(Path file) {
        return csv.hasSpacedValues(file);
    }

    /** The lines of a CSV file. */
    CsvLines lines(Path file) {
        return csv.lines(file);
    }

    /** What the user should know of how the CSV files are written. */
    public List<String> notes() {
        return csv.notes();
    }

    /** What DuckDB says of a file, as the user's error. */
    ConfigException unreadable(Path file, SQLException e) {
        String message = DuckDb.message(e);
        String why = "cannot be read as " + format;
        if (message.contains("No space left") || message.contains("Out of Memory")) {
            why = "cannot be staged: there is not enough room for its rows";
        } else if (message.contains("No magic bytes")
                || message.contains("too small to be a Parquet")) {
            why = "is not a whole Parquet file, it was probably cut off: write or fetch it again";
        } else if (message.contains("Maximum line size")) {
            why = "cannot be read as CSV: a row is too long; is a quotation mark not closed?";
        } else if (message.contains("expected records")) {
            why = "cannot be read as JSON: not all of its rows are objects, as {\"a\": 1}";
        } else if (format == DataFormat.PARQUET) {
            why = "cannot be read as Parquet: it is damaged or of another kind";
        }
        return new ConfigException("%s: %s (%s)".formatted(file, why, message), e);
    }

    /** Texts for "no value", also after the space that some files put behind a comma. */
    private List<String> nulls() {
        List<String> nulls = new ArrayList<>();
        for (String text : missing()) {
            nulls.add(text);
            nulls.add(" " + text);
        }
        return nulls.isEmpty() ? List.of("") : nulls;
    }
}
