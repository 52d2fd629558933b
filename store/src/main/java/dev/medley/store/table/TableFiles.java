package dev.medley.store.table;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How DuckDB reads files of one format: the table function and what its columns hold. */
final class TableFiles {
    private final DuckDb db;
    private final DataFormat format;
    private final TableSpec spec;
    private final @Nullable String label;
    private final Map<Path, CsvDialect> dialects = new LinkedHashMap<>();

    TableFiles(DuckDb db, DataFormat format, TableSpec spec, @Nullable String label) {
        this.db = db;
        this.format = format;
        this.spec = spec;
        this.label = label;
    }

    DataFormat format() {
        return format;
    }

    DecimalMark decimal() {
        return DecimalMark.of(format, spec);
    }

    TableSpec spec() {
        return spec;
    }

    /**
     * A column as a file has it.
     *
     * @param raw its name as written, which CSV may surround with spaces
     * @param name without them
     * @param type DuckDB's
     */
    record RawColumn(String raw, String name, String type) {
        ColumnKind kind() {
            return ColumnKind.of(type);
        }
    }

    /** The columns of a file. */
    List<RawColumn> columns(Path file) {
        try {
            check(
                    Files.size(file) > 0,
                    "%s: is empty; a table with a header and rows is needed",
                    file);
            List<RawColumn> columns = new ArrayList<>();
            for (List<String> row :
                    db.rows("DESCRIBE SELECT * FROM " + source(file, Map.of(), ""))) {
                columns.add(new RawColumn(row.get(0), row.get(0).strip(), row.get(1)));
            }
            return columns;
        } catch (SQLException e) {
            throw unreadable(file, e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e, e);
        }
    }

    /**
     * The table function for a file.
     *
     * @param types DuckDB types of CSV columns that are not left to be found, by raw name
     * @param rejects prefix of the tables that collect unreadable CSV rows; empty for none
     */
    String source(Path file, Map<String, String> types, String rejects) {
        String path = DuckDb.text(file.toString());
        return switch (format) {
            case PARQUET -> "read_parquet(" + path + ")";
            case JSONL ->
                    "read_json(%s, format = %s, ignore_errors = %s)"
                            .formatted(
                                    path,
                                    file.toString().endsWith(".json")
                                            ? "'auto'"
                                            : "'newline_delimited'",
                                    spec.badRows() == BadRows.SKIP);
            default -> csv(file, types, rejects);
        };
    }

    /** The table function that gives the values of a CSV file as the texts that they are. */
    String verbatim(Path file) {
        return csv(file, List.of("all_varchar = true", "nullstr = ''", "ignore_errors = true"));
    }

    /**
     * The table function that gives the values with their types, but CSV's texts for "yes" and "no"
     * as they are and not as booleans.
     */
    String typed(Path file) throws SQLException {
        Map<String, String> texts = new HashMap<>();
        if (format == DataFormat.CSV) {
            for (RawColumn column : columns(file)) {
                String query =
                        "SELECT count(*) FROM %s WHERE lower(trim(%s)) NOT IN ('true', 'false', %s)"
                                .formatted(
                                        verbatim(file),
                                        DuckDb.name(column.raw()),
                                        DuckDb.list(nulls()).replaceAll("^\\[|\\]$", ""));
                if (column.type().equals("BOOLEAN") && db.longs(query)[0] > 0) {
                    texts.put(column.raw(), "VARCHAR");
                }
            }
        }
        return source(file, texts, "");
    }

    /** Line of the first row; 0 where lines mean nothing. */
    long firstLine(Path file) {
        return switch (format) {
            case PARQUET -> 0;
            case JSONL -> 1;
            default -> dialect(file).hasHeader() ? 2 : 1;
        };
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
        } else if (message.contains("sniffing file")) {
            why = "cannot be read as CSV: is a quotation mark not closed?";
        } else if (format == DataFormat.PARQUET) {
            why = "cannot be read as Parquet: it is damaged or of another kind";
        }
        return new ConfigException("%s: %s (%s)".formatted(file, why, message), e);
    }

    private String csv(Path file, Map<String, String> types, String rejects) {
        List<String> options = new ArrayList<>();
        options.add("nullstr = " + DuckDb.list(nulls()));
        if (!types.isEmpty()) {
            options.add(
                    types.entrySet().stream()
                            .map(t -> DuckDb.text(t.getKey()) + ": '" + t.getValue() + "'")
                            .collect(Collectors.joining(", ", "types = {", "}")));
        }
        options.add(
                rejects.isEmpty()
                        ? "ignore_errors = true"
                        : "store_rejects = true, rejects_table = '%s', rejects_scan = '%s_scans'"
                                .formatted(rejects, rejects));
        return csv(file, options);
    }

    private String csv(Path file, List<String> options) {
        CsvDialect dialect = dialect(file);
        return ("read_csv(%s, delim = %s, decimal_separator = %s, quote = '\"', escape = '\"',"
                        + " header = %s, names = %s, %s)")
                .formatted(
                        DuckDb.text(file.toString()),
                        DuckDb.text(dialect.delimiter()),
                        DuckDb.text(decimal().character()),
                        dialect.hasHeader(),
                        DuckDb.list(dialect.names()),
                        String.join(", ", options));
    }

    /** Texts for "no value", also after the space that some files put behind a comma. */
    private List<String> nulls() {
        List<String> nulls = new ArrayList<>();
        for (String text : spec.missing()) {
            nulls.add(text);
            nulls.add(" " + text);
        }
        return nulls.isEmpty() ? List.of("") : nulls;
    }

    private CsvDialect dialect(Path file) {
        return dialects.computeIfAbsent(file, f -> CsvDialect.find(f, spec, label));
    }
}
