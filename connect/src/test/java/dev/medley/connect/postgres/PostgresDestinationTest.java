package dev.medley.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.connect.back.BackReport;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.MappedRows;
import dev.medley.connect.back.WriteBack;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.RowBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class PostgresDestinationTest {
    private static final String DATABASE = "back";

    @TempDir Path folder;
    private PostgresServer server;

    @BeforeEach
    void start() throws Exception {
        server = PostgresServer.shared();
        try (Connection connection = server.connect("postgres");
                ResultSet there =
                        connection
                                .createStatement()
                                .executeQuery(
                                        "SELECT 1 FROM pg_database WHERE datname = '"
                                                + DATABASE
                                                + "'")) {
            if (!there.next()) {
                server.make(DATABASE);
            }
        }
        execute(
                "DROP TABLE IF EXISTS scores",
                "CREATE TABLE scores (id text PRIMARY KEY, score double precision NOT NULL,"
                        + " segment varchar(3), day date, other int DEFAULT 7)");
    }

    private void execute(String... all) throws SQLException {
        try (Connection connection = server.connect(DATABASE);
                Statement statement = connection.createStatement()) {
            for (String sql : all) {
                statement.execute(sql);
            }
        }
    }

    private String value(String sql) throws SQLException {
        try (Connection connection = server.connect(DATABASE);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return found.getString(1);
        }
    }

    private BackReport write(List<BackRow> rows, String key, String... columns) throws IOException {
        PostgresDestination destination =
                new PostgresDestination(
                        server.options(DATABASE, "scores"), key, List.of(columns), name -> "right");
        try (WriteBack back =
                WriteBack.open(folder.resolve("state"), destination, Clock.system())) {
            return back.write(
                    taker -> {
                        for (BackRow row : rows) {
                            taker.row(row);
                        }
                    });
        }
    }

    private static List<BackRow> rows(int count, String segment) {
        List<BackRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(
                    new BackRow(
                            "k" + i,
                            Arrays.asList(i + ".5", i == 3 ? segment : "A", "2026-02-28")));
        }
        return rows;
    }

    @Test
    void shouldUpsertOnlyWhatChanged() throws Exception {
        execute("INSERT INTO scores VALUES ('k1', 0, 'Z', NULL, 9)");
        assertThat(write(rows(1_700, "A"), "id", "score", "segment", "day"))
                .isEqualTo(new BackReport(1_700, 0, 1_700, 0));
        assertThat(value("SELECT count(*) FROM scores")).isEqualTo("1700");
        assertThat(value("SELECT score || segment || day || other FROM scores WHERE id = 'k1'"))
                .isEqualTo("1.5A2026-02-289");
        assertThat(write(rows(1_700, "B"), "id", "score", "segment", "day"))
                .isEqualTo(new BackReport(1_700, 1_699, 1, 0));
        assertThat(value("SELECT segment FROM scores WHERE id = 'k3'")).isEqualTo("B");
    }

    @Test
    void shouldKeepRefusedRowsAndWriteEveryOther() throws Exception {
        assertThat(write(rows(700, "zu lang"), "id", "score", "segment", "day"))
                .isEqualTo(new BackReport(700, 0, 699, 1));
        assertThat(value("SELECT count(*) FROM scores")).isEqualTo("699");
        PostgresDestination destination =
                new PostgresDestination(
                        server.options(DATABASE, "scores"),
                        "id",
                        List.of("score", "segment", "day"),
                        name -> "right");
        try (WriteBack back =
                WriteBack.open(folder.resolve("state"), destination, Clock.system())) {
            assertThat(back.deadLetters().get(0).key()).isEqualTo("k3");
            assertThat(back.deadLetters().get(0).code()).isEqualTo("22001");
            execute("ALTER TABLE scores ALTER COLUMN segment TYPE text");
            assertThat(back.replay().written()).isEqualTo(1);
        }
        assertThat(value("SELECT segment FROM scores WHERE id = 'k3'")).isEqualTo("zu lang");
    }

    /** As they come out of a snapshot. */
    @Test
    void shouldTakeTimesOfAllKinds() throws Exception {
        execute(
                "DROP TABLE scores",
                "CREATE TABLE scores (id text PRIMARY KEY, day date, ts timestamp, tz timestamptz,"
                        + " f float8)");
        List<BackRow> rows = new ArrayList<>();
        RowBatch batch =
                new RowBatch(
                        List.of(
                                new Column("id", "id", ColumnType.TEXT, false),
                                new Column("day", "day", ColumnType.DATE, true),
                                new Column("ts", "ts", ColumnType.DATETIME, true),
                                new Column("tz", "tz", ColumnType.INSTANT, true),
                                new Column("f", "f", ColumnType.REAL, true)),
                        9);
        long[] micros = {0, 60_000_000, 1, -63_500_000_000_000_000L, 300_000_000_000_000_000L};
        for (int i = 0; i < 7; i++) {
            int row = batch.add();
            boolean isInfinite = i >= micros.length;
            long time = i == 5 ? ColumnType.INFINITE : ColumnType.MINUS_INFINITE;
            batch.column(0).setText(row, "k" + i);
            batch.column(1).setLong(row, isInfinite ? time : micros[i] / 86_400_000_000L);
            batch.column(2).setLong(row, isInfinite ? time : micros[i]);
            batch.column(3).setLong(row, isInfinite ? time : micros[i]);
            batch.column(4).setDouble(row, isInfinite ? Double.NaN : 1e-300);
        }
        new MappedRows("id", List.of("day", "ts", "tz", "f"), rows::add).accept(batch);
        assertThat(write(rows, "id", "day", "ts", "tz", "f")).isEqualTo(new BackReport(7, 0, 7, 0));
        for (int i = 0; i < micros.length; i++) {
            assertThat(
                            value(
                                    ("SELECT (extract(epoch FROM ts) * 1000000)::bigint || ' ' ||"
                                         + " (extract(epoch FROM tz) * 1000000)::bigint || ' ' ||"
                                         + " (day - DATE '1970-01-01') || ' ' || f FROM scores"
                                         + " WHERE id = 'k%d'")
                                            .formatted(i)))
                    .isEqualTo(
                            "%1$d %1$d %2$d 1e-300"
                                    .formatted(micros[i], micros[i] / 86_400_000_000L));
        }
        String infinite =
                "SELECT day || ' ' || ts || ' ' || tz || ' ' || f FROM scores WHERE id = ";
        assertThat(value(infinite + "'k5'")).isEqualTo("infinity infinity infinity NaN");
        assertThat(value(infinite + "'k6'")).isEqualTo("-infinity -infinity -infinity NaN");
    }

    @Test
    void shouldSayWhatIsWrongWithTheTable() {
        assertThatThrownBy(() -> write(rows(1, "A"), "segment", "score"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no unique index over 'segment' alone");
        assertThatThrownBy(() -> write(rows(1, "A"), "id", "scor"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'score'?");
    }
}
