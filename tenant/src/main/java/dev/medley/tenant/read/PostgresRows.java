package dev.medley.tenant.read;

import dev.medley.base.ConfigException;
import dev.medley.connect.Secret;
import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.policy.SourceColumn;
import dev.medley.tenant.policy.TablePlace;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table of PostgreSQL in one transaction and as the caller's role, so that the server's own
 * row security holds. A connection is made for each extract and never used again.
 *
 * <p>Thread: one.
 */
final class PostgresRows implements SourceRows {
    private static final int FETCHED_ROWS = 2_048;
    private static final int MOST_DIGITS = 38;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final Pattern DECIMAL = Pattern.compile("numeric\\((\\d+),(\\d+)\\)");

    private final Connection connection;
    private final String table;
    private final List<SourceColumn> columns;

    private PostgresRows(Connection connection, String table, List<SourceColumn> columns) {
        this.connection = connection;
        this.table = table;
        this.columns = columns;
    }

    /**
     * Begins a transaction.
     *
     * @param attributes of the caller; null for who only wants to know the columns
     */
    static PostgresRows open(
            TablePlace.OfPostgres place,
            @Nullable Map<String, Object> attributes,
            UnaryOperator<@Nullable String> environment,
            ReadStop stop)
            throws IOException {
        PostgresOptions options = place.options();
        Properties properties = new Properties();
        properties.setProperty("user", options.user());
        properties.setProperty("connectTimeout", "10"); // Seconds.
        properties.setProperty(
                "socketTimeout", String.valueOf(60 + options.statementTimeoutNs() / NS_PER_S));
        Secret password = options.password();
        if (password != null) {
            properties.setProperty("password", password.read(environment));
        }
        properties.setProperty("ApplicationName", "medley door");
        try {
            Connection connection =
                    DriverManager.getConnection("jdbc:" + options.url(), properties);
            try {
                stop.closes(() -> connection.abort(Runnable::run));
                return begin(connection, place, attributes);
            } catch (SQLException | IOException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            // What the server says may show values: its code does not.
            throw new IOException(
                    "%s cannot be read from PostgreSQL (SQLSTATE %s)"
                            .formatted(options.table(), e.getSQLState()));
        }
    }

    private static PostgresRows begin(
            Connection connection,
            TablePlace.OfPostgres place,
            @Nullable Map<String, Object> attributes)
            throws SQLException {
        PostgresOptions options = place.options();
        connection.setAutoCommit(false);
        if (attributes != null) {
            lock(connection, place, attributes);
        }
        List<String> found = prepared(connection, place, attributes);
        ConfigException.check(
                !found.isEmpty() && "rpvmf".contains(found.get(1)),
                "%s: there is no such table, or the user may not see it",
                options.table());
        if (attributes != null) {
            requireSecurity(place, found);
        }
        return new PostgresRows(connection, found.get(0), columns(connection, options.table()));
    }

    /**
     * Keeps the table's rules from being changed until the transaction ends. The lock comes before
     * the transaction's first query, which fixes what it sees: so the name is found in one before.
     */
    private static void lock(
            Connection connection, TablePlace.OfPostgres place, Map<String, Object> attributes)
            throws SQLException {
        List<String> found = prepared(connection, place, attributes);
        connection.rollback();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
            statement.execute(
                    "SET LOCAL lock_timeout = " + place.options().statementTimeoutNs() / NS_PER_MS);
            if (place.role() != null) {
                statement.execute("SET LOCAL ROLE " + DuckDb.name(text(attributes, place.role())));
            }
            if (!found.isEmpty() && "rp".contains(found.get(1))) {
                statement.execute("LOCK TABLE %s IN ACCESS SHARE MODE".formatted(found.get(0)));
            }
        }
    }

