package dev.medley.connect.postgres;

import dev.medley.base.Seeds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws what several sessions do to one table: rows, savepoints, transactions that stay open or are
 * prepared, changes of columns. Each session has its own keys, so none waits for another.
 */
final class PostgresHistory implements AutoCloseable {
    private static final int SESSIONS = 4;

    /** One for each session, and one for what is done to the table as a whole. */
    static final int CONNECTIONS = SESSIONS + 1;

    private static final int KEYS = 12;

    private final RandomGenerator random;
    private final Connection admin;
    private final String schema;
    private final List<Session> sessions = new ArrayList<>();
    private final List<String> extra = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private int columns;
    private int prepared;

    /**
     * Begins with an empty table {@code h} in a schema of its own.
     *
     * @param connections {@value #CONNECTIONS} of them, which stay open
     */
    PostgresHistory(List<Connection> connections, String schema, long seed) throws SQLException {
        random = Seeds.generator(seed);
        admin = connections.get(SESSIONS);
        this.schema = schema;
        run(admin, "CREATE SCHEMA " + schema);
        for (Connection connection : connections) {
            run(connection, "SET search_path = " + schema);
        }
        run(
                admin,
                "CREATE TABLE h (id int, part int, v varchar(20), n numeric(8,2), at timestamptz,"
                        + " PRIMARY KEY (part, id))");
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(new Session(i, connections.get(i)));
        }
    }

    /** Each step, for the message of a failure. */
    List<String> log() {
        return log;
    }

    void step() throws SQLException {
        int what = random.nextInt(30);
        if (what < 27) {
            sessions.get(random.nextInt(SESSIONS)).step();
        } else {
            settle();
            change();
        }
    }

    /** Ends all transactions. */
    void settle() throws SQLException {
        for (Session session : sessions) {
            session.end(random.nextInt(4) != 0);
        }
    }

    /** Rows as texts, read by the driver. */
    List<String> rows() throws SQLException {
        List<String> rows = new ArrayList<>();
        String sql = "SELECT part || ' ' || id || ' ' || coalesce(v, '-') || ' ' ||";
        try (Statement statement = admin.createStatement();
                ResultSet found =
                        statement.executeQuery(
                                (sql + " coalesce(n::text, '-') FROM h")
                                        .replace("v,", name() + ","))) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }
        return rows;
    }

    /** What {@code v} is called now. */
    String name() throws SQLException {
        try (Statement statement = admin.createStatement();
                ResultSet found =
                        statement.executeQuery(
                                "SELECT attname FROM pg_attribute"
                                        + " WHERE attrelid = 'h'::regclass AND attnum = 3")) {
            found.next();
            return found.getString(1);
        }
    }

    private void change() throws SQLException {
        switch (random.nextInt(8)) {
            case 0 -> {
                String name = "e" + columns++;
                extra.add(name);
                String kept = random.nextBoolean() ? "int" : "text DEFAULT 'd'";
                run(admin, "ALTER TABLE h ADD COLUMN " + name + " " + kept);
            }
            case 1 -> {
                if (!extra.isEmpty()) {
                    String name = extra.remove(random.nextInt(extra.size()));
                    run(admin, "ALTER TABLE h DROP COLUMN " + name);
                }
            }
            case 2 -> run(admin, "ALTER TABLE h RENAME COLUMN " + name() + " TO v" + columns++);
            case 3 ->
                    run(
                            admin,
                            "ALTER TABLE h ALTER COLUMN n TYPE numeric(%d,2)"
                                    .formatted(9 + columns++));
            case 4 -> run(admin, "VACUUM FULL h");
            case 5 -> run(admin, "VACUUM (FREEZE) h");
            case 6 -> run(admin, "TRUNCATE h");
            default -> run(admin, "UPDATE h SET n = coalesce(n, 0) + 1 WHERE id % 3 = 0");
        }
    }

    private void run(Connection connection, String sql) throws SQLException {
        log.add(sql);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private final class Session {
        private final int number;
        private final Connection connection;
        private final List<String> savepoints = new ArrayList<>();
        private boolean isOpen;
        private @Nullable String waiting;

        Session(int number, Connection connection) {
            this.number = number;
            this.connection = connection;
        }

        void step() throws SQLException {
            if (waiting != null) {
                end(random.nextInt(4) != 0);
                return;
            }
            if (!isOpen && random.nextInt(3) == 0) {
                sql("BEGIN");
                isOpen = true;
            }
            int what = random.nextInt(isOpen ? 16 : 9);
            if (what < 9) {
                row(what);
            } else if (what < 12) {
                String name = "s" + savepoints.size();
                sql("SAVEPOINT " + name);
                savepoints.add(name);
                row(random.nextInt(9));
            } else if (what == 12 && !savepoints.isEmpty()) {
                int at = random.nextInt(savepoints.size());
                sql("ROLLBACK TO SAVEPOINT " + savepoints.get(at));
                savepoints.subList(at + 1, savepoints.size()).clear();
            } else if (what == 13 && !savepoints.isEmpty()) {
                int at = random.nextInt(savepoints.size());
                sql("RELEASE SAVEPOINT " + savepoints.get(at));
                savepoints.subList(at, savepoints.size()).clear();
            } else if (what == 14) {
                waiting = "p" + prepared++;
                sql("PREPARE TRANSACTION '" + waiting + "'");
                isOpen = false;
                savepoints.clear();
            } else {
                end(random.nextInt(4) != 0);
            }
        }

        private void row(int what) throws SQLException {
            int id = random.nextInt(KEYS);
            String value = random.nextInt(5) == 0 ? "NULL" : "'é" + random.nextInt(4) + "'";
            String where = " WHERE part = %d AND id = %d".formatted(number, id);
            String v = name();
            if (what < 5) {
                sql(
                        ("INSERT INTO h (part, id, %1$s, n, at) VALUES (%2$d, %3$d, %4$s, %5$s,"
                                        + " '2026-01-01') ON CONFLICT (part, id) DO UPDATE"
                                        + " SET %1$s = excluded.%1$s")
                                .formatted(
                                        v,
                                        number,
                                        id,
                                        value,
                                        random.nextInt(6) == 0
                                                ? "'NaN'"
                                                : random.nextInt(9) + ".5"));
            } else if (what == 5) {
                sql("DELETE FROM h" + where);
            } else if (what == 6) {
                sql("UPDATE h SET %s = %s WHERE part = %d".formatted(v, value, number));
            } else if (what == 7) {
                String free =
                        "NOT EXISTS (SELECT 1 FROM h WHERE part = %d AND id = %d)"
                                .formatted(number, id + KEYS);
                sql("UPDATE h SET id = id + " + KEYS + where + " AND " + free);
            } else {
                sql("UPDATE h SET n = n" + where);
            }
        }

        void end(boolean commits) throws SQLException {
            String word = commits ? "COMMIT" : "ROLLBACK";
            if (waiting != null) {
                sql(word + " PREPARED '" + waiting + "'");
            } else if (isOpen) {
                sql(word);
            }
            waiting = null;
            isOpen = false;
            savepoints.clear();
        }

        private void sql(String sql) throws SQLException {
            log.add("session " + number + ": ");
            run(connection, sql);
        }
    }

    @Override
    public void close() throws SQLException {
        for (Session session : sessions) {
            session.end(false);
        }
        run(admin, "DROP SCHEMA " + schema + " CASCADE");
    }

    /** A number below {@code bound}. */
    int draw(int bound) {
        return random.nextInt(bound);
    }
}
