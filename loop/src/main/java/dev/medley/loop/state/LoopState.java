package dev.medley.loop.state;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import tools.jackson.databind.JsonNode;

/**
 * Keeps the runs, stages, decisions and facts of loops in a database. Each call is one transaction,
 * so that a process that is killed leaves what it had said and nothing half.
 *
 * <p>Thread: one. Other processes may read the same state meanwhile.
 */
public final class LoopState implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopState.class);
    private static final Set<String> ANOTHER_MADE_IT = Set.of("23505", "42P07");
    private static final int BUSY_MS = 20_000;

    private static final List<String> TABLES =
            List.of(
                    "CREATE TABLE IF NOT EXISTS loop_run (loop TEXT NOT NULL, run BIGINT NOT NULL,"
                            + " cause TEXT NOT NULL, as_of_ms BIGINT NOT NULL, began_ms BIGINT NOT"
                            + " NULL, ended_ms BIGINT, outcome TEXT NOT NULL, why TEXT NOT NULL,"
                            + " PRIMARY KEY (loop, run))",
                    "CREATE TABLE IF NOT EXISTS loop_stage (loop TEXT NOT NULL, run BIGINT NOT"
                        + " NULL, position INTEGER NOT NULL, name TEXT NOT NULL, began_ms BIGINT"
                        + " NOT NULL, ended_ms BIGINT, outcome TEXT NOT NULL, why TEXT NOT NULL,"
                        + " result TEXT NOT NULL, PRIMARY KEY (loop, run, position))",
                    "CREATE TABLE IF NOT EXISTS loop_decision (loop TEXT NOT NULL, run BIGINT NOT"
                        + " NULL, kind TEXT NOT NULL, at_ms BIGINT NOT NULL, verdict TEXT NOT NULL,"
                        + " why TEXT NOT NULL, numbers TEXT NOT NULL, PRIMARY KEY (loop, run,"
                        + " kind))",
                    "CREATE TABLE IF NOT EXISTS loop_fact (loop TEXT NOT NULL, name TEXT NOT NULL,"
                            + " value TEXT NOT NULL, PRIMARY KEY (loop, name))");

    private final Connection connection;
    private final String loop;
    private final String where;
    private final Clock clock;
    private long lastElsewhere;

    private LoopState(Connection connection, String loop, String where, Clock clock) {
        this.connection = connection;
        this.loop = loop;
        this.where = where;
        this.clock = clock;
    }

    /** The state of {@code loop} in a file of {@code folder}, which is made where it is not. */
    public static LoopState inFolder(Path folder, String loop, Clock clock) {
        Path file = folder.resolve("loop.db");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: the loop's state cannot be kept there: %s".formatted(folder, e), e);
        }
        SQLiteConfig options = new SQLiteConfig();
        options.setJournalMode(SQLiteConfig.JournalMode.WAL);
        options.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        options.setBusyTimeout(BUSY_MS);
        options.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        try {
            LoopState state =
                    opened(
                            options.createConnection("jdbc:sqlite:" + file),
                            loop,
                            file.toString(),
                            clock);
            state.requireAlone(folder);
            return state;
        } catch (SQLException e) {
            throw new ConfigException(
                    "%s: the loop's state does not open: %s".formatted(file, line(e)), e);
        }
    }

    /**
     * The same in a database that a JDBC URL names.
     *
     * @param user null where the URL says who
     * @param password null where none is needed; it is never shown
     */
    public static LoopState at(
            String url,
            @Nullable String user,
            @Nullable String password,
            String loop,
            Clock clock) {
        String shown =
                url.replaceAll("(?i)(password=)[^&;]*", "$1***").replaceAll("//[^/@]*@", "//***@");
        try {
            return opened(DriverManager.getConnection(url, user, password), loop, shown, clock);
        } catch (SQLException e) {
            throw new ConfigException(
                    "%s: the loop's state does not open: %s".formatted(shown, line(e)), e);
        }
    }

    private static LoopState opened(Connection connection, String loop, String where, Clock clock)
            throws SQLException {
        try {
            create(connection);
        } catch (SQLException e) {
            if (!ANOTHER_MADE_IT.contains(String.valueOf(e.getSQLState()))) {
                connection.close();
                throw e;
            }
            create(connection); // Two began at the same time: now they are there.
        }
        return new LoopState(connection, loop, where, clock);
    }

    private static void create(Connection connection) throws SQLException {
        for (String table : TABLES) {
            try (PreparedStatement create = connection.prepareStatement(table)) {
                create.execute();
            }
        }
    }

    /** Files of runs are told apart by their number alone. */
    private void requireAlone(Path folder) {
        List<String> others =
                query(
                        "SELECT DISTINCT loop FROM loop_run WHERE loop <> ?",
                        row -> row.getString(1),
                        loop);
        if (!others.isEmpty()) {
            close();
            throw new ConfigException(
                    "%s: is the folder of loop %s; give loop %s another state:"
                            .formatted(folder, others.get(0), loop));
        }
    }

    /** What it is kept in, for messages; without a password. */
    public String where() {
        return where;
    }

    /** Whom it is of. */
    public String loop() {
        return loop;
    }

    /** The run that has not ended, if there is one: it was cut off, or works. */
    public Optional<LoopRun> unended() {
        return runs(1).stream().filter(run -> run.outcome() == StageOutcome.RUNNING).findFirst();
    }

    /** The last {@code most} runs, the newest first. */
    public List<LoopRun> runs(int most) {
        return query(
                "SELECT run, cause, as_of_ms, began_ms, ended_ms, outcome, why FROM loop_run"
                        + " WHERE loop = ? ORDER BY run DESC LIMIT ?",
                row ->
                        new LoopRun(
                                row.getLong(1),
                                row.getString(2),
                                row.getLong(3),
                                row.getLong(4),
                                whole(row, 5),
                                StageOutcome.valueOf(row.getString(6)),
                                row.getString(7)),
                loop,
                most);
    }

    /**
     * Numbers of runs go on behind this one, if the state has none so high: it was lost, and files
     * of runs are still there.
     */
    public void goOnAfter(long number) {
        lastElsewhere = number;
    }

    /** Begins a run; none may be unended. */
    public LoopRun begin(String cause, long asOfMs) {
        long last = runs(1).stream().mapToLong(LoopRun::number).findFirst().orElse(0);
        long number = Math.max(last, lastElsewhere) + 1;
        long now = clock.wallMillis();
        change(
                "INSERT INTO loop_run VALUES (?, ?, ?, ?, ?, NULL, ?, '')",
                loop,
                number,
                cause,
                asOfMs,
                now,
                StageOutcome.RUNNING.name());
        return new LoopRun(number, cause, asOfMs, now, null, StageOutcome.RUNNING, "");
    }

    /** Ends a run. */
    public void end(LoopRun run, StageOutcome outcome, String why) {
        change(
                "UPDATE loop_run SET ended_ms = ?, outcome = ?, why = ? WHERE loop = ? AND run = ?",
                clock.wallMillis(),
                outcome.name(),
                why,
                loop,
                run.number());
    }

    /** The stages of a run that have begun, in their order. */
    public List<StageRecord> stages(long run) {
        return query(
                "SELECT position, name, began_ms, ended_ms, outcome, why, result FROM loop_stage"
                        + " WHERE loop = ? AND run = ? ORDER BY position",
                row ->
                        new StageRecord(
                                row.getInt(1),
                                row.getString(2),
                                row.getLong(3),
                                whole(row, 4),
                                StageOutcome.valueOf(row.getString(5)),
                                row.getString(6),
                                json(row.getString(7))),
                loop,
                run);
    }

    /** Begins a stage, for the first time or anew. */
    public void beginStage(LoopRun run, int position, String name) {
        change(
                "INSERT INTO loop_stage VALUES (?, ?, ?, ?, ?, NULL, ?, '', '{}')"
                        + " ON CONFLICT (loop, run, position) DO UPDATE SET name = excluded.name,"
                        + " began_ms = excluded.began_ms, ended_ms = NULL,"
                        + " outcome = excluded.outcome, why = '', result = '{}'",
                loop,
                run.number(),
                position,
                name,
                clock.wallMillis(),
                StageOutcome.RUNNING.name());
    }

    /** Ends a stage. */
    public void endStage(
            LoopRun run, int position, StageOutcome outcome, String why, JsonNode result) {
        change(
                "UPDATE loop_stage SET ended_ms = ?, outcome = ?, why = ?, result = ?"
                        + " WHERE loop = ? AND run = ? AND position = ?",
                clock.wallMillis(),
                outcome.name(),
                why,
                result.toString(),
                loop,
                run.number(),
                position);
    }

    /** Notes what was decided; a decision of the same kind in the same run is replaced. */
    public void decide(LoopRun run, String kind, String verdict, String why, JsonNode numbers) {
        change(
                "INSERT INTO loop_decision VALUES (?, ?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (loop, run, kind) DO UPDATE SET at_ms = excluded.at_ms,"
                        + " verdict = excluded.verdict, why = excluded.why,"
                        + " numbers = excluded.numbers",
                loop,
                run.number(),
                kind,
                clock.wallMillis(),
                verdict,
                why,
                numbers.toString());
    }

    /** The last {@code most} decisions, the newest first. */
    public List<DecisionRecord> decisions(int most) {
        return query(
                "SELECT run, at_ms, kind, verdict, why, numbers FROM loop_decision"
                        + " WHERE loop = ? ORDER BY run DESC, at_ms DESC LIMIT ?",
                row ->
                        new DecisionRecord(
                                row.getLong(1),
                                row.getLong(2),
                                row.getString(3),
                                row.getString(4),
                                row.getString(5),
                                json(row.getString(6))),
                loop,
                most);
    }

    /** What is remembered under a name from one run to the next. */
    public Optional<JsonNode> fact(String name) {
        return query(
                        "SELECT value FROM loop_fact WHERE loop = ? AND name = ?",
                        row -> json(row.getString(1)),
                        loop,
                        name)
                .stream()
                .findFirst();
    }

    /** Remembers under a name. */
    public void remember(String name, JsonNode value) {
        change(
                "INSERT INTO loop_fact VALUES (?, ?, ?) ON CONFLICT (loop, name)"
                        + " DO UPDATE SET value = excluded.value",
                loop,
                name,
                value.toString());
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("{} was not closed", where, e); // What was said is kept.
        }
    }

    /** The connection, for a lock that ends with it. */
    Connection connection() {
        return connection;
    }

    /** Reads one row. */
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    <T> List<T> query(String sql, RowReader<T> reader, Object... values) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill(statement, values);
            List<T> rows = new ArrayList<>();
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(reader.read(found));
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new ConfigException(
                    "%s: the loop's state cannot be read: %s".formatted(where, line(e)), e);
        }
    }

    /** How many rows it changed. */
    int change(String sql, Object... values) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            fill(statement, values);
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new ConfigException(
                    "%s: the loop's state cannot be written: %s".formatted(where, line(e)), e);
        }
    }

    private static void fill(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    private static @Nullable Long whole(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private static JsonNode json(String text) {
        return Json.parse(text, JsonNode.class);
    }

    private static String line(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
