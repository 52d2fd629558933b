package dev.medley.tenant.read;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.TenantCaller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes shared tables and policies for tests, in a folder of the test's own. */
public final class SharedTables {
    /** Stands in everything of tenants that are not asked for, and below masks. */
    public static final String CANARY = "CANARY-7f3a";

    private static final String KEY = "0123456789abcdef0123456789abcdef";

    private final Path folder;
    private int extracts;

    /** In a folder that is there. */
    public SharedTables(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("hash.key"), KEY);
    }

    /** Where the files are. */
    public Path folder() {
        return folder;
    }

    /** Rows of a query as a Parquet file below {@code data}. */
    public SharedTables parquet(String name, String sql) throws IOException {
        return write(name + ".parquet", sql, "FORMAT PARQUET");
    }

    /** Rows of a query as a CSV file below {@code data}. */
    public SharedTables csv(String name, String sql) throws IOException {
        return write(name + ".csv", sql, "FORMAT CSV, HEADER true");
    }

    /** Rows of a query as a file of JSON lines below {@code data}. */
    public SharedTables json(String name, String sql) throws IOException {
        return write(name + ".jsonl", sql, "FORMAT JSON");
    }

    private SharedTables write(String name, String sql, String options) throws IOException {
        Path file = folder.resolve("data").resolve(name);
        sql("COPY (%s) TO %s (%s)".formatted(sql, DuckDb.text("" + file), options), row -> {});
        return this;
    }

    /** What is below {@code tables:} and {@code callers:}, in the file of policies. */
    public Path policies(String tables, String callers) throws IOException {
        return rested(
                folder.resolve("policies.yaml"),
                "bucket: warehouse\nhash_key: file:hash.key\ntables:\n%s\ncallers:\n%s\n"
                        .formatted(
                                tables.stripTrailing().indent(2),
                                callers.stripTrailing().indent(2)));
    }

    /** Writes a file as it is when nobody has written it for a while. */
    public static Path rested(Path file, String text) throws IOException {
        Files.writeString(file, text);
        return Files.setLastModifiedTime(
                file, FileTime.from(InstantSource.system().instant().minusSeconds(60)));
    }

    /** The same, opened. */
    public TenantTables open(String tables, String callers) throws IOException {
        return TenantTables.open(policies(tables, callers), System::getenv);
    }

    /** A caller with attributes by turns of name and value. */
    public static TenantCaller caller(String name, Object... attributes) {
        Map<String, Object> values = new java.util.HashMap<>();
        for (int i = 0; i < attributes.length; i += 2) {
            values.put((String) attributes[i], attributes[i + 1]);
        }
        return new TenantCaller(name, values);
    }

    /** An extract in a new folder. */
    public Extract extract(
            TenantTables tables, TenantCaller caller, String table, ExtractFormat format)
            throws IOException, ReadDenied {
        Path target = folder.resolve("out" + ++extracts).resolve(table + format.ending());
        return tables.extract(caller, table, format, target);
    }

    /** The rows of a file, each as its values with bars between. */
    public List<String> rows(Path file) throws IOException {
        List<String> rows = new ArrayList<>();
        String table = file.toString().endsWith(".csv") ? "read_csv(%s, all_varchar = true)" : "%s";
        sql("SELECT * FROM " + table.formatted(DuckDb.text("" + file)), rows::add);
        return rows;
    }

    /** One DuckDB for all of a process: it only writes and reads files. */
    private static final class Engine {
        private static final Connection OPEN = open();

        private static Connection open() {
            try {
                return DriverManager.getConnection("jdbc:duckdb:");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void sql(String sql, Consumer<String> rows) throws IOException {
        synchronized (Engine.class) {
            try (Statement statement = Engine.OPEN.createStatement()) {
                if (!statement.execute(sql)) {
                    return;
                }
                ResultSet result = statement.getResultSet();
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    List<String> shown = new ArrayList<>();
                    for (int i = 1; i <= columns; i++) {
                        shown.add(String.valueOf(result.getString(i)));
                    }
                    rows.accept(String.join("|", shown));
                }
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }
}
