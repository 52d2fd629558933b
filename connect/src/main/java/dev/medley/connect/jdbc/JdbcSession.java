package dev.medley.connect.jdbc;

import dev.medley.connect.Secret;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Connects to a database. Drivers have no settings in common for deadlines and for reading row by
 * row; what some of them need so that no value is converted and no result is held whole is set
 * here.
 */
final class JdbcSession {
    /** No answer for so long means that none comes; a query may take its time before the first. */
    private static final Duration SILENCE = Duration.ofHours(1);

    private JdbcSession() {}

    static Connection open(
            JdbcOptions options, UnaryOperator<@Nullable String> environment, Duration longest)
            throws SQLException {
        Driver driver = JdbcDrivers.of(options);
        Properties properties = properties(options.url(), driver);
        String user = options.user();
        if (user != null) {
            properties.setProperty("user", user);
        }
        Secret named = options.password();
        String password = named == null ? "" : named.read(environment);
        if (named != null) {
            properties.setProperty("password", password);
        }
        try {
            Connection connection = connect(driver, options.url(), properties, longest);
            prepare(connection, options.url());
            return connection;
        } catch (SQLException e) {
            String said = String.valueOf(e.getMessage());
            if (!password.isEmpty() && said.contains(password)) {
                throw new SQLException(
                        said.replace(password, "…"), e.getSQLState(), e.getErrorCode());
            }
            throw e;
        }
    }

    private static Properties properties(String url, Driver driver) {
        Properties properties = new Properties();
        if (isOfMySql(url)) {
            properties.setProperty("tinyInt1isBit", "false"); // 2 would be true.
            properties.setProperty("yearIsDateType", "false"); // It would be a day.
            properties.setProperty("useCursorFetch", "true"); // Else a result is held whole.
            properties.setProperty("useServerPrepStmts", "true"); // Floats with all their digits.
        }
        if (url.startsWith("jdbc:snowflake:")) {
            properties.setProperty(
                    "TIMEZONE", "UTC"); // A cursor without a zone is asked for in it.
            properties.setProperty("TIME_OUTPUT_FORMAT", "HH24:MI:SS.FF9"); // Else seconds alone.
            properties.setProperty(
                    "disablePlatformDetection", "true"); // It asks around for clouds.
            if (!Object.class.getModule().isOpen("java.nio", driver.getClass().getModule())) {
                // Its usual form of results needs --add-opens=java.base/java.nio=ALL-UNNAMED.
                properties.setProperty("JDBC_QUERY_RESULT_FORMAT", "JSON");
            }
        }
        return properties;
    }

    private static boolean isOfMySql(String url) {
        return url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:");
    }

    private static Connection connect(
            Driver driver, String url, Properties properties, Duration longest)
            throws SQLException {
        CompletableFuture<Connection> coming = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                coming.complete(driver.connect(url, properties));
                            } catch (SQLException | RuntimeException | Error e) {
                                coming.completeExceptionally(e);
                            }
                        },
                        "jdbc-connect");
        thread.setDaemon(true);
        thread.start();
        try {
            return coming.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            CompletableFuture<Void> unused = coming.thenAccept(JdbcSession::closeQuietly);
            throw new SQLTransientConnectionException(
                    "no connection within " + longest.toSeconds() + " s", "08001", e);
        } catch (InterruptedException e) {
            CompletableFuture<Void> unused = coming.thenAccept(JdbcSession::closeQuietly);
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted", "08001", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** One that came too late. */
    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            return; // The server ends it.
        }
    }

    private static void prepare(Connection connection, String url) throws SQLException {
        try {
            connection.setNetworkTimeout(Runnable::run, (int) SILENCE.toMillis());
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            return; // One that runs within this process has no network.
        }
        if (isOfMySql(url)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET time_zone = '+00:00'"); // TIMESTAMP is shown in it.
            }
        }
    }
}
