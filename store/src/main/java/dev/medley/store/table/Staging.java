package dev.medley.store.table;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.store.shard.Progress;
import dev.medley.store.table.TableFiles.RawColumn;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Loads files into a table of numbers and texts, once: later passes read the table, since a second
 * parse of CSV would cost more than all else. Rows that cannot be read are collected, not guessed.
 */
final class Staging {
    private final TableFiles files;
    private final DuckDb db;
    private final BadRowPolicy policy;
    private final Progress progress;
    private final DataFormat format;
    private final TableSpec spec;
    private final List<String> unusable = new ArrayList<>();

    Staging(TableFiles files, DuckDb db, BadRowPolicy policy, Progress progress) {
        this.files = files;
        this.db = db;
        this.policy = policy;
        this.progress = progress;
        this.format = files.format();
        this.spec = files.spec();
    }

    /** How the files write the numbers among their texts. */
    DecimalMark decimal() {
        return files.decimal();
    }

    /** Names of a file's columns. */
    List<String> columnNames(Path file) {
        return files.columns(file).stream().map(RawColumn::name).toList();
    }

    /** Columns that {@link #find} passed over, since no model reads what they hold. */
    List<String> unusable() {
        return unusable;
    }

    /**
     * Stages files whose columns are found here.
     *
     * @param texts columns that are texts whatever they look like
     */
    StagedTable find(String table, List<Path> paths, Set<String> texts) {
        Map<String, ColumnKind> kinds = kinds(paths, texts);
        kinds.forEach(
                (name, kind) -> {
                    if (kind == ColumnKind.OTHER) {
                        unusable.add(name);
                    }
                });
        return load(table, paths, kinds, "other files have");
    }

    /**
     * What the columns of files hold together, in file order.
     *
     * @param texts columns that are texts whatever they look like
     */
    Map<String, ColumnKind> kinds(List<Path> paths, Set<String> texts) {
        Map<String, ColumnKind> kinds = new LinkedHashMap<>();
        for (Path path : paths) {
            for (RawColumn column : files.columns(path)) {
                ColumnKind kind = texts.contains(column.name()) ? ColumnKind.TEXT : column.kind();
                kinds.merge(column.name(), kind, ColumnKind::or);
            }
        }
        return kinds;
    }

    /**
     * Stages files for columns of given kinds; others are left out.
     *
     * @param why the end of "has no column that ...": what asks for the columns
     */
    StagedTable load(String table, List<Path> paths, Map<String, ColumnKind> kinds, String why) {
        List<StagedTable.Column> columns =
                kinds.entrySet().stream()
                        .filter(e -> e.getValue() != ColumnKind.OTHER)
                        .map(e -> StagedTable.Column.of(e.getKey(), e.getValue()))
                        .toList();
        check(!columns.isEmpty(), "%s: has no column that can be used", paths.get(0));
        List<StagedTable.Part> parts = new ArrayList<>();
        long rows = 0;
        for (int i = 0; i < paths.size(); i++) {
            Path path = paths.get(i);
            progress.at("reading " + path, i, paths.size());
            requireColumns(path, columns, why);
            parts.add(new StagedTable.Part(path, rows, files.firstLine(path)));
            insert(table, path, columns, i == 0);
            rows = count(table);
        }
        StagedTable staged = new StagedTable(table, columns, parts);
        policy.checkBlankRows(db, staged, format);
        rows = count(table);
        check(rows > 0, "%s: has no rows", paths.get(0));
        return staged;
    }

