package dev.medley.loop.feature;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Lets a user's class compute a feature, once: histories go in and a table of the engine comes out,
 * a row at a time in both directions.
 *
 * <p>Thread: one.
 */
final class CodeRun {
    private static final long MOST_ROWS = 1_000_000;
    private static final long MOST_ROWS_EACH = 100;
    private static final int MOST_LETTERS = 200;
    private static final int COLUMNS_SHOWN = 3;

    private final DuckDBConnection connection;
    private final FeatureTable feature;
    private final FeatureClass code;
    private final String what;
    private final List<FeatureColumn> columns = new ArrayList<>();
    private long rowsRead;
    private long rowsGiven;
    private @Nullable HistoryRow last;
    private @Nullable ConfigException refused;

    private CodeRun(Connection connection, FeatureTable feature, FeatureClass code)
            throws SQLException {
        this.connection = connection.unwrap(DuckDBConnection.class);
        this.feature = feature;
        this.code = code;
        this.what = "features.%s: %s".formatted(feature.name(), code.name());
    }

    /**
     * Makes the table that the feature's query reads.
     *
     * @param connection with the histories
     * @throws ConfigException that names the feature, the class and the row
     */
    static void write(Connection connection, FeatureTable feature, FeatureClass code)
            throws SQLException {
        new CodeRun(connection, feature, code).write();
    }

    /** What a failure says of itself: one line, without where in the program it was. */
    static String said(@Nullable Throwable failure) {
        if (failure == null) {
            return "nobody says why";
        }
        String first = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        String text = failure.getMessage() == null ? "" : ": " + first;
        String said =
                failure instanceof ConfigException
                        ? first
                        : failure.getClass().getSimpleName() + text;
        return said.length() > MOST_LETTERS ? said.substring(0, MOST_LETTERS) + "…" : said;
    }

