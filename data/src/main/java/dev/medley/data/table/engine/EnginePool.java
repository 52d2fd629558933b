package dev.medley.data.table.engine;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.duckdb.DuckDBConnection;

/**
 * Keeps up to {@value #MOST_IDLE} engines that have nothing to do, for the next who needs one: to
 * start one takes 15 ms of a core, more than all statements of a small sync. An engine serves one
 * at a time, who gets a catalog of his own in memory, an own connection, and the whole memory
 * limit. One that has put rows on the disk, or cannot let go of its catalog, is not used again.
 *
 * <p>Thread: any.
 */
final class EnginePool {
    /** The one of this process. */
    static final EnginePool SHARED = new EnginePool();

    private static final int MOST_IDLE = 2;

    private final Deque<DuckDBConnection> idle = new ArrayDeque<>();
    private final AtomicLong names = new AtomicLong();

    /** One that has nothing, and may put what does not fit memory into {@code spill}. */
    Engine take(Properties options, Path spill) throws SQLException {
        for (DuckDBConnection old = next(); old != null; old = next()) {
            try {
                run(old, "SET temp_directory = " + DuckDb.text(spill.toString()));
                return open(old);
            } catch (SQLException e) {
                old.close(); // It has used its folder, which cannot be changed then.
            }
        }
        // What a file's bytes were is never remembered: another may have its name by now.
        options.setProperty("enable_external_file_cache", "false");
        return open((DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", options));
    }

    private Engine open(DuckDBConnection root) throws SQLException {
        String catalog = "work" + names.incrementAndGet();
        DuckDBConnection connection = null;
        try {
            run(root, "ATTACH ':memory:' AS " + catalog);
            connection = (DuckDBConnection) root.duplicate();
            run(connection, "USE " + catalog);
            return new Engine(root, connection, catalog);
        } catch (SQLException e) {
            if (connection != null) {
                connection.close();
            }
            throw e;
        }
    }

    /** Takes back one whose statements have ended. */
    void giveBack(Engine engine) throws SQLException {
        engine.connection().close();
        try {
            run(engine.root(), "DETACH " + engine.catalog());
        } catch (SQLException e) {
            engine.root().close();
            return;
        }
        synchronized (idle) {
            if (idle.size() < MOST_IDLE) {
                idle.push(engine.root());
                return;
            }
        }
        engine.root().close();
    }

    private DuckDBConnection next() {
        synchronized (idle) {
            return idle.poll();
        }
    }

    private static void run(DuckDBConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * An engine in use.
     *
     * @param root of the engine, which stays
     * @param connection of the one who uses it
     * @param catalog that is his
     */
    record Engine(DuckDBConnection root, DuckDBConnection connection, String catalog) {}
}
