package dev.medley.connect.snapshot;

import dev.medley.base.ConfigException;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.TableSchema;
import dev.medley.data.table.engine.DuckDb;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares staged rows with the current ones by key and hash, and says which are new, changed or
 * gone. Tables of DuckDB: {@code staged} and, where keys were read alone, {@code keys} come in;
 * {@code current}, {@code upserts} and {@code gone} are made.
 */
final class Merge {
    private final DuckDb db;
    private final TableSchema schema;
    private final List<Column> key;

    Merge(DuckDb db, TableSchema schema) {
        this.db = db;
        this.schema = schema;
        this.key = schema.keyColumns();
    }

    /** Fills {@code current} with what {@code state} selects: keys and hashes. */
    Sum current(String state) throws SQLException {
        String types =
                IntStream.range(0, key.size())
                        .mapToObj(i -> "k" + i + " " + SqlColumns.staged(key.get(i).type()) + ", ")
                        .collect(Collectors.joining());
        db.execute("CREATE TABLE current (" + types + "_hash BIGINT)");
        db.execute("INSERT INTO current " + state);
        return sum("_hash", "current");
    }

    /** Refuses rows whose key is missing or there twice. */
    void requireKeys() throws SQLException {
        String keys = columns(", ", this::stagedKey);
        String missing =
                key.stream()
                        .map(column -> stagedKey(key.indexOf(column)) + " IS NULL")
                        .collect(Collectors.joining(" OR "));
        List<List<String>> none = db.rows("SELECT count(*) FROM staged WHERE " + missing);
        ConfigException.check(
                none.get(0).get(0).equals("0"),
                "%s rows have no value in the key %s: name columns as the key that all rows have",
                none.get(0).get(0),
                schema.key());
        refuse(
                db.rows(
                        ("SELECT %1$s, count(*) FROM staged GROUP BY %1$s"
                                        + " HAVING count(*) > 1 LIMIT 1")
                                .formatted(keys)));
    }

    private void refuse(List<List<String>> twice) {
        if (!twice.isEmpty()) {
            List<String> row = twice.get(0);
            throw new ConfigException(
                    "the key %s has the value %s in %s rows: name columns as the key that tell rows"
                                    .formatted(
                                            schema.key(),
                                            row.subList(0, key.size()),
                                            row.get(key.size()))
                            + " apart, or none");
        }
    }

    /** Keys that are neither staged nor current: rows that a source failed to name. */
    private Sum missed() throws SQLException {
        return sum(
                "_hash", "keys k WHERE NOT %s AND NOT %s".formatted(isCurrent(), staged("true")));
    }

    /** Keys that are staged as left out; those that were not current alone, or all. */
    private Sum dropped(boolean areNewAlone) throws SQLException {
        String where =
                "keys k WHERE %s AND NOT %s".formatted(staged("_deleted"), staged("NOT _deleted"));
        return sum("_hash", areNewAlone ? where + " AND NOT " + isCurrent() : where);
    }

    private String isCurrent() {
        return "EXISTS (SELECT 1 FROM current c WHERE %s)".formatted(match("c.k", "k.c"));
    }

    private String staged(String which) {
        return "EXISTS (SELECT 1 FROM staged s WHERE %s AND %s)"
                .formatted(which, columns(" AND ", i -> "s." + stagedKey(i) + " = k.c" + i));
    }

    /** Refuses a staged row whose key is current, as one that is staged twice. */
    void requireNewKeys() throws SQLException {
        String keys = columns(", ", i -> "s." + stagedKey(i));
        String same = columns(" AND ", i -> "s." + stagedKey(i) + " = c.k" + i);
        refuse(
                db.rows(
                        "SELECT %s, 2 FROM staged s JOIN current c ON %s WHERE NOT s._deleted LIMIT 1"
                                .formatted(keys, same)));
    }

