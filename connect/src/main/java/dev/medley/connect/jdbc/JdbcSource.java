package dev.medley.connect.jdbc;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table of any database by a cursor column: rows whose cursor is at least the highest seen
 * less an overlap, in one query, never page by page. Equal values of the cursor do no harm.
 *
 * <p>Exact: rows whose change committed, and whose cursor was set, within the overlap of the
 * highest cursor; and rows without a cursor, which are always read. A new key that was missed all
 * the same is found when keys are compared, and leads to reading all rows; so are deletes.
 *
 * <p>Not exact: an update that commits later than the overlap allows, or that does not set the
 * cursor, is missed until all rows are read ({@code allEvery}) or {@code reconcile} tells. Where
 * the database has no snapshots (REPEATABLE READ), rows and keys are of slightly different moments;
 * the next sync mends that. A column that was renamed is one dropped and one added.
 */
public final class JdbcSource implements TableSource {
    private static final Duration USUAL_CONNECT = Duration.ofMinutes(2);

    private static final int SNOWFLAKE_WRONG_PASSWORD = 390_100;
    private static final int SNOWFLAKE_WRONG_KEY = 390_144;

    private final JdbcOptions options;
    private final UnaryOperator<@Nullable String> environment;
    private final Duration longestConnect;

    /**
     * Asks nothing of the database yet.
     *
     * @param environment a variable's value, null if it is not set
     */
    public JdbcSource(JdbcOptions options, UnaryOperator<@Nullable String> environment) {
        this(options, environment, USUAL_CONNECT);
    }

    JdbcSource(
            JdbcOptions options,
            UnaryOperator<@Nullable String> environment,
            Duration longestConnect) {
        this.options = options;
        this.environment = environment;
        this.longestConnect = longestConnect;
    }

    @Override
    public String name() {
        return "table %s of %s".formatted(options.table(), options.place());
    }

    @Override
    public TableView open(SyncStart start) throws IOException {
        try {
            Connection connection = JdbcSession.open(options, environment, longestConnect);
            try {
                return JdbcView.open(connection, options, JdbcPosition.of(start.since()));
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw trouble(options, e);
        }
    }

    /** Classes of SQLSTATE are the same everywhere (ISO 9075): 28 authorization, 42 access. */
    static IOException trouble(JdbcOptions options, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        if (state.startsWith("28") || isRefusedBySnowflake(options, e)) {
            throw new ConfigException(
                    "%s: user '%s' is not let in (%s): check the user and the password"
                            .formatted(options.place(), options.user(), said),
                    e);
        } else if (state.startsWith("42") || state.startsWith("3D")) {
            throw new ConfigException(
                    "%s: %s cannot be read (%s): check its name, its columns and your rights"
                            .formatted(options.place(), options.table(), said),
                    e);
        }
        return new IOException(
                "%s: reading %s failed (%s): sync again; nothing was changed here"
                        .formatted(options.place(), options.table(), said),
                e);
    }

    /** Snowflake's driver says of a wrong password that the connection failed, 08001. */
    private static boolean isRefusedBySnowflake(JdbcOptions options, SQLException e) {
        return options.url().startsWith("jdbc:snowflake:")
                && (e.getErrorCode() == SNOWFLAKE_WRONG_PASSWORD
                        || e.getErrorCode() == SNOWFLAKE_WRONG_KEY);
    }
}
