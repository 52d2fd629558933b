package dev.medley.connect.postgres;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.Destination;
import dev.medley.connect.back.RowFailure;
import dev.medley.connect.back.RowOutcomes;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Upserts rows into a table of PostgreSQL by a unique column: {@code INSERT … ON CONFLICT}, some
 * hundred rows a transaction. A row that the table refuses is tried alone and told of.
 *
 * <p>Thread: one.
 */
public final class PostgresDestination implements Destination {
    private static final int BATCH_ROWS = 500;
    private static final int MOST_ROWS = 10_000;
    private static final int DEADLOCK_TRIES = 4;
    private static final Pattern SIGNED_YEAR = Pattern.compile("([+-])(\\d{4,9})(-.*)");

    private final PostgresSource server;
    private final PostgresOptions options;
    private final BackTable table;
    private @Nullable Connection connection;
    private String sql = "";
    private String identity = "";
    private List<Boolean> times = List.of();

    /**
     * Writes {@code columns} of the table that {@code options} name.
     *
     * @param environment a variable's value, null if it is not set
     */
    public PostgresDestination(
            PostgresOptions options,
            String key,
            List<String> columns,
            UnaryOperator<@Nullable String> environment) {
        this.server = new PostgresSource(options, environment);
        this.options = options;
        this.table = new BackTable(options.table(), key, columns);
    }

    @Override
    public String name() {
        return "postgresql:%s %s".formatted(options.place(), options.table());
    }

    @Override
    public BackTable table() {
        return table;
    }

    @Override
    public String identity() {
        return identity;
    }

