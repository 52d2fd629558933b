package dev.medley.data.table.column;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.column.TableFiles.RawColumn;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
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
import java.util.stream.Collectors;

/**
 * Loads files into a table, once: later passes read the table, since a second parse of CSV would
 * cost more than all else. Values of CSV and JSON are staged as the texts that they are, those of
 * Parquet as numbers where their type is one. Nothing is guessed here from a part of the rows.
 */
public final class TableStaging {
    private final TableFiles files;
    private final DuckDb db;
    private final BadRowPolicy policy;
    private final PreparationProgress progress;
    private final DataFormat format;
    private final TableSpec spec;
    private final List<String> unusable = new ArrayList<>();

    /** A column on its way: its name, its place in the table, and how files have it. */
    private record Staged(String name, String id, ColumnForm form, boolean isText) {}

    /** Stages {@code files} into {@code db}. */
    public TableStaging(
            TableFiles files, DuckDb db, BadRowPolicy policy, PreparationProgress progress) {
        this.files = files;
        this.db = db;
        this.policy = policy;
        this.progress = progress;
        this.format = files.format();
        this.spec = files.spec();
    }

    /** How the files are read. */
    public TableFiles files() {
        return files;
    }

    /** Names of a file's columns. */
    public List<String> columnNames(Path file) {
        return files.columns(file).stream().map(RawColumn::name).toList();
    }

    /** Columns that {@link #find} passed over, since no model reads what they hold. */
    public List<String> unusable() {
        return unusable;
    }

    /**
     * Stages all columns of files.
     *
     * @param texts columns that are texts whatever they look like
     */
    public StagedTable find(String table, List<Path> paths, Set<String> texts) {
        Set<String> names = new LinkedHashSet<>();
        paths.forEach(path -> names.addAll(columnNames(path)));
        return stage(table, paths, staged(paths, names, texts, "other files have"));
    }

    /**
     * Stages some columns of files, {@code texts} among them as texts.
     *
     * @param why the end of "has no column that ...": what asks for the columns
     */
    public StagedTable load(
            String table, List<Path> paths, Set<String> names, Set<String> texts, String why) {
        List<Staged> columns = staged(paths, names, texts, why);
        names.forEach(name -> requireUsable(paths, name));
        return stage(table, paths, columns);
    }

    /** Refuses files where values of a column are needed that {@link #unusable} names. */
    public void requireUsable(List<Path> paths, String name) {
        for (Path path : unusable.contains(name) ? paths : List.<Path>of()) {
            check(
                    files.columns(path).stream()
                            .noneMatch(c -> c.name().equals(name) && c.kind() == ColumnKind.OTHER),
                    "%s: column '%s' holds lists, structures or bytes, where values are needed",
                    path,
                    name);
        }
    }

    private StagedTable stage(String table, List<Path> paths, List<Staged> columns) {
        check(!columns.isEmpty(), "%s: has no column that can be used", paths.get(0));
        List<StagedTable.Part> parts = new ArrayList<>();
        long rows = 0;
        for (int i = 0; i < paths.size(); i++) {
            Path path = paths.get(i);
            progress.at("reading " + path, i, paths.size());
            long[] rejected = insert(table, path, columns, i == 0);
            parts.add(new StagedTable.Part(path, rows, row -> files.line(path, row, rejected)));
            rows = count(table);
        }
        policy.requireSome(rows, paths.get(0));
        StagedTable staged = new StagedTable(table, read(table, columns, paths), parts);
        policy.checkBlankRows(db, staged, format);
        if (format == DataFormat.CSV) {
            policy.checkRepeatedHeader(db, staged, files.namesAsValues(paths.get(0)));
        }
        policy.requireSome(count(table), paths.get(0));
        return staged;
    }

    private void requireColumns(Path path, Set<String> names, String why) {
        List<String> here = columnNames(path);
        String absent =
                names.stream()
                        .filter(name -> !here.contains(name))
                        .map(name -> "'" + name + "'")
                        .collect(Collectors.joining(", "));
        check(
                absent.isEmpty(),
                "%s: has no column %s, which %s; its columns are: %s",
                path,
                absent,
                why,
                String.join(", ", here));
    }

    /** What the columns of files hold together. */
    private List<Staged> staged(
            List<Path> paths, Set<String> names, Set<String> texts, String why) {
        paths.forEach(path -> requireColumns(path, names, why));
        Map<String, ColumnKind> kinds = new LinkedHashMap<>();
        for (Path path : paths) {
            for (RawColumn column : files.columns(path)) {
                if (names.contains(column.name())) {
                    ColumnKind kind =
                            texts.contains(column.name()) && column.kind() != ColumnKind.OTHER
                                    ? ColumnKind.TEXT
                                    : column.kind();
                    kinds.merge(column.name(), kind, ColumnKind::or);
                }
            }
        }
        List<Staged> staged = new ArrayList<>();
        kinds.forEach(
                (name, kind) -> {
                    if (kind == ColumnKind.OTHER) {
                        unusable.add(name);
                    } else {
                        boolean isText = kind == ColumnKind.TEXT;
                        ColumnForm form = isText ? ColumnForm.TEXT : ColumnForm.typed(kind);
                        staged.add(new Staged(name, "k" + staged.size(), form, isText));
                    }
                });
        return staged;
    }