    /** What the server says of the table, with the role and the settings of the caller. */
    private static List<String> prepared(
            Connection connection,
            TablePlace.OfPostgres place,
            @Nullable Map<String, Object> attributes)
            throws SQLException {
        PostgresOptions options = place.options();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
            statement.execute("SET LOCAL TimeZone = 'UTC'");
            statement.execute("SET LOCAL DateStyle = 'ISO, YMD'");
            statement.execute("SET LOCAL IntervalStyle = 'iso_8601'");
            statement.execute(
                    "SET LOCAL statement_timeout = " + options.statementTimeoutNs() / NS_PER_MS);
        }
        if (attributes != null) {
            for (Map.Entry<String, String> setting : place.settings().entrySet()) {
                set(connection, setting.getKey(), text(attributes, setting.getValue()));
            }
            if (place.role() != null) {
                String role = text(attributes, place.role());
                ConfigException.check(
                        !role.strip().equalsIgnoreCase("none"),
                        "the caller's attribute '%s' is none, which to the server is no role but"
                                + " the user's own: name a role",
                        place.role());
                set(connection, "role", role);
            }
        }
        return row(
                connection,
                "SELECT to_regclass(?)::text, c.relkind, c.relrowsecurity::text,"
                        + " (r.rolsuper OR r.rolbypassrls)::text, (NOT"
                        + " c.relforcerowsecurity AND pg_has_role(current_user, c.relowner,"
                        + " 'USAGE'))::text FROM pg_class c, pg_roles r WHERE c.oid ="
                        + " to_regclass(?) AND r.rolname = current_user",
                options.table(),
                options.table());
    }

    /** Whoever row security does not bind must not be the one that reads for a caller. */
    private static void requireSecurity(TablePlace.OfPostgres place, List<String> found) {
        String table = place.options().table();
        boolean isSecured = found.get(2).equals("true");
        boolean wantsSecurity = place.role() != null || !place.settings().isEmpty();
        ConfigException.check(
                isSecured || !wantsSecurity,
                "%s: role: or settings: are given, but %s: enable row level security there, or"
                        + " remove them",
                table,
                "rp".contains(found.get(1))
                        ? "the table has no row level security"
                        : "it is a view, which reads as its owner");
        ConfigException.check(
                !isSecured || found.get(3).equals("false"),
                "%s: the role that reads it is a superuser or has BYPASSRLS, which row level"
                        + " security does not bind: read as another role",
                table);
        ConfigException.check(
                !isSecured || found.get(4).equals("false"),
                "%s: the role that reads it owns the table, and row level security is not forced on"
                    + " owners: ALTER TABLE … FORCE ROW LEVEL SECURITY, or read as another role",
                table);
    }

    private static String text(Map<String, Object> attributes, String name) {
        Object value = attributes.get(name);
        ConfigException.check(
                value != null && String.valueOf(value).indexOf('\0') < 0,
                "the caller's attribute '%s' is missing or holds a NUL",
                name);
        return String.valueOf(value);
    }

    private static void set(Connection connection, String name, String value) throws SQLException {
        row(connection, "SELECT set_config(?, ?, true)", name, value);
    }

    private static List<String> row(Connection connection, String sql, String... parameters)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                query.setString(i + 1, parameters[i]);
            }
            try (ResultSet result = query.executeQuery()) {
                List<String> values = new ArrayList<>();
                if (result.next()) {
                    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                        values.add(result.getString(i));
                    }
                }
                return values;
            }
        }
    }

    private static List<SourceColumn> columns(Connection connection, String table)
            throws SQLException {
        List<SourceColumn> columns = new ArrayList<>();
        String sql =
                "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid"
                        + " = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attnum";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, table);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    columns.add(
                            new SourceColumn(result.getString(1), type(result.getString(2)), true));
                }
            }
        }
        return columns;
    }

    /** The server gives texts, which hold every value exactly. */
    private static String type(String given) {
        String type = given.toLowerCase(Locale.ROOT);
        Matcher decimal = DECIMAL.matcher(type);
        if (decimal.matches() && Integer.parseInt(decimal.group(1)) <= MOST_DIGITS) {
            return "DECIMAL(%s,%s)".formatted(decimal.group(1), decimal.group(2));
        }
        return switch (type) {
            case "boolean" -> "BOOLEAN";
            case "smallint", "integer", "bigint" -> "BIGINT";
            case "real" -> "FLOAT";
            case "double precision" -> "DOUBLE";
            case "date" -> "DATE";
            case "timestamp without time zone" -> "TIMESTAMP";
            case "timestamp with time zone" -> "TIMESTAMP WITH TIME ZONE";
            default -> "VARCHAR";
        };
    }

    @Override
    public List<SourceColumn> columns() {
        return columns;
    }

    @Override
    public void fill(DuckDb db, ExtractSql extract) throws SQLException, IOException {
        String wanted =
                columns.stream()
                        .map(c -> DuckDb.name(c.name()) + "::text")
                        .collect(Collectors.joining(", "));
        try (TextBatches batches = new TextBatches(db, extract, columns)) {
            read("SELECT %s FROM %s".formatted(wanted, table), batches);
            batches.end();
        }
        db.execute("CREATE TABLE sorted AS SELECT * FROM extract ORDER BY ALL");
        db.execute("DROP TABLE extract");
        db.execute("ALTER TABLE sorted RENAME TO extract");
    }

    private void read(String query, TextBatches batches) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCHED_ROWS);
            try (ResultSet rows = statement.executeQuery(query)) {
                while (rows.next()) {
                    List<@Nullable String> values = new ArrayList<>();
                    for (int i = 1; i <= columns.size(); i++) {
                        values.add(rows.getString(i));
                    }
                    batches.add(values);
                }
            }
        } catch (SQLException e) {
            throw new SQLException("PostgreSQL Error: SQLSTATE " + e.getSQLState());
        }
    }

    @Override
    public void close() throws IOException {
        try {
            connection.rollback();
            connection.close();
        } catch (SQLException e) {
            throw new IOException("the connection to PostgreSQL does not close");
        }
    }
}