    private void write() throws SQLException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Of a connection of its own: rows are still being read on the other.
        try (Connection into = connection.duplicate()) {
            FeatureCode object = code.create();
            thread.setContextClassLoader(object.getClass().getClassLoader());
            describe(object);
            try (Statement statement = into.createStatement()) {
                statement.execute(
                        "CREATE OR REPLACE TABLE %s (%s)"
                                .formatted(
                                        DuckDb.name(feature.table()),
                                        columns.stream()
                                                .map(c -> DuckDb.name(c.name()) + " " + c.sqlType())
                                                .collect(Collectors.joining(", "))));
            }
            try (DuckDBAppender out =
                    into.unwrap(DuckDBConnection.class).createAppender(feature.table())) {
                run(object, out);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void describe(FeatureCode object) {
        try {
            columns.addAll(object.columns());
        } catch (Exception | LinkageError e) {
            throw new ConfigException("%s.columns() failed: %s".formatted(what, said(e)), e);
        }
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (FeatureColumn column : columns) {
            ConfigException.check(
                    names.add(column.name()), "%s gives two columns '%s'", what, column.name());
        }
        ConfigException.check(!columns.isEmpty(), "%s gives no columns", what);
    }

    private void run(FeatureCode object, DuckDBAppender out) {
        try (Stream<HistoryRow> history = history();
                Stream<List<@Nullable Object>> rows = object.rows(history)) {
            // Not an iterator, which keeps all that comes of one row in memory.
            rows.sequential().forEach(row -> take(row, out));
        } catch (Exception | LinkageError | StackOverflowError | OutOfMemoryError e) {
            if (refused != null) {
                throw refused;
            }
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new ConfigException("%s failed %s: %s".formatted(what, place(), said(e)), e);
        }
        if (refused != null) {
            throw refused; // It had caught it.
        }
    }

    /** Which row was read last. */
    private String place() {
        HistoryRow row = last;
        if (row == null) {
            return "before it read a row";
        }
        List<String> shown = new ArrayList<>(feature.key());
        shown.add(feature.at());
        shown.retainAll(row.values().keySet());
        if (shown.isEmpty()) {
            row.values().keySet().stream().limit(COLUMNS_SHOWN).forEach(shown::add);
        }
        return "at row %,d that it read, of %s (%s)"
                .formatted(
                        rowsRead,
                        row.source(),
                        shown.stream()
                                .map(name -> name + "=" + row.values().get(name))
                                .collect(Collectors.joining(", ")));
    }

    private ConfigException refuse(String why) {
        refused = new ConfigException("%s gives row %,d %s".formatted(what, rowsGiven, why));
        return refused;
    }

    private void take(@Nullable List<@Nullable Object> row, DuckDBAppender out) {
        rowsGiven++;
        if (rowsGiven > MOST_ROWS + MOST_ROWS_EACH * rowsRead) {
            throw refuse(
                    ("after it has read %,d: does its stream ever end? At most %,d and %d for"
                                    + " each row of history are taken")
                            .formatted(rowsRead, MOST_ROWS, MOST_ROWS_EACH));
        }
        if (row == null || row.size() != columns.size()) {
            throw refuse(
                    "with %d values, and it has %d columns: %s"
                            .formatted(
                                    row == null ? 0 : row.size(),
                                    columns.size(),
                                    columns.stream()
                                            .map(FeatureColumn::name)
                                            .collect(Collectors.joining(", "))));
        }
        try {
            out.beginRow();
            for (int i = 0; i < columns.size(); i++) {
                append(columns.get(i), row.get(i), out);
            }
            out.endRow();
        } catch (SQLException e) {
            throw refuse("which the engine does not take: " + DuckDb.message(e));
        }
    }

    private void append(FeatureColumn column, @Nullable Object given, DuckDBAppender out)
            throws SQLException {
        Object value = given instanceof Integer small ? (Object) small.longValue() : given;
        if (value == null) {
            out.appendNull();
        } else if (!column.type().isInstance(value)) {
            throw refuse(
                    "with %s in column '%s', which is of %s: %s"
                            .formatted(
                                    value.getClass().getSimpleName(),
                                    column.name(),
                                    column.type().getSimpleName(),
                                    said(new ConfigException(value.toString()))));
        } else if (value instanceof Boolean is) {
            out.append(is.booleanValue());
        } else if (value instanceof Long whole) {
            out.append(whole.longValue());
        } else if (value instanceof Double real) {
            out.append(real.doubleValue());
        } else if (value instanceof LocalDate day) {
            out.append(day);
        } else if (value instanceof LocalDateTime time) {
            out.append(time);
        } else if (value instanceof Instant moment) {
            out.append(moment.atOffset(ZoneOffset.UTC));
        } else {
            out.append(value.toString());
        }
    }

    private Stream<HistoryRow> history() {
        return code.from().stream()
                .flatMap(
                        source -> {
                            SourceRows rows = new SourceRows(source);
                            return StreamSupport.stream(rows, false).onClose(rows::close);
                        });
    }

    /** Reads one source's history; each row as it is asked for. */
    private final class SourceRows extends AbstractSpliterator<HistoryRow> {
        private final String source;
        private final List<String> names = new ArrayList<>();
        private @Nullable Statement statement;
        private @Nullable ResultSet rows;

        SourceRows(String source) {
            super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
            this.source = source;
        }

        @Override
        public boolean tryAdvance(Consumer<? super HistoryRow> reader) {
            try {
                ResultSet open = rows == null ? open() : rows;
                if (!open.next()) {
                    return false;
                }
                HistoryRow row = row(open);
                rowsRead++;
                last = row;
                reader.accept(row);
                return true;
            } catch (SQLException e) {
                refused =
                        new ConfigException(
                                "%s: the history of %s cannot be read: %s"
                                        .formatted(what, source, DuckDb.message(e)),
                                e);
                throw refused;
            }
        }

        private ResultSet open() throws SQLException {
            Statement opened = connection.createStatement();
            statement = opened;
            ResultSet first =
                    opened.executeQuery(
                            "SELECT * FROM %s ORDER BY %s NULLS FIRST, COLUMNS(*)"
                                    .formatted(
                                            DuckDb.name(FeatureTable.historyOf(source)),
                                            FeatureTable.KNOWN));
            rows = first;
            ResultSetMetaData about = first.getMetaData();
            for (int i = 1; i <= about.getColumnCount(); i++) {
                names.add(about.getColumnName(i));
            }
            return first;
        }

        private HistoryRow row(ResultSet open) throws SQLException {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++) {
                values.put(names.get(i), value(open, i + 1));
            }
            Object known = values.remove(FeatureTable.KNOWN);
            Object deleted = values.remove(FeatureTable.DELETED);
            return new HistoryRow(source, values, (Instant) known, Boolean.TRUE.equals(deleted));
        }

        private static @Nullable Object value(ResultSet open, int column) throws SQLException {
            Object value = open.getObject(column);
            if (value instanceof OffsetDateTime moment) {
                return moment.toInstant();
            } else if (value instanceof Timestamp) {
                return open.getObject(column, LocalDateTime.class);
            } else if (value instanceof Blob bytes) {
                return bytes.getBytes(1, (int) bytes.length());
            }
            return value;
        }

        void close() {
            try {
                if (statement != null) {
                    statement.close();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(DuckDb.message(e), e);
            }
        }
    }
}
