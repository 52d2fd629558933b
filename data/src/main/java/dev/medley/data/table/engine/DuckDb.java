package dev.medley.data.table.engine;

import dev.medley.base.ConfigException;
import dev.medley.data.shard.InputFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Opens a DuckDB of our own for the time of one ingest. A small set is staged in memory, a large
 * one in a file of the work folder, with a memory limit in both cases.
 *
 * <p>Thread: one.
 */
public final class DuckDb implements AutoCloseable {
    /** A file is packed so, in words of SQL, whatever its name says. */
    public static final String GZIP = "gzip";

    /** A file is not packed, in words of SQL, whatever its name says. */
    public static final String UNPACKED = "none";

    private static final long MEMORY_LIMIT_BYTES = 1L << 30;
    private static final long IN_MEMORY_BYTES = 256L << 20;
    private static final int GZIP_FACTOR = 6;
    private static final Pattern WILDCARD = Pattern.compile("[*?\\[]");
    private static final AtomicBoolean IS_LOADED = new AtomicBoolean();

    private final DuckDBConnection connection;
    private final Path scratch;
    private final EnginePool.@Nullable Engine pooled;

    private DuckDb(DuckDBConnection connection, Path scratch, EnginePool.@Nullable Engine pooled) {
        this.connection = connection;
        this.scratch = scratch;
        this.pooled = pooled;
    }

    /** For the contents of {@code files}; what does not fit memory goes below {@code folder}. */
    public static DuckDb forFiles(List<Path> files, Path folder) throws IOException {
        long bytes = 0;
        for (Path file : files) {
            long size = Files.size(file);
            bytes += InputFiles.isGzip(file) ? size * GZIP_FACTOR : size;
        }
        Path scratch = scratchIn(folder);
        String database = bytes <= IN_MEMORY_BYTES ? "" : scratch.resolve("rows.db").toString();
        try {
            DuckDBConnection connection =
                    (DuckDBConnection)
                            DriverManager.getConnection(
                                    "jdbc:duckdb:" + database, options(scratch));
            return opened(new DuckDb(connection, scratch, null));
        } catch (SQLException e) {
            throw doesNotOpen(e);
        }
    }

    /**
     * For statements of our own in memory, by an engine that may have served others before, which
     * opens in a millisecond. Its settings must stay as they are, so it is not for statements that
     * come from elsewhere; what does not fit memory goes below {@code folder}.
     */
    public static DuckDb pooled(Path folder) throws IOException {
        Path scratch = scratchIn(folder);
        try {
            EnginePool.Engine engine = EnginePool.SHARED.take(options(scratch), scratch);
            return opened(new DuckDb(engine.connection(), scratch, engine));
        } catch (SQLException e) {
            throw doesNotOpen(e);
        }
    }

    private static DuckDb opened(DuckDb db) throws SQLException {
        if (IS_LOADED.compareAndSet(false, true)) {
            UnpackedEngine.remove();
        }
        db.execute("SET TimeZone = 'UTC'");
        return db;
    }

    private static IllegalStateException doesNotOpen(SQLException e) {
        return new IllegalStateException("DuckDB does not open: " + e.getMessage(), e);
    }

    private static Path scratchIn(Path folder) throws IOException {
        Path scratch = Files.createDirectories(folder.resolve("duckdb"));
        empty(scratch); // A killed process may have left its rows.
        return scratch;
    }

    private static Properties options(Path scratch) {
        Properties options = new Properties();
        options.setProperty("memory_limit", MEMORY_LIMIT_BYTES / 1_000_000 + "MB");
        options.setProperty("temp_directory", scratch.toString());
        options.setProperty("autoinstall_known_extensions", "false");
        options.setProperty("preserve_insertion_order", "true");
        options.setProperty("jdbc_stream_results", "true");
        return options;
    }

    /** The folder for files that are needed as long as this is open. */
    public Path scratch() {
        return scratch;
    }

    /** The connection itself, for what statements cannot do. */
    public DuckDBConnection connection() {
        return connection;
    }

    /** Runs a statement. A failed one closes its Statement, so each has its own. */
    public void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The rows of a small result, as text; null stays null. */
    public List<List<String>> rows(String sql) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(result.getString(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** Statements of a kind. */
    @FunctionalInterface
    public interface Work {
        void run() throws SQLException, IOException;
    }

    /**
     * Runs statements as they stand. Of what the optimizer does they need nothing, and two things
     * do harm: it moves casts into the CSV reader, which then leaves out all rows, and its time
     * grows with the square of the columns.
     */
    public void plainly(Work work) throws SQLException, IOException {
        execute("PRAGMA disable_optimizer");
        try {
            work.run();
        } finally {
            execute("PRAGMA enable_optimizer");
        }
    }

    /** The longs of a result of one row. */
    public long[] longs(String sql) throws SQLException {
        return rows(sql).get(0).stream().mapToLong(Long::parseLong).toArray();
    }

    /** The longs of a result of one column. */
    public long[] column(String sql) throws SQLException {
        LongStream.Builder values = LongStream.builder();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                values.add(result.getLong(1));
            }
        }
        return values.build().toArray();
    }

    /** A name as SQL. */
    public static String name(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** A text as SQL. */
    public static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /**
     * The path of a file as SQL for a function that takes patterns, none of which this is: it reads
     * that file and no other.
     */
    public static String path(Path file) {
        String path = file.toAbsolutePath().toString();
        boolean isPattern = WILDCARD.matcher(path).find();
        ConfigException.check(
                !isPattern || path.indexOf('\\') < 0,
                "%s: a path with a backslash and with one of * ? [ cannot be read: rename it",
                file);
        return text(isPattern ? WILDCARD.matcher(path).replaceAll("[$0]") : path);
    }

    /** Texts as an SQL list. */
    public static String list(List<String> texts) {
        return texts.stream().map(DuckDb::text).collect(Collectors.joining(", ", "[", "]"));
    }

    /** The first line of a DuckDB message, without its class. */
    public static String message(SQLException e) {
        String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return first.replaceFirst("^[A-Z][A-Za-z ]+ Error: ", "");
    }

    @Override
    public void close() throws IOException {
        try {
            if (pooled == null) {
                connection.close();
            } else {
                EnginePool.SHARED.giveBack(pooled);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB does not close: " + e.getMessage(), e);
        }
        empty(scratch);
        Files.deleteIfExists(scratch);
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
