package dev.medley.connect.jdbc;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Sha256;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.TableSchema;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Shows a table in one transaction, as far as the database holds its rows still for that. */
final class JdbcView implements TableView {
    private static final int FETCH_ROWS = 5_000;
    private static final long HOUR_MICROS = 3_600_000_000L;

    private final Connection connection;
    private final JdbcOptions options;
    private final String database;
    private final @Nullable JdbcPosition since;
    private final List<JdbcColumn> columns;
    private final Changes changes;
    private final String quote;
    private final JdbcTimes times = new JdbcTimes();
    private @Nullable Long highest;
    private boolean hasReadAll;
    private boolean hasComparedKeys;

    private JdbcView(
            Connection connection,
            JdbcOptions options,
            String database,
            @Nullable JdbcPosition since,
            List<JdbcColumn> columns,
            String quote) {
        this.connection = connection;
        this.options = options;
        this.database = database;
        this.since = since;
        this.columns = columns;
        this.quote = quote;
        this.changes = changes(options, database, since);
        this.highest = since == null ? null : since.highest();
    }

    static JdbcView open(Connection connection, JdbcOptions options, Optional<JdbcPosition> since)
            throws SQLException {
        connection.setAutoCommit(false);
        int level = Connection.TRANSACTION_REPEATABLE_READ;
        if (connection.getMetaData().supportsTransactionIsolationLevel(level)) {
            connection.setTransactionIsolation(level);
        }
        String quote = connection.getMetaData().getIdentifierQuoteString().strip();
        List<JdbcColumn> columns = columns(connection, options);
        List<String> names = columns.stream().map(c -> c.column().name()).toList();
        options.key().forEach(key -> require(options, names, "key", key));
        String cursor = options.cursor();
        if (cursor != null) {
            require(options, names, "cursor", cursor);
            columns.get(names.indexOf(cursor)).parameter(0);
        }
        return new JdbcView(
                connection,
                options,
                database(connection, options),
                since.orElse(null),
                columns,
                quote);
    }

    /** Parameters of an address, the schema and the user may lead to other tables of one name. */
    private static String database(Connection connection, JdbcOptions options) throws SQLException {
        String all =
                Json.line(
                        Arrays.asList(
                                options.url(),
                                options.user(),
                                connection.getCatalog(),
                                connection.getSchema()));
        return Sha256.hex(all.getBytes(StandardCharsets.UTF_8)).substring(0, 16);
    }

    private static List<JdbcColumn> columns(Connection connection, JdbcOptions options)
            throws SQLException {
        List<JdbcColumn> columns = new ArrayList<>();
        try (PreparedStatement statement =
                        connection.prepareStatement(
                                "SELECT * FROM " + options.table() + " WHERE 1 = 0");
                ResultSet result = statement.executeQuery()) {
            ResultSetMetaData data = result.getMetaData();
            for (int index = 1; index <= data.getColumnCount(); index++) {
                boolean isKey = options.key().contains(data.getColumnLabel(index));
                columns.add(JdbcColumn.of(data, index, isKey));
            }
        }
        return columns;
    }

    private static void require(
            JdbcOptions options, List<String> names, String what, String wanted) {
        ConfigException.check(
                names.contains(wanted),
                "%s: table %s has no %s column '%s'%s",
                options.place(),
                options.table(),
                what,
                wanted,
                DidYouMean.of(wanted, names)
                        .map(n -> "; did you mean '" + n + "'?")
                        .orElse(": it has " + names));
    }

    private static Changes changes(
            JdbcOptions options, String database, @Nullable JdbcPosition since) {
        String cursor = options.cursor();
        if (since == null) {
            return Changes.all("it is the first sync");
        } else if (!database.equals(since.database())) {
            return Changes.all(
                    "it is another database, schema or user than at the last sync, or another"
                            + " address of it");
        } else if (cursor == null) {
            return Changes.all("no cursor is named: nothing tells changed rows from others");
        } else if (!cursor.equals(since.cursor()) || since.highest() == null) {
            return Changes.all("there is no earlier value of the cursor '" + cursor + "'");
        } else if (since.sinceAll() + 1 >= options.allEvery()) {
            return Changes.all(
                    "each %d. sync reads all rows, for what a cursor cannot tell"
                            .formatted(options.allEvery()));
        }
        return new Changes(
                Changes.Rows.CHANGED,
                since.sinceKeys() + 1 >= options.keysEvery()
                        ? Changes.Deletes.BY_KEYS
                        : Changes.Deletes.UNSEEN,
                "rows whose '%s' is at most %d below the highest seen"
                        .formatted(cursor, options.overlap()));
    }