    private String identity(Connection on) throws SQLException {
        String query =
                "SELECT concat_ws('.', (SELECT system_identifier FROM pg_control_system()), (SELECT"
                        + " oid FROM pg_database WHERE datname = current_database()),"
                        + " to_regclass(?)::oid)";
        try (PreparedStatement statement = on.prepareStatement(query)) {
            statement.setString(1, options.table());
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return name() + " " + found.getString(1);
            }
        }
    }

    @Override
    public int mostRows() {
        return MOST_ROWS;
    }

    @Override
    public void open() throws IOException {
        try {
            close();
            Connection made = server.connect();
            connection = made;
            made.setAutoCommit(true);
            Map<String, String> types = types(made);
            requireUnique(made, column(types, table.key()));
            sql = upsert(types);
            times = table.columns().stream().map(c -> isTime(types.getOrDefault(c, ""))).toList();
            identity = identity(made);
        } catch (SQLException e) {
            throw new PostgresTrouble(options).of(e);
        }
    }

    /** Columns with their types, without lengths: a text that is too long is refused, not cut. */
    private Map<String, String> types(Connection on) throws SQLException {
        Map<String, String> types = new LinkedHashMap<>();
        String query =
                "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute"
                        + " WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped"
                        + " ORDER BY attnum";
        try (PreparedStatement statement = on.prepareStatement(query)) {
            statement.setString(1, options.table());
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    types.put(found.getString(1), found.getString(2));
                }
            }
        }
        if (types.isEmpty()) {
            PostgresTable unused = PostgresTable.find(on, options); // It says what is there.
        }
        return types;
    }

    private String column(Map<String, String> types, String name) {
        ConfigException.check(
                types.containsKey(name),
                "%s: %s has no column '%s'%s",
                options.place(),
                options.table(),
                name,
                DidYouMean.of(name, types.keySet())
                        .map(near -> "; did you mean '" + near + "'?")
                        .orElse(""));
        return name;
    }

    private void requireUnique(Connection on, String key) throws SQLException {
        String query =
                "SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid"
                        + " AND a.attnum = i.indkey[0] WHERE i.indrelid = to_regclass(?)"
                        + " AND i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL"
                        + " AND a.attname = ?";
        try (PreparedStatement statement = on.prepareStatement(query)) {
            statement.setString(1, options.table());
            statement.setString(2, key);
            try (ResultSet found = statement.executeQuery()) {
                ConfigException.check(
                        found.next(),
                        "%s: %s has no unique index over '%s' alone, so rows could be doubled: make"
                                + " one, or name another column as the key",
                        options.place(),
                        options.table(),
                        key);
            }
        }
    }

    private String upsert(Map<String, String> types) {
        List<String> names = new ArrayList<>(List.of(table.key()));
        names.addAll(table.columns());
        return "INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO UPDATE SET %s"
                .formatted(
                        options.table(),
                        names.stream()
                                .map(name -> Sql.name(column(types, name)))
                                .collect(Collectors.joining(", ")),
                        names.stream()
                                .map(name -> "CAST(? AS " + types.get(name) + ")")
                                .collect(Collectors.joining(", ")),
                        Sql.name(table.key()),
                        table.columns().stream()
                                .map(name -> "%1$s = EXCLUDED.%1$s".formatted(Sql.name(name)))
                                .collect(Collectors.joining(", ")));
    }

    @Override
    public void send(List<BackRow> rows, RowOutcomes delivery) throws IOException {
        try (PreparedStatement statement = session().prepareStatement(sql)) {
            for (int from = 0; from < rows.size(); from += BATCH_ROWS) {
                batch(
                        statement,
                        rows.subList(from, Math.min(rows.size(), from + BATCH_ROWS)),
                        delivery);
                delivery.settle();
            }
        } catch (SQLException e) {
            throw new PostgresTrouble(options).of(e);
        }
    }

    private Connection session() {
        return Objects.requireNonNull(connection, "open first");
    }

    private void batch(PreparedStatement statement, List<BackRow> rows, RowOutcomes delivery)
            throws SQLException, IOException {
        try {
            together(statement, rows);
        } catch (SQLException e) {
            if (!isOfRows(e)) {
                throw e;
            }
            alone(statement, rows, delivery);
            return;
        }
        for (BackRow row : rows) {
            delivery.written(row);
        }
    }

    private void together(PreparedStatement statement, List<BackRow> rows) throws SQLException {
        for (int tries = 1; ; tries++) {
            session().setAutoCommit(false);
            try {
                for (BackRow row : rows) {
                    fill(statement, row);
                    statement.addBatch();
                }
                int[] unused = statement.executeBatch();
                session().commit();
                return;
            } catch (SQLException e) {
                statement.clearBatch();
                session().rollback();
                if (tries == DEADLOCK_TRIES || !isOfOthers(e)) {
                    throw e;
                }
            } finally {
                session().setAutoCommit(true);
            }
        }
    }

    private void alone(PreparedStatement statement, List<BackRow> rows, RowOutcomes delivery)
            throws SQLException, IOException {
        for (BackRow row : rows) {
            try {
                fill(statement, row);
                int unused = statement.executeUpdate();
                delivery.written(row);
            } catch (SQLException e) {
                if (!isOfRows(e)) {
                    throw e;
                }
                String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
                delivery.failed(
                        row,
                        new RowFailure(
                                String.valueOf(e.getSQLState()),
                                said.replaceFirst("^ERROR: ", "")));
            }
        }
    }

    private void fill(PreparedStatement statement, BackRow row) throws SQLException {
        statement.setString(1, row.key());
        for (int i = 0; i < row.values().size(); i++) {
            String value = row.values().get(i);
            boolean isTime = value != null && times.get(i);
            statement.setString(i + 2, isTime ? time(value) : value);
        }
    }

    private static boolean isTime(String type) {
        return type.startsWith("date") || type.startsWith("timestamp");
    }

    /** ISO 8601 signs years before the first and after 9999; PostgreSQL counts the former by BC. */
    private static String time(String text) {
        Matcher matcher = SIGNED_YEAR.matcher(text);
        if (!matcher.matches()) {
            return text;
        } else if (matcher.group(1).equals("+")) {
            return matcher.group(2) + matcher.group(3);
        }
        return "%04d%s BC".formatted(Integer.parseInt(matcher.group(2)) + 1, matcher.group(3));
    }

    /** Values, constraints, and what triggers say. */
    private static boolean isOfRows(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith("22") || state.startsWith("23") || state.equals("P0001");
    }

    /** Another transaction was in the way. */
    private static boolean isOfOthers(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("40001") || state.equals("40P01");
    }

    @Override
    public void close() throws IOException {
        try {
            if (connection != null) {
                connection.close();
                connection = null;
            }
        } catch (SQLException e) {
            throw new IOException(name() + ": the session does not end: " + e.getMessage(), e);
        }
    }
}
