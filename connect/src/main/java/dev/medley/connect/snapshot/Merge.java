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
import java.util.stream.Stream;

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

    /**
     * Of keys that were read alone: those that are neither staged nor current, rows that a source
     * failed to name; those that are staged as left out and were not current; and all of the
     * latter.
     */
    private List<Sum> keySums() throws SQLException {
        String staged =
                "EXISTS (SELECT 1 FROM staged s WHERE %s AND "
                        + columns(" AND ", i -> "s." + stagedKey(i) + " = k.c" + i)
                        + ")";
        String kinds =
                "(SELECT _hash, EXISTS (SELECT 1 FROM current c WHERE %s) AS is_current, %s AS"
                        + " is_out, %s AS is_in FROM keys k)";
        return sums(
                kinds.formatted(
                        match("c.k", "k.c"),
                        staged.formatted("s._deleted"),
                        staged.formatted("NOT s._deleted")),
                "_hash WHERE NOT is_current AND NOT is_in AND NOT is_out",
                "_hash WHERE NOT is_current AND NOT is_in AND is_out",
                "_hash WHERE NOT is_in AND is_out");
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
        List<Sum> keys = hasKeys ? keySums() : List.of(Sum.NONE, Sum.NONE, Sum.NONE);
        List<Sum> rows =
                sums(
                        "upserts",
                        "_hash WHERE _before IS NULL",
                        "_hash WHERE _before IS NOT NULL",
                        "_before WHERE _before IS NOT NULL");
        Sum added = rows.get(0);
        Sum changed = rows.get(1);
        Sum gone = sum("_hash", "gone");
        Sum missed = keys.get(0);
        return new Difference(
                added.rows(),
                changed.rows(),
                gone.rows(),
                missed,
                missed.plus(keys.get(1)),
                missed.plus(keys.get(2)),
                false,
                current.plus(added).plus(changed).minus(rows.get(2)).minus(gone));
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
        return sums(from, hash + " WHERE true").get(0);
    }

    /** Several in one pass, each a column of hashes and which rows of it count. */
    private List<Sum> sums(String from, String... wanted) throws SQLException {
        String columns =
                Stream.of(wanted)
                        .map(w -> w.split(" ", 2))
                        .map(
                                w ->
                                        "count(*) FILTER (%2$s), CAST(coalesce(sum(%1$s) FILTER"
                                                .concat(" (%2$s), 0) AS VARCHAR)")
                                                .formatted(w[0], w[1]))
                        .collect(Collectors.joining(", "));
        List<String> row = db.rows("SELECT " + columns + " FROM " + from).get(0);
        return IntStream.range(0, wanted.length)
                .mapToObj(
                        i ->
                                new Sum(
                                        Long.parseLong(row.get(2 * i)),
                                        new BigInteger(row.get(2 * i + 1)).longValue()))
                .toList();
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
