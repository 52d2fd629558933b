package dev.medley.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotReader;
import dev.medley.connect.sync.HistoryLog;
import dev.medley.connect.sync.Reconciler;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.TableSync;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.RowTexts;
import dev.medley.connect.table.TableSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever sessions do to a table, and wherever syncs are cut off, a sync that comes to its end has
 * the rows that were committed then: no row lost, none doubled.
 */
@Tag("property")
class PostgresHistoryTest {
    private static final int STEPS = 60;

    private static final String DATABASE = "history";
    private static final List<Connection> CONNECTIONS = new ArrayList<>();

    @TempDir private Path folder;

    @BeforeAll
    static void begin() throws Exception {
        PostgresServer.shared().makeTrusting(DATABASE);
        for (int i = 0; i < PostgresHistory.CONNECTIONS; i++) {
            CONNECTIONS.add(PostgresServer.shared().connectTrusted(DATABASE));
        }
    }

    @AfterAll
    static void end() throws SQLException {
        for (Connection connection : CONNECTIONS) {
            connection.close();
        }
        CONNECTIONS.clear();
    }

    static LongStream seeds() {
        long first = Long.getLong("medley.first", 0);
        return LongStream.range(first, first + Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHaveWhatWasCommitted(long seed) throws Exception {
        String schema = "s" + seed;
        List<String> log = List.of();
        try (PostgresHistory history = new PostgresHistory(CONNECTIONS, schema, seed)) {
            log = history.log();
            for (int step = 0; step < STEPS; step++) {
                history.step();
                int what = history.draw(12);
                if (what == 0) {
                    log.add("SYNC");
                    sync(source(schema));
                    assertThat(rows())
                            .as("step %d", step)
                            .containsExactlyInAnyOrderElementsOf(history.rows());
                } else if (what == 1) {
                    log.add("SYNC cut off");
                    cutOff(source(schema), history.draw(3));
                }
            }
            sync(source(schema)); // While transactions are open that end then.
            history.settle();
            sync(source(schema));
            assertThat(rows()).containsExactlyInAnyOrderElementsOf(history.rows());
            HistoryLog.note(
                    "postgres",
                    seed,
                    Reconciler.compare(
                            source(schema), new SnapshotFolder(folder), SchemaContract.FOLLOW));
        } catch (AssertionError | Exception e) {
            System.out.println("seed " + seed + ":\n" + String.join("\n", log));
            throw e;
        }
    }

    /** A failure at the n-th batch, of rows or of keys. */
    private void cutOff(TableSource source, int batch) throws IOException {
        TableSource cut =
                new CutSource(
                        source,
                        batch + 1,
                        () -> {
                            throw new IllegalStateException("cut");
                        });
        try {
            sync(cut);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("cut");
        }
    }

    private static PostgresSource source(String schema) throws Exception {
        return PostgresServer.shared().trustedSource(DATABASE, schema + ".h");
    }

    private SyncReport sync(TableSource source) throws IOException {
        return new TableSync(
                        source, new SnapshotFolder(folder), SchemaContract.FOLLOW, Clock.system())
                .run();
    }

    private List<String> rows() throws IOException {
        List<String> rows = new ArrayList<>();
        try (SnapshotReader reader = SnapshotReader.latest(new SnapshotFolder(folder))) {
            List<Column> columns = reader.schema().columns();
            List<Column> first =
                    List.of(columns.get(1), columns.get(0), columns.get(2), columns.get(3));
            reader.rows(first, RowTexts.into(rows));
        }
        return rows;
    }
}
