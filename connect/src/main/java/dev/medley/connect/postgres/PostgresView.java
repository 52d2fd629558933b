package dev.medley.connect.postgres;

import dev.medley.base.Json;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSchema;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import tools.jackson.databind.JsonNode;

/**
 * Shows a table in one REPEATABLE READ transaction.
 *
 * <p>A row knows the transaction that wrote it ({@code xmin}). At the last sync all transactions
 * below the xmin of its snapshot had ended, so whatever has become visible since is of that
 * transaction or of a later one; a subtransaction has a later number than the transaction that it
 * belongs to. Rows from there on are read: all that changed, and those few again that were written
 * while that transaction was under way. Numbers in rows have 32 bits: {@code age()} counts them
 * from one moment of this transaction on, and rows that seem to lie in the future are read too.
 */
final class PostgresView implements TableView {
    private final Connection connection;
    private final PostgresTrouble trouble;
    private final PostgresTable table;
    private final PostgresPosition now;
    private final @Nullable PostgresPosition since;
    private final Changes changes;
    private boolean hasComparedKeys;

    private PostgresView(
            Connection connection,
            PostgresTrouble trouble,
            PostgresTable table,
            PostgresPosition now,
            @Nullable PostgresPosition since,
            Changes changes) {
        this.connection = connection;
        this.trouble = trouble;
        this.table = table;
        this.now = now;
        this.since = since;
        this.changes = changes;
    }

    static PostgresView open(
            Connection connection,
            PostgresOptions options,
            PostgresTrouble trouble,
            SyncStart start)
            throws SQLException {
        PostgresTable named = PostgresTable.find(connection, options);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
            if (named.canBeLocked()) {
                // Before the snapshot is taken: a table that is rewritten between the two would
                // seem to be empty.
                statement.execute("LOCK TABLE " + named.name() + " IN ACCESS SHARE MODE");
            }
        }
        PostgresTable table = PostgresTable.find(connection, options).read(connection, options);
        PostgresTable.Parts parts = table.parts(connection);
        PostgresPosition now = position(connection, options, parts.oids());
        PostgresPosition since = PostgresPosition.of(start.since()).orElse(null);
        ColumnIds ids =
                ColumnIds.of(now.identity(), table.columns(), since == null ? null : since.ids());
        return new PostgresView(
                connection,
                trouble,
                table.known(ids),
                now.with(0, ids),
                since,
                changes(table, parts, now, since, options));
    }

    private static PostgresPosition position(
            Connection connection, PostgresOptions options, List<Long> oids) throws SQLException {
        String sql =
                "SELECT (SELECT system_identifier FROM pg_control_system())::text, CASE WHEN"
                    + " pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint())"
                    + " ELSE ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1,"
                    + " 8))::bit(32)::int END, (SELECT oid::bigint FROM pg_database WHERE datname ="
                    + " current_database()), pg_snapshot_xmin(pg_current_snapshot())::text::bigint,"
                    + " pg_snapshot_xmax(pg_current_snapshot())::text::bigint, (CASE WHEN"
                    + " pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE"
                    + " pg_current_wal_insert_lsn() END - '0/0')::bigint, (extract(epoch FROM"
                    + " pg_postmaster_start_time()) * 1000000)::bigint";
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return new PostgresPosition(
                    options.place(),
                    found.getLong(7),
                    found.getString(1),
                    found.getInt(2),
                    found.getLong(3),
                    oids,
                    found.getLong(4),
                    found.getLong(5),
                    found.getLong(6),
                    0,
                    new ColumnIds("", "", List.of()));
        }
    }

    private static Changes changes(
            PostgresTable table,
            PostgresTable.Parts parts,
            PostgresPosition now,
            @Nullable PostgresPosition since,
            PostgresOptions options) {
        if (since == null) {
            return Changes.all("it is the first sync");
        } else if (table.key().isEmpty()) {
            return Changes.all("the table has no key: its rows cannot be told apart");
        } else if (!parts.areTables()) {
            return Changes.all(
                    "it or a part of it is a view or a foreign table, whose rows do not say when"
                            + " they came");
        }
        Optional<String> why = now.cannotGoOn(since);
        if (why.isPresent()) {
            return Changes.all(why.get());
        }
        boolean isDue = since.sinceKeys() + 1 >= options.keysEvery();
        return new Changes(
                Changes.Rows.CHANGED,
                isDue ? Changes.Deletes.BY_KEYS : Changes.Deletes.UNSEEN,
                "rows of transaction %d and later%s"
                        .formatted(since.xmin(), isDue ? ", and all keys" : ""));
    }

    @Override
    public TableSchema schema() {
        return table.schema();
    }

    @Override
    public Changes changes() {
        return changes;
    }

    @Override
    public void rows(Changes.Rows which, RowSink sink) throws IOException {
        String where = "";
        if (which == Changes.Rows.CHANGED) {
            if (since == null || changes.rows() == Changes.Rows.ALL) {
                throw new IllegalStateException("changes cannot be told: " + changes.why());
            }
            where = " WHERE age(xmin) <= age('%d'::xid)".formatted(since.xmin() & 0xFFFFFFFFL);
        } else {
            hasComparedKeys = true;
        }
        copy(table.columns(), where, sink);
    }

    @Override
    public void keys(RowSink sink) throws IOException {
        copy(table.keyColumns(), "", sink);
        hasComparedKeys = true;
    }

    private void copy(List<WireColumn> columns, String where, RowSink sink) throws IOException {
        String values = columns.stream().map(WireColumn::sql).collect(Collectors.joining(", "));
        CopyDecoder decoder = new CopyDecoder(columns, sink);
        try {
            CopyOut copy =
                    connection
                            .unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyOut(
                                    "COPY (SELECT %s FROM %s%s) TO STDOUT (FORMAT binary)"
                                            .formatted(values, table.name(), where));
            for (byte[] message = copy.readFromCopy();
                    message != null;
                    message = copy.readFromCopy()) {
                decoder.accept(message);
            }
        } catch (SQLException e) {
            throw trouble.of(e);
        }
        decoder.end();
    }

    @Override
    public JsonNode position() {
        int sinceKeys = hasComparedKeys || since == null ? 0 : since.sinceKeys() + 1;
        return Json.tree(now.with(sinceKeys, now.ids()));
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw trouble.of(e);
        }
    }
}