    @Override
    public TableSchema schema() {
        return new TableSchema(columns.stream().map(JdbcColumn::column).toList(), options.key());
    }

    @Override
    public Changes changes() {
        return changes;
    }

    @Override
    public void rows(Changes.Rows which, RowSink sink) throws IOException {
        Long from = since == null ? null : since.highest();
        String cursor = options.cursor();
        if (which == Changes.Rows.ALL) {
            hasReadAll = true;
            read(columns, "", null, sink);
        } else if (from == null || cursor == null) {
            throw new IllegalStateException("changes cannot be told: " + changes.why());
        } else {
            String name = quoted(cursor);
            JdbcColumn column =
                    columns.stream()
                            .filter(c -> c.column().name().equals(cursor))
                            .findFirst()
                            .orElseThrow();
            Object least = column.parameter(from - options.overlap() - repeated(column.column()));
            read(columns, " WHERE " + name + " >= ? OR " + name + " IS NULL", least, sink);
        }
    }

    /** Where clocks go back, an hour of local times comes twice. */
    private static long repeated(Column cursor) {
        return cursor.type() == ColumnType.DATETIME ? HOUR_MICROS : 0;
    }

    @Override
    public void keys(RowSink sink) throws IOException {
        hasComparedKeys = true;
        List<JdbcColumn> key = new ArrayList<>();
        for (String name : options.key()) {
            for (JdbcColumn column : columns) {
                if (column.column().name().equals(name)) {
                    key.add(new JdbcColumn(key.size() + 1, column.column()));
                }
            }
        }
        read(key, "", null, sink);
    }

    private void read(
            List<JdbcColumn> wanted, String where, @Nullable Object parameter, RowSink sink)
            throws IOException {
        List<Column> kept = wanted.stream().map(JdbcColumn::column).toList();
        String names = kept.stream().map(c -> quoted(c.name())).collect(Collectors.joining(", "));
        int cursor = kept.stream().map(Column::name).toList().indexOf(options.cursor());
        RowBatch batch = new RowBatch(kept, RowBatch.USUAL_CAPACITY);
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT " + names + " FROM " + options.table() + where)) {
            statement.setFetchSize(FETCH_ROWS);
            if (parameter != null) {
                JdbcTimes.set(statement, 1, parameter);
            }
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    int row = batch.add();
                    for (int i = 0; i < wanted.size(); i++) {
                        wanted.get(i).read(result, times, batch.column(i), row);
                    }
                    if (cursor >= 0 && !batch.column(cursor).isMissing(row)) {
                        seen(batch.column(cursor).longAt(row));
                    }
                    if (batch.isFull()) {
                        sink.accept(batch);
                        batch.clear();
                    }
                }
            }
        } catch (SQLException e) {
            throw JdbcSource.trouble(options, e);
        }
        if (batch.rows() > 0) {
            sink.accept(batch);
        }
    }

    /** An infinite one would hide all that comes later; rows that have it are read each time. */
    private void seen(long cursor) {
        if (cursor == ColumnType.INFINITE || cursor == ColumnType.MINUS_INFINITE) {
            return;
        }
        highest = highest == null ? cursor : Math.max(highest, cursor);
    }

    private String quoted(String name) {
        return quote.isEmpty() ? name : quote + name.replace(quote, quote + quote) + quote;
    }

    @Override
    public JsonNode position() {
        int sinceKeys = hasReadAll || hasComparedKeys || since == null ? 0 : since.sinceKeys() + 1;
        int sinceAll = hasReadAll || since == null ? 0 : since.sinceAll() + 1;
        return Json.tree(
                new JdbcPosition(database, options.cursor(), highest, sinceKeys, sinceAll));
    }

    @Override
    public void cut() throws IOException {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw JdbcSource.trouble(options, e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (connection.isClosed()) {
                return;
            }
            connection.rollback();
            connection.close();
        } catch (SQLException e) {
            throw JdbcSource.trouble(options, e);
        }
    }
}
