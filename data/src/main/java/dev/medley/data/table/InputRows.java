package dev.medley.data.table;

import dev.medley.base.job.DataFormat;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.column.ColumnForm;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.TableFiles;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rows that predictions are put beside, as their files have them, in the table {@code input}.
 *
 * @param columns of all files, those of the first one first
 */
record InputRows(List<Column> columns) {
    /** Up to which neighbours of whole numbers are told apart as floating-point numbers. */
    private static final String EXACT = "9e15";

    /**
     * A column.
     *
     * @param id in the table, as SQL
     * @param name as which it is read
     * @param header its name as it stands in the file
     */
    record Column(String id, String name, String header) {}

    InputRows {
        columns = List.copyOf(columns);
    }

    /** Reads files of one format. */
    static InputRows load(DuckDb db, TableFiles tables, List<Path> files)
            throws SQLException, IOException {
        return tables.format() == DataFormat.CSV
                ? ofTexts(db, tables, files)
                : ofTypes(db, tables, files);
    }

    private static InputRows ofTypes(DuckDb db, TableFiles tables, List<Path> files)
            throws SQLException, IOException {
        // In one query, so that a column has a type that holds the values of all files.
        String all =
                files.stream()
                        .map(file -> "SELECT * FROM " + tables.typed(file))
                        .collect(Collectors.joining(" UNION ALL BY NAME "));
        db.plainly(() -> db.execute("CREATE TABLE input AS " + all));
        return new InputRows(
                db.rows("SELECT column_name FROM (DESCRIBE input)").stream()
                        .map(row -> row.get(0))
                        .map(name -> new Column(DuckDb.name(name), name.strip(), name))
                        .toList());
    }

    /** DuckDB takes names that differ in case for the same: so columns have numbers here. */
    private static InputRows ofTexts(DuckDb db, TableFiles tables, List<Path> files)
            throws SQLException, IOException {
        List<Column> columns = new ArrayList<>();
        Map<String, String> ids = new HashMap<>();
        for (Path file : files) {
            List<TableFiles.RawColumn> here = tables.columns(file);
            for (int i = 0; i < here.size(); i++) {
                String name = here.get(i).name();
                if (ids.putIfAbsent(name, "i" + columns.size()) == null) {
                    String id = Objects.requireNonNull(ids.get(name));
                    db.execute(
                            columns.isEmpty()
                                    ? "CREATE TABLE input (" + id + " VARCHAR)"
                                    : "ALTER TABLE input ADD COLUMN " + id + " VARCHAR");
                    columns.add(new Column(id, name, tables.header(file).get(i)));
                }
            }
            String into =
                    here.stream().map(c -> ids.get(c.name())).collect(Collectors.joining(", "));
            String from =
                    here.stream().map(TableFiles.RawColumn::sql).collect(Collectors.joining(", "));
            String insert =
                    "INSERT INTO input (%s) SELECT %s FROM %s"
                            .formatted(into, from, tables.typed(file));
            db.plainly(() -> db.execute(insert));
        }
        return new InputRows(columns);
    }

    /**
     * Gives texts the types that training found, and whole numbers theirs. A number that would be
     * another one as such stays a text, with all of its column.
     */
    void type(DuckDb db, TableEncoding encoding, DecimalMark decimal) throws SQLException {
        Map<String, ColumnForm> forms = new HashMap<>();
        encoding.columns().forEach(c -> forms.put(c.name(), ColumnForm.of(c)));
        List<long[]> others =
                new ColumnQuery(db, "input")
                        .counts(
                                columns,
                                column -> forms.getOrDefault(column.name(), ColumnForm.TEXT),
                                column -> "trim(" + column.id() + ")",
                                (form, text) ->
                                        List.of(notWhole(form, text, decimal), beyondFloats(text)));
        List<String> select = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            ColumnForm found = forms.getOrDefault(column.name(), ColumnForm.TEXT);
            String value = found.sql("trim(" + column.id() + ")", decimal);
            boolean isWhole = others.get(i)[0] == 0;
            boolean isRounded = found.kind() == ColumnKind.NUMBER && others.get(i)[1] > 0;
            String typed =
                    isWhole || !isRounded
                            ? typed(found.kind(), isWhole, column.id(), value)
                            : column.id();
            select.add(typed + " AS " + column.id());
        }
        db.execute("CREATE TABLE typed AS SELECT " + String.join(", ", select) + " FROM input");
        db.execute("DROP TABLE input");
        db.execute("ALTER TABLE typed RENAME TO input");
    }

    /** Values that are more than a whole number, or written as none: codes keep their zeros. */
    private static String notWhole(ColumnForm form, String text, DecimalMark decimal) {
        String value = form.sql(text, decimal);
        String isOther =
                "CAST(TRY_CAST(%1$s AS BIGINT) AS VARCHAR) IS DISTINCT FROM %1$s".formatted(text);
        return "count(*) FILTER (%s)"
                .formatted(
                        form.kind() == ColumnKind.NUMBER
                                ? "%1$s <> floor(%1$s) OR abs(%1$s) > %2$s AND %3$s"
                                        .formatted(value, EXACT, isOther)
                                : isOther);
    }

    /** Whole numbers of more digits than a floating-point number keeps for sure. */
    private static String beyondFloats(String text) {
        return "count(*) FILTER (regexp_full_match(%s, '[-+]?[0-9]{16,}'))".formatted(text);
    }

    private static String typed(ColumnKind kind, boolean isWhole, String name, String value) {
        return switch (kind) {
            case NUMBER ->
                    isWhole
                            ? ("CASE WHEN abs(%1$s) > %2$s THEN CAST(trim(%3$s) AS BIGINT)"
                                            + " ELSE CAST(%1$s AS BIGINT) END")
                                    .formatted(value, EXACT, name)
                            : value;
            case TEXT -> isWhole ? "CAST(" + value + " AS BIGINT)" : name;
            case BOOLEAN -> "CAST(" + value + " AS BOOLEAN)";
            default ->
                    "CAST(make_timestamp(CAST(%s * 1000000 AS BIGINT)) AS %s)"
                            .formatted(value, kind);
        };
    }

    /** The columns for a query of {@code input}, with names for the file that is written. */
    String select() {
        return columns.stream()
                .map(c -> "input." + c.id() + " AS " + DuckDb.name(c.name()))
                .collect(Collectors.joining(", "));
    }

    /** The names in lower case. */
    Set<String> lowerNames() {
        return columns.stream()
                .map(c -> c.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** Whether DuckDB would write other names into CSV than the files have. */
    boolean hasOddNames() {
        Set<String> seen = new HashSet<>();
        return columns.stream()
                .anyMatch(
                        c ->
                                !c.header().strip().equals(c.name())
                                        || !seen.add(c.name().toLowerCase(Locale.ROOT)));
    }

    /** The line of the names for CSV, with more names behind them. */
    String csvHeader(List<String> more) {
        List<String> names = new ArrayList<>();
        columns.forEach(c -> names.add(c.header().strip()));
        names.addAll(more);
        return names.stream()
                .map(
                        name ->
                                name.matches("(?s).*[\",\n\r].*")
                                        ? '"' + name.replace("\"", "\"\"") + '"'
                                        : name)
                .collect(Collectors.joining(",", "", "\n"));
    }
}
