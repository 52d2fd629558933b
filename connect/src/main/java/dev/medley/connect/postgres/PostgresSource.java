package dev.medley.connect.postgres;

import dev.medley.base.ConfigException;
import dev.medley.connect.Secret;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * Reads a table of PostgreSQL. Each view is one REPEATABLE READ transaction, so it shows the table
 * at one moment, and keeps other sessions from changing columns meanwhile.
 *
 * <p>Exact: rows inserted or changed since the last sync, whenever their transaction began and
 * committed, savepoints and prepared transactions included; deletes at syncs that compare keys.
 * Seen only by {@code reconcile} or a sync of all rows: a change that writes no row, such as a
 * renamed label of an enum or a row security policy; a data folder that was put back from a copy
 * without recovery, or a crash that lost transactions of {@code synchronous_commit = off}, where
 * the server then ran past the last sync. Views, materialized views and foreign tables are read
 * whole each time.
 */
public final class PostgresSource implements TableSource {
    private static final int CONNECT_SECONDS = 15;
    private static final int LOCK_SECONDS = 60;
    private static final int SILENCE_AFTER_SECONDS = 10;
    private static final int LONGEST_SILENCE_SECONDS = 6 * 3600;

    private final PostgresOptions options;
    private final UnaryOperator<@Nullable String> environment;
    private final PostgresTrouble trouble;

    /**
     * Asks nothing of the server yet.
     *
     * @param environment a variable's value, null if it is not set
     */
    public PostgresSource(PostgresOptions options, UnaryOperator<@Nullable String> environment) {
        this.options = options;
        this.environment = environment;
        this.trouble = new PostgresTrouble(options);
    }

    @Override
    public String name() {
        return "table %s of PostgreSQL database %s".formatted(options.table(), options.database());
    }

    @Override
    public TableView open(SyncStart start) throws IOException {
        try {
            Connection connection = connect();
            try {
                return PostgresView.open(connection, options, trouble, start);
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw trouble.of(e);
        }
    }

    /** The server gives up its statement first, and says why; then nothing comes any more. */
    private long silenceSeconds() {
        long statement = options.statementTimeoutNs() / 1_000_000_000;
        return statement == 0 ? LONGEST_SILENCE_SECONDS : statement + SILENCE_AFTER_SECONDS;
    }

    /** A session whose texts have one form, whatever the server's settings are. */
    Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", options.user());
        Secret password = options.password();
        if (password != null) {
            properties.setProperty("password", password.read(environment));
        }
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(2 * CONNECT_SECONDS));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("socketTimeout", Long.toString(silenceSeconds()));
        properties.setProperty("ApplicationName", "medley");
        Connection connection = new Driver().connect(options.jdbcUrl(), properties);
        ConfigException.check(
                connection != null, "url %s: is none of PostgreSQL's", options.place());
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'iso_8601';"
                            + " SET TimeZone = 'UTC'; SET extra_float_digits = 1;"
                            + " SET bytea_output = 'hex'; SET xmloption = content;"
                            + " SET lock_timeout = "
                            + LOCK_SECONDS * 1000
                            + "; SET statement_timeout = "
                            + options.statementTimeoutNs() / 1_000_000);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