    private void requireColumns(Path path, List<StagedTable.Column> columns, String why) {
        List<String> here = columnNames(path);
        String absent =
                columns.stream()
                        .map(StagedTable.Column::name)
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

    private void insert(
            String table, Path path, List<StagedTable.Column> columns, boolean isFirst) {
        List<RawColumn> raw = files.columns(path);
        String rejects = table + "_rejects" + (isFirst ? "" : "_more");
        Map<String, String> types = csvTypes(raw, columns);
        String select =
                columns.stream()
                        .map(c -> value(c, raw) + " AS " + DuckDb.name(c.name()))
                        .collect(Collectors.joining(", "));
        String query = "SELECT " + select + " FROM " + files.source(path, types, rejects);
        try {
            db.execute("DROP TABLE IF EXISTS " + rejects);
            db.execute("DROP TABLE IF EXISTS " + rejects + "_scans");
            db.execute(
                    isFirst
                            ? "CREATE TABLE " + table + " AS " + query
                            : "INSERT INTO " + table + " " + query);
            if (format == DataFormat.CSV) {
                policy.checkRejects(db, rejects, path, raw.size());
            }
        } catch (SQLException e) {
            throw files.unreadable(path, e);
        }
    }

    /**
     * CSV is parsed to the type that we want, so that a text among numbers is found while parsing.
     */
    private static Map<String, String> csvTypes(
            List<RawColumn> raw, List<StagedTable.Column> columns) {
        Map<String, ColumnKind> kinds =
                columns.stream()
                        .collect(
                                Collectors.toMap(
                                        StagedTable.Column::name, StagedTable.Column::kind));
        Map<String, String> types = new LinkedHashMap<>();
        for (RawColumn column : raw) {
            ColumnKind kind = kinds.getOrDefault(column.name(), ColumnKind.OTHER);
            if (kind == ColumnKind.NUMBER && !column.type().equals("TIME")) {
                types.put(column.raw(), "DOUBLE");
            } else if (kind == ColumnKind.BOOLEAN) {
                types.put(column.raw(), "BOOLEAN");
            } else if (kind == ColumnKind.TEXT || kind == ColumnKind.OTHER) {
                types.put(column.raw(), "VARCHAR");
            }
        }
        return types;
    }

    /** The expression that brings a raw column to its staged form. */
    private String value(StagedTable.Column column, List<RawColumn> raw) {
        RawColumn found =
                raw.stream().filter(r -> r.name().equals(column.name())).findFirst().orElseThrow();
        String name = DuckDb.name(found.raw());
        boolean isText = format == DataFormat.CSV || found.kind() == ColumnKind.TEXT;
        return switch (column.kind()) {
            case TEXT -> isText ? clean(name) : asText(name, found.type());
            case BOOLEAN ->
                    "CAST(CAST(%s AS BOOLEAN) AS DOUBLE)"
                            .formatted(format != DataFormat.CSV && isText ? clean(name) : name);
            case DATE, TIMESTAMP ->
                    found.kind() == ColumnKind.TEXT
                            ? "epoch(CAST(%s AS TIMESTAMP))".formatted(clean(name))
                            : "epoch(" + name + ")";
            default -> number(name, found);
        };
    }

    private String number(String name, RawColumn found) {
        if (found.type().equals("TIME")) {
            return "CAST(epoch(" + name + ") AS DOUBLE)";
        }
        boolean isText = format != DataFormat.CSV && found.kind() == ColumnKind.TEXT;
        String value = "CAST(%s AS DOUBLE)".formatted(isText ? clean(name) : name);
        return spec.missing().stream().anyMatch(m -> m.equalsIgnoreCase("nan"))
                ? "CASE WHEN isnan(%s) THEN NULL ELSE %s END".formatted(value, value)
                : value;
    }

    private String clean(String name) {
        String trimmed = "trim(CAST(" + name + " AS VARCHAR))";
        if (spec.missing().isEmpty()) {
            return trimmed;
        }
        String texts =
                spec.missing().stream()
                        .map(String::strip)
                        .map(DuckDb::text)
                        .collect(Collectors.joining(", "));
        return "CASE WHEN %s IN (%s) THEN NULL ELSE %s END".formatted(trimmed, texts, trimmed);
    }

    /** Numbers that are whole as whole numbers, so that 1 is the same category in every format. */
    private static String asText(String name, String type) {
        if (type.equals("DOUBLE") || type.equals("FLOAT") || type.startsWith("DECIMAL")) {
            return ("CASE WHEN %1$s = floor(%1$s) AND abs(%1$s) < 1e15"
                            + " THEN CAST(CAST(%1$s AS BIGINT) AS VARCHAR)"
                            + " ELSE CAST(%1$s AS VARCHAR) END")
                    .formatted(name);
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