    /** Fills {@code upserts} and {@code gone}. */
    Difference compare(Extent extent, Sum current) throws SQLException {
        String same = columns(" AND ", i -> "s." + stagedKey(i) + " = c.k" + i);
        db.execute(
                ("CREATE TABLE upserts AS SELECT s.*, c._hash AS _before FROM staged s"
                                + " LEFT JOIN current c ON %s WHERE NOT s._deleted"
                                + " AND c._hash IS DISTINCT FROM s._hash")
                        .formatted(same));
        String stays = "EXISTS (SELECT 1 FROM staged s WHERE NOT s._deleted AND " + same + ")";
        String marked = "EXISTS (SELECT 1 FROM staged s WHERE s._deleted AND " + same + ")";
        String where =
                switch (extent) {
                    case ALL -> "NOT " + stays;
                    case CHANGES_AND_KEYS ->
                            "NOT %s AND (%s OR NOT EXISTS (SELECT 1 FROM keys k WHERE %s))"
                                    .formatted(stays, marked, match("c.k", "k.c"));
                    case CHANGES -> marked;
                };
        db.execute("CREATE TABLE gone AS SELECT c.* FROM current c WHERE " + where);
        boolean hasKeys = extent == Extent.CHANGES_AND_KEYS;
        Sum missed = hasKeys ? missed() : Sum.NONE;
        Sum added = sum("_hash", "upserts WHERE _before IS NULL");
        Sum changed = sum("_hash", "upserts WHERE _before IS NOT NULL");
        Sum replaced = sum("_before", "upserts WHERE _before IS NOT NULL");
        Sum gone = sum("_hash", "gone");
        return new Difference(
                added.rows(),
                changed.rows(),
                gone.rows(),
                missed,
                hasKeys ? missed.plus(dropped(true)) : Sum.NONE,
                hasKeys ? missed.plus(dropped(false)) : Sum.NONE,
                false,
                current.plus(added).plus(changed).minus(replaced).minus(gone));
    }

    /** The SQL of the part: upserts, then tombstones. */
    String part(long version) {
        String own = "CAST(%d AS BIGINT) AS _version".formatted(version);
        return "SELECT %s, %s, false AS _deleted, _hash FROM upserts".formatted(values(), own)
                + " UNION ALL SELECT %s, %s, true, CAST(0 AS BIGINT) FROM gone"
                        .formatted(tombstone(), own);
    }

    /** The same of all staged rows. */
    String whole(long version) {
        return ("SELECT %s, CAST(%d AS BIGINT) AS _version,"
                        + " false AS _deleted, _hash FROM staged WHERE NOT _deleted")
                .formatted(values(), version);
    }

    /** Of all staged rows that are not deleted. */
    Sum staged() throws SQLException {
        return sum("_hash", "staged WHERE NOT _deleted");
    }

    private Sum sum(String hash, String from) throws SQLException {
        List<String> row =
                db.rows(
                                "SELECT count(*), CAST(coalesce(sum(%s), 0) AS VARCHAR) FROM %s"
                                        .formatted(hash, from))
                        .get(0);
        return new Sum(Long.parseLong(row.get(0)), new BigInteger(row.get(1)).longValue());
    }

    private String values() {
        return IntStream.range(0, schema.columns().size())
                .mapToObj(i -> SqlColumns.toFile(type(i), "c" + i) + " AS " + name(i))
                .collect(Collectors.joining(", "));
    }

    private String tombstone() {
        return IntStream.range(0, schema.columns().size())
                .mapToObj(
                        i -> {
                            int at = key.indexOf(schema.columns().get(i));
                            return at < 0
                                    ? "CAST(NULL AS " + SqlColumns.type(type(i)) + ")"
                                    : SqlColumns.toFile(type(i), "k" + at);
                        })
                .collect(Collectors.joining(", "));
    }

    private ColumnType type(int column) {
        return schema.columns().get(column).type();
    }

    private String name(int column) {
        return DuckDb.name(schema.columns().get(column).name());
    }

    private String stagedKey(int index) {
        return "c" + schema.columns().indexOf(key.get(index));
    }

    private String match(String left, String right) {
        return columns(" AND ", i -> left + i + " = " + right + i);
    }

    private String columns(String between, IntFunction<String> of) {
        return IntStream.range(0, key.size()).mapToObj(of).collect(Collectors.joining(between));
    }
}
