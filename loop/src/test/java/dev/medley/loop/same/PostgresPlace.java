package dev.medley.loop.same;

import dev.medley.connect.postgres.PostgresServer;
import dev.medley.data.table.engine.DuckDb;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tables of a PostgreSQL, in a schema of their own. */
final class PostgresPlace implements TablePlace {
    private final PostgresServer server;
    private final String database;
    private final Connection connection;

    PostgresPlace(PostgresServer server, String database) throws SQLException {
        this.server = server;
        this.database = database;
        this.connection = server.connect(database);
        execute("DROP SCHEMA IF EXISTS given CASCADE");
        execute("CREATE SCHEMA given");
        connection.setAutoCommit(false);
    }

    @Override
    public String source(Kept table) {
        return "{postgres: \"%s\", user: medley, password: env:PG, table: given.%s}"
                .formatted(server.url(database), table.name());
    }

    @Override
    public void make(Kept table) throws SQLException {
        String columns =
                table.columns().stream()
                        .map(c -> DuckDb.name(c.name()) + " " + c.kind().postgresType())
                        .collect(Collectors.joining(", "));
        execute(
                "CREATE TABLE given.%s (%s, PRIMARY KEY (%s))"
                        .formatted(table.name(), columns, TablePlace.names(table.key())));
        connection.commit();
    }

    @Override
    public void change(Kept table, Change change) throws SQLException {
        for (List<@Nullable String> key : change.gone()) {
            execute(
                    "DELETE FROM given.%s WHERE (%s) = %s"
                            .formatted(
                                    table.name(),
                                    TablePlace.names(table.key()),
                                    TablePlace.values(List.of(key), table.key(), true)));
        }
        if (!change.put().isEmpty()) {
            execute(
                    "INSERT INTO given.%s VALUES %s"
                            .formatted(
                                    table.name(),
                                    TablePlace.values(change.put(), table.columns(), true)));
        }
        connection.commit();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
