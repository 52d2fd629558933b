package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the columns of files, each file by itself, so that none is converted to what another one
 * has. A file may lack columns of others; one whose column is of another type is refused.
 */
final class FileColumns {
    private final DuckDb db;
    private final FilesOptions options;

    FileColumns(DuckDb db, FilesOptions options) {
        this.db = db;
        this.options = options;
    }

    /** All columns of all files, in the order in which they turn up. */
    List<FileColumn> of(List<FileStamp> files) throws IOException {
        Map<String, String> types = new LinkedHashMap<>();
        Map<String, String> firsts = new LinkedHashMap<>();
        for (FileStamp file : files) {
            for (Map.Entry<String, String> found : types(file).entrySet()) {
                String before = types.putIfAbsent(found.getKey(), found.getValue());
                firsts.putIfAbsent(found.getKey(), file.name());
                ConfigException.check(
                        before == null || before.equals(found.getValue()),
                        "column '%s' is %s in %s but %s in %s: write both files alike, or name them"
                                + " as two tables",
                        found.getKey(),
                        before,
                        firsts.get(found.getKey()),
                        found.getValue(),
                        file.name());
            }
        }
        requireNamed(options, types.keySet());
        List<FileColumn> columns = new ArrayList<>();
        types.forEach((name, type) -> columns.add(column(name, type)));
        return columns;
    }

    /** Columns whose types are named have to be among those of the files. */
    static void requireNamed(FilesOptions options, Set<String> columns) {
        for (String named : options.types().keySet()) {
            ConfigException.check(
                    columns.contains(named),
                    "a type is named for column '%s', which no file has%s",
                    named,
                    DidYouMean.of(named, columns)
                            .map(n -> "; did you mean '" + n + "'?")
                            .orElse(": they have " + columns));
        }
    }

    /** Texts are read plain or packed by gzip. */
    static void requireReadable(FilesOptions options, FileStamp file) {
        ConfigException.check(
                !file.name().endsWith(".zst") || options.format() == FileFormat.PARQUET,
                "%s: is packed by zstd, which is not read here: unpack it, or pack it by gzip",
                options.folder().resolve(file.name()));
    }

    private FileColumn column(String name, String type) {
        boolean nullable = !options.key().contains(name);
        ColumnType named = options.types().get(name);
        if (named != null) {
            return new FileColumn(
                    new Column(name, name, named, nullable), NamedTypes.value(named, name));
        }
        return new FileColumn(
                new Column(name, name, FileTypes.of(type), nullable),
                FileTypes.value(type, DuckDb.name(name)));
    }

    Map<String, String> types(FileStamp file) throws IOException {
        Path path = options.folder().resolve(file.name());
        requireReadable(options, file);
        Map<String, String> types = new LinkedHashMap<>();
        try {
            if (options.format() == FileFormat.JSON) {
                JsonObjects.names(path).forEach(name -> types.put(name, "VARCHAR"));
            } else if (options.format() == FileFormat.CSV) {
                CsvHeader.of(path).names().forEach(name -> types.put(name, "VARCHAR"));
            } else {
                db.rows("DESCRIBE SELECT * FROM " + table(path))
                        .forEach(row -> types.put(row.get(0), row.get(1)));
            }
        } catch (SQLException e) {
            throw trouble(path, e);
        }
        return types;
    }

    /** The query of a file's rows with all {@code columns} by name; those it lacks are missing. */
    String rows(FileStamp file, List<FileColumn> columns) throws IOException {
        Path path = options.folder().resolve(file.name());
        Map<String, String> own = types(file);
        String missing =
                columns.stream()
                        .map(FileColumn::column)
                        .filter(c -> !own.containsKey(c.name()))
                        .map(
                                c ->
                                        ", CAST(NULL AS %s) AS %s"
                                                .formatted(
                                                        SqlColumns.type(c.type()),
                                                        DuckDb.name(c.name())))
                        .collect(Collectors.joining());
        return "SELECT *%s FROM %s".formatted(missing, table(path));
    }

    String table(Path path) throws IOException {
        if (options.format() == FileFormat.PARQUET) {
            return "read_parquet(" + DuckDb.path(path) + ", hive_partitioning = false)";
        }
        CsvHeader header = CsvHeader.of(path);
        String columns =
                header.names().stream()
                        .map(name -> DuckDb.text(name) + ": 'VARCHAR'")
                        .collect(Collectors.joining(", ", "{", "}"));
        return ("read_csv(%s, auto_detect = false, header = true, columns = %s, delim = %s,"
                        + " quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false,"
                        + " strict_mode = true, max_line_size = 20000000)")
                .formatted(
                        DuckDb.path(path),
                        columns,
                        DuckDb.text(String.valueOf(header.delimiter())));
    }

    static IOException trouble(Path file, SQLException e) {
        throw new ConfigException(file + ": cannot be read: " + DuckDb.message(e), e);
    }
}
