package dev.medley.connect.postgres;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.TableSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds a table, its columns and its key in the catalogs of PostgreSQL.
 *
 * @param name as a query writes it, schema and quotes included
 * @param oid of the table
 * @param kind {@code relkind}: r, p, v, m, f
 */
record PostgresTable(String name, long oid, char kind, List<WireColumn> columns, List<String> key) {
    private static final int KNOWN_NAMES = 500;

    PostgresTable {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
    }

    /** A table without its columns yet; a {@link ConfigException} if there is none. */
    static PostgresTable find(Connection connection, PostgresOptions options) throws SQLException {
        String sql =
                "SELECT c.oid::bigint, c.relkind, format('%I.%I', n.nspname, c.relname)"
                        + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE c.oid = to_regclass(?)";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, options.table());
            try (ResultSet found = query.executeQuery()) {
                if (found.next() && "rpvmf".contains(found.getString(2))) {
                    return new PostgresTable(
                            found.getString(3),
                            found.getLong(1),
                            found.getString(2).charAt(0),
                            List.of(),
                            List.of());
                }
            }
        } catch (SQLException e) {
            if (!String.valueOf(e.getSQLState()).startsWith("42")) {
                throw e;
            }
        }
        throw noTable(connection, options);
    }

    private static ConfigException noTable(Connection connection, PostgresOptions options)
            throws SQLException {
        List<String> names = new ArrayList<>();
        String sql =
                "SELECT DISTINCT unnest(CASE WHEN pg_table_is_visible(c.oid)"
                        + " THEN ARRAY[quote_ident(relname), format('%I.%I', nspname, relname)]"
                        + " ELSE ARRAY[format('%I.%I', nspname, relname)] END)"
                        + " FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
                        + " WHERE relkind IN ('r','p','v','m','f') AND nspname NOT LIKE 'pg\\_%'"
                        + " AND nspname <> 'information_schema' LIMIT "
                        + KNOWN_NAMES;
        try (PreparedStatement query = connection.prepareStatement(sql);
                ResultSet found = query.executeQuery()) {
            while (found.next()) {
                names.add(found.getString(1));
            }
        }
        Optional<String> near = DidYouMean.of(options.table(), names);
        return new ConfigException(
                "%s: there is no table %s that user '%s' can see%s"
                        .formatted(
                                options.place(),
                                options.table(),
                                options.user(),
                                near.map(n -> "; did you mean " + n + "?")
                                        .orElse(": name it with its schema")));
    }

    /** The same with its columns and key as they are now, as far as the options want them. */
    PostgresTable read(Connection connection, PostgresOptions options) throws SQLException {
        List<WireColumn> all = columns(connection);
        List<WireColumn> wanted = all;
        if (!options.columns().isEmpty()) {
            wanted = options.columns().stream().map(c -> column(c, all, options)).toList();
        }
        List<String> found = options.key().isEmpty() ? key(connection) : options.key();
        List<WireColumn> chosen = wanted;
        options.key().forEach(k -> column(k, chosen, options));
        boolean hasKey = chosen.stream().map(c -> c.column().name()).toList().containsAll(found);
        return new PostgresTable(name, oid, kind, chosen, hasKey ? found : List.of());
    }

    private WireColumn column(String wanted, List<WireColumn> all, PostgresOptions options) {
        List<String> names = all.stream().map(c -> c.column().name()).toList();
        int at = names.indexOf(wanted);
        ConfigException.check(
                at >= 0,
                "%s: table %s has no column '%s'%s",
                options.place(),
                name,
                wanted,
                DidYouMean.of(wanted, names)
                        .map(n -> "; did you mean '" + n + "'?")
                        .orElse(": it has " + names));
        return all.get(at);
    }

    private List<WireColumn> columns(Connection connection) throws SQLException {
        // A domain is followed to the type that it is made of.
        String sql =
                "WITH RECURSIVE base AS ("
                        + "SELECT attnum, attname, attnotnull, atttypid AS type, atttypmod AS mod"
                        + " FROM pg_attribute WHERE attrelid = ?::oid AND attnum > 0"
                        + " AND NOT attisdropped UNION ALL"
                        + " SELECT attnum, attname, attnotnull OR typnotnull, typbasetype,"
                        + " CASE WHEN typtypmod >= 0 THEN typtypmod ELSE mod END"
                        + " FROM base JOIN pg_type t ON t.oid = base.type WHERE t.typtype = 'd')"
                        + " SELECT attnum, attname, attnotnull, type::bigint, mod, typtype = 'e'"
                        + " FROM base JOIN pg_type t ON t.oid = base.type WHERE t.typtype <> 'd'"
                        + " ORDER BY attnum";
        List<WireColumn> columns = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setLong(1, oid);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    columns.add(column(found));
                }
            }
        }
        ConfigException.check(!columns.isEmpty(), "table %s has no columns", name);
        return columns;
    }

    private static WireColumn column(ResultSet found) throws SQLException {
        int number = found.getInt(1);
        long type = found.getLong(4);
        int modifier = found.getInt(5);
        WireForm form = WireForm.ofType(type, found.getBoolean(6));
        Column column =
                new Column(
                        Integer.toString(number),
                        found.getString(2),
                        form.type(),
                        form.size(type, modifier),
                        form.scale(modifier),
                        !found.getBoolean(3));
        return new WireColumn(number, column, form);
    }

    /** The primary key, or else the first unique index over columns that all rows have. */
    private List<String> key(Connection connection) throws SQLException {
        String sql =
                "SELECT array_agg(a.attname::text ORDER BY k.place) FROM pg_index i"
                        + " CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY"
                        + " AS k(attnum, place)"
                        + " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum"
                        + " WHERE i.indrelid = ?::oid AND i.indisunique AND i.indisvalid"
                        + " AND i.indpred IS NULL AND i.indexprs IS NULL"
                        + " AND k.place <= i.indnkeyatts"
                        + " GROUP BY i.indexrelid, i.indisprimary"
                        + " HAVING i.indisprimary OR bool_and(a.attnotnull)"
                        + " ORDER BY i.indisprimary DESC, i.indexrelid LIMIT 1";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setLong(1, oid);
            try (ResultSet found = query.executeQuery()) {
                return found.next() ? List.of((String[]) found.getArray(1).getArray()) : List.of();
            }
        }
    }

    /**
     * What it is made of.
     *
     * @param oids its own, then those of its partitions and children at all depths
     * @param areTables whether none of them is somewhere else
     */
    record Parts(List<Long> oids, boolean areTables) {}

    Parts parts(Connection connection) throws SQLException {
        String sql =
                "WITH RECURSIVE part AS (SELECT ?::oid AS oid UNION"
                        + " SELECT inhrelid FROM pg_inherits JOIN part ON inhparent = part.oid)"
                        + " SELECT part.oid::bigint, relkind IN ('r', 'p') FROM part"
                        + " JOIN pg_class c ON c.oid = part.oid ORDER BY part.oid <> ?::oid,"
                        + " part.oid";
        List<Long> oids = new ArrayList<>();
        boolean areTables = true;
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setLong(1, oid);
            query.setLong(2, oid);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    oids.add(found.getLong(1));
                    areTables &= found.getBoolean(2);
                }
            }
        }
        return new Parts(oids, areTables);
    }

    /** Whether a lock keeps its columns as they are while it is read. */
    boolean canBeLocked() {
        return kind == 'r' || kind == 'p' || kind == 'v';
    }

    /** The same with columns that are known by {@code ids}. */
    PostgresTable known(ColumnIds ids) {
        List<WireColumn> named = columns.stream().map(c -> c.known(ids.id(c.number()))).toList();
        return new PostgresTable(name, oid, kind, named, key);
    }

    TableSchema schema() {
        return new TableSchema(columns.stream().map(WireColumn::column).toList(), key);
    }

    List<WireColumn> keyColumns() {
        return key.stream()
                .flatMap(k -> columns.stream().filter(c -> c.column().name().equals(k)))
                .toList();
    }
}