    /** The first bytes of the rows that were left out. */
    private long[] insert(String table, Path path, List<Staged> columns, boolean isFirst) {
        List<RawColumn> raw = files.columns(path);
        String rejects = table + "_rejects" + (isFirst ? "" : "_more");
        Map<String, RawColumn> byName = new HashMap<>();
        raw.forEach(column -> byName.putIfAbsent(column.name(), column));
        String select =
                columns.stream()
                        .map(c -> value(c, require(byName, c.name())) + " AS " + c.id())
                        .collect(Collectors.joining(", "));
        String query = "SELECT " + select + " FROM " + files.source(path, rejects);
        try {
            db.execute("DROP TABLE IF EXISTS " + rejects);
            db.execute("DROP TABLE IF EXISTS " + rejects + "_scans");
            String into = isFirst ? "CREATE TABLE " + table + " AS " : "INSERT INTO " + table + " ";
            db.plainly(() -> db.execute(into + query));
            return format == DataFormat.CSV
                    ? policy.checkRejects(db, rejects, files.lines(path), raw.size())
                    : new long[0];
        } catch (SQLException e) {
            throw files.unreadable(path, e);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RawColumn require(Map<String, RawColumn> columns, String name) {
        RawColumn column = columns.get(name);
        if (column == null) {
            throw new IllegalStateException("no column " + name);
        }
        return column;
    }

    /** The expression that brings a raw column to its staged form. CSV's texts stay as they are. */
    private String value(Staged column, RawColumn found) {
        String name = found.sql();
        if (format == DataFormat.CSV) {
            return name;
        }
        boolean hasText = found.kind() == ColumnKind.TEXT;
        return switch (column.form().kind()) {
            case TEXT -> clean(hasText ? name : asText(name, found.type()));
            case BOOLEAN -> "CAST(%s AS DOUBLE)".formatted(name);
            case DATE, TIMESTAMP -> "CAST(epoch(%s) AS DOUBLE)".formatted(name);
            default -> number(name, found.type());
        };
    }

    private String number(String name, String type) {
        if (type.equals("TIME")) {
            return "CAST(epoch(" + name + ") AS DOUBLE)";
        }
        String value = "CAST(%s AS DOUBLE)".formatted(name);
        List<String> none = new ArrayList<>();
        if (files.isNanMissing()) {
            none.add("isnan(" + value + ")");
        }
        files.missing().stream()
                .filter(DecimalMark.POINT::isNumber)
                .filter(text -> Double.isFinite(Double.parseDouble(text)))
                .forEach(text -> none.add(value + " = " + Double.parseDouble(text) + "::DOUBLE"));
        return none.isEmpty()
                ? value
                : "CASE WHEN %s THEN NULL ELSE %s END".formatted(String.join(" OR ", none), value);
    }

    /** The columns as a query reads them; texts with spaces around them without. */
    private List<Column> read(String table, List<Staged> columns, List<Path> paths) {
        List<Staged> texts =
                format == DataFormat.CSV && paths.stream().anyMatch(files::hasSpacedValues)
                        ? columns.stream().filter(Staged::isText).toList()
                        : List.of();
        List<long[]> counts =
                new ColumnQuery(db, table)
                        .counts(
                                texts,
                                Staged::id,
                                id ->
                                        List.of(
                                                "count(*) FILTER (%1$s <> trim(%1$s))"
                                                        .formatted(id)));
        Set<String> padded = new HashSet<>();
        for (int i = 0; i < texts.size(); i++) {
            if (counts.get(i)[0] > 0) {
                padded.add(texts.get(i).id());
            }
        }
        List<Column> read = new ArrayList<>();
        for (Staged c : columns) {
            String text = padded.contains(c.id()) ? clean(c.id()) : c.id();
            read.add(
                    c.isText()
                            ? Column.ofText(c.name(), text)
                            : Column.ofValue(c.name(), c.form(), c.id()));
        }
        return read;
    }

    private String clean(String name) {
        String trimmed = "trim(" + name + ")";
        List<String> missing = files.missing();
        if (missing.isEmpty()) {
            return trimmed;
        }
        String texts = missing.stream().map(DuckDb::text).collect(Collectors.joining(", "));
        return "CASE WHEN %s IN (%s) THEN NULL ELSE %s END".formatted(trimmed, texts, trimmed);
    }

    /**
     * Numbers that are whole as whole numbers, so that 1 is the same category in every format. NaN
     * is what tools write where there is no value, and no category.
     */
    private static String asText(String name, String type) {
        if (type.equals("DOUBLE") || type.equals("FLOAT") || type.startsWith("DECIMAL")) {
            String text =
                    ("CASE WHEN %1$s = floor(%1$s) AND abs(%1$s) < 1e15"
                                    + " THEN CAST(CAST(%1$s AS BIGINT) AS VARCHAR)"
                                    + " ELSE CAST(%1$s AS VARCHAR) END")
                            .formatted(name);
            return !type.startsWith("DECIMAL")
                    ? "CASE WHEN isnan(%s) THEN NULL ELSE %s END".formatted(name, text)
                    : text;
        }
        return "CAST(" + name + " AS VARCHAR)";
    }

    private long count(String table) {
        try {
            return db.longs("SELECT count(*) FROM " + table)[0];
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
