package dev.medley.connect.snapshot;

import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.TableSchema;
import dev.medley.data.table.engine.DuckDb;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the SQL of a table's rows at a version: for each key its row of the latest version, unless
 * that is a tombstone. Columns are matched by their ids over renames. Cost: one pass over keys and
 * versions of all parts, one over the columns asked for.
 */
public final class StateQuery {
    private final SnapshotManifest manifest;
    private final Path folder;
    private final TableSchema schema;
    private final List<SnapshotVersion> versions;

    private StateQuery(SnapshotManifest manifest, Path folder, SnapshotVersion version) {
        this.manifest = manifest;
        this.folder = folder;
        this.schema = manifest.schemaOf(version);
        this.versions = manifest.upTo(version);
    }

    /** Of a version of the snapshot in {@code folder}. */
    static StateQuery at(SnapshotManifest manifest, Path folder, SnapshotVersion version) {
        return new StateQuery(manifest, folder, version);
    }

    /** All columns of the version's schema by their names then, and {@code _known_at}. */
    public String rows() {
        String rows = select(schema.columns(), List.of(SqlColumns.VERSION));
        return known(rows, List.of(SqlColumns.KNOWN_AT));
    }

    /**
     * Every row that the table ever had here, as often as it changed: all columns by their names
     * then, {@code _known_at}, and {@code _deleted} where from then on there was none.
     */
    public String history() {
        return known(
                parts(schema.columns(), List.of(SqlColumns.VERSION, SqlColumns.DELETED)),
                List.of(SqlColumns.KNOWN_AT, SqlColumns.DELETED));
    }

    /** Adds when the rows' versions became known, which only the manifest says. */
    private String known(String rows, List<String> own) {
        String times =
                versions.stream()
                        .map(v -> "(%d, %d)".formatted(v.number(), v.knownAtMicros()))
                        .collect(Collectors.joining(", "));
        return ("SELECT %s FROM (SELECT rows.*, CAST(make_timestamp(_micros) AS TIMESTAMPTZ) AS"
                        + " _known_at FROM (%s) rows JOIN (VALUES %s) times(_version, _micros)"
                        + " USING (_version))")
                .formatted(names(schema.columns(), own), rows, times);
    }

    /** The columns of the key as they are staged, and the rows' hashes, in one pass. */
    String keysAndHashes() {
        List<Column> key = schema.keyColumns();
        String staged = key.stream().map(StateQuery::staged).collect(Collectors.joining(", "));
        List<String> own = List.of(SqlColumns.HASH, SqlColumns.VERSION, SqlColumns.DELETED);
        String rows = parts(key, own);
        if (versions.size() == 1) {
            return "SELECT %s, _hash FROM (%s) WHERE NOT _deleted".formatted(staged, rows);
        }
        return ("SELECT %1$s, _hash FROM (SELECT %2$s, arg_max(_hash, _version) AS _hash,"
                        + " arg_max(_deleted, _version) AS _deleted FROM (%3$s) GROUP BY %2$s)"
                        + " WHERE NOT _deleted")
                .formatted(staged, SqlColumns.names(key), rows);
    }

    private static String staged(Column column) {
        String name = DuckDb.name(column.name());
        return column.type() == ColumnType.BYTES ? name : SqlColumns.toStaged(column.type(), name);
    }

    private String select(List<Column> columns, List<String> own) {
        String names = names(columns, own);
        if (schema.key().isEmpty() || versions.size() == 1) {
            return "SELECT %s FROM (%s)".formatted(names, parts(columns, own));
        }
        List<Column> key = schema.keyColumns();
        List<Column> all = Stream.concat(key.stream(), columns.stream()).distinct().toList();
        String keys = SqlColumns.names(key);
        List<String> owns =
                Stream.concat(own.stream(), Stream.of(SqlColumns.VERSION, SqlColumns.DELETED))
                        .distinct()
                        .toList();
        return """
        SELECT %1$s FROM (%2$s) JOIN
        (SELECT %3$s, max(_version) AS _version FROM (%4$s) GROUP BY %3$s)
        USING (%3$s, _version) WHERE NOT _deleted\
        """
                .formatted(names, parts(all, owns), keys, parts(key, List.of(SqlColumns.VERSION)));
    }

    private String parts(List<Column> columns, List<String> own) {
        Map<Integer, List<String>> files = new TreeMap<>();
        for (SnapshotVersion version : versions) {
            for (SnapshotPart part : version.parts()) {
                files.computeIfAbsent(version.schema(), s -> new ArrayList<>())
                        .add(DuckDb.path(folder.resolve(part.file())));
            }
        }
        long last = versions.get(versions.size() - 1).number();
        if (files.isEmpty()) {
            return nothing(columns, own);
        }
        return files.entrySet().stream()
                .map(
                        e ->
                                part(
                                        manifest.schemas().get(e.getKey() - 1),
                                        e.getValue(),
                                        columns,
                                        own,
                                        last))
                .collect(Collectors.joining(" UNION ALL "));
    }

    private static String part(
            SchemaVersion written,
            List<String> files,
            List<Column> columns,
            List<String> own,
            long last) {
        List<String> values = new ArrayList<>();
        for (Column column : columns) {
            String value =
                    written.schema().columns().stream()
                            .filter(c -> c.id().equals(column.id()) && c.type() == column.type())
                            .findFirst()
                            .map(c -> DuckDb.name(c.name()))
                            .orElse("CAST(NULL AS " + SqlColumns.type(column.type()) + ")");
            values.add(value + " AS " + DuckDb.name(column.name()));
        }
        values.addAll(own);
        // A part of several versions has later ones, too.
        return "SELECT %s FROM read_parquet([%s]) WHERE _version <= %d"
                .formatted(String.join(", ", values), String.join(", ", files), last);
    }

    private static String nothing(List<Column> columns, List<String> own) {
        Stream<String> values =
                columns.stream()
                        .map(
                                c ->
                                        "CAST(NULL AS %s) AS %s"
                                                .formatted(
                                                        SqlColumns.type(c.type()),
                                                        DuckDb.name(c.name())));
        Stream<String> owns = own.stream().map(o -> "CAST(NULL AS " + ownType(o) + ") AS " + o);
        return "SELECT %s WHERE false"
                .formatted(Stream.concat(values, owns).collect(Collectors.joining(", ")));
    }

    private static String ownType(String own) {
        return own.equals(SqlColumns.DELETED) ? "BOOLEAN" : "BIGINT";
    }

    private static String names(List<Column> columns, List<String> own) {
        return Stream.concat(columns.stream().map(c -> DuckDb.name(c.name())), own.stream())
                .collect(Collectors.joining(", "));
    }
}
