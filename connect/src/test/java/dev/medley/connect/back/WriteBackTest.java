package dev.medley.connect.back;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.RowBatch;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class WriteBackTest {
    private static final BackTable TABLE = new BackTable("t", "id", List.of("a", "b"));

    @TempDir Path folder;

    /** Keeps rows in memory, and fails after so many of them. */
    private static final class Kept implements Destination {
        final Map<String, List<@Nullable String>> rows = new HashMap<>();
        int left = Integer.MAX_VALUE;
        int most = 7;
        int sent;
        BackTable table = TABLE;

        @Override
        public String name() {
            return "kept";
        }

        @Override
        public BackTable table() {
            return table;
        }

        @Override
        public void open() {}

        @Override
        public int mostRows() {
            return most;
        }

        @Override
        public void send(List<BackRow> chunk, RowOutcomes delivery) throws IOException {
            for (BackRow row : chunk) {
                if (left-- == 0) {
                    throw new IOException("cut");
                }
                sent++;
                rows.put(row.key(), row.values());
                delivery.written(row);
                if (most < 10 && sent % 3 == 0) {
                    delivery.settle();
                }
            }
        }
    }

    private static BackRows rows(int count, String a) {
        return taker -> {
            for (int i = 0; i < count; i++) {
                taker.row(new BackRow("k" + i, Arrays.asList(a, i % 2 == 0 ? null : "ü\n" + i)));
            }
        };
    }

    private BackReport write(Destination to, BackRows rows) throws IOException {
        try (WriteBack back = WriteBack.open(folder, to, Clock.system())) {
            return back.write(rows);
        }
    }

    @Test
    void shouldGoOnWhereverItWasCutOff() throws IOException {
        for (int cut : new int[] {0, 1, 2, 8, 30, 49}) {
            Kept kept = new Kept();
            String a = "a" + cut;
            kept.left = cut;
            assertThatThrownBy(() -> write(kept, rows(50, a))).hasMessage("cut");
            kept.left = Integer.MAX_VALUE;
            kept.sent = 0;
            write(kept, rows(50, a));
            assertThat(kept.sent).isBetween(50 - cut, 50 - cut + 3); // Those not settled.
            assertThat(write(kept, rows(50, a)).unchanged()).isEqualTo(50);
        }
    }

    @Test
    void shouldNotTakeWhatWasWrittenBeforeACutForWhatWasThereEarlier() throws IOException {
        Kept kept = new Kept();
        kept.most = 50;
        write(kept, rows(20, "a"));
        kept.left = 11; // Ten are written, and nobody is told that it lasts.
        assertThatThrownBy(() -> write(kept, rows(20, "b"))).hasMessage("cut");
        kept.left = Integer.MAX_VALUE;
        write(kept, rows(20, "a"));
        assertThat(kept.rows.values()).allSatisfy(row -> assertThat(row.get(0)).isEqualTo("a"));
    }

    @Test
    void shouldSendRowsAgainWhoseLineInTheLedgerIsDamaged() throws IOException {
        write(new Kept(), rows(50, "a"));
        Path ledger = folder.resolve("ledger.log");
        byte[] whole = Files.readAllBytes(ledger);
        for (int seed = 0; seed < 15; seed++) {
            RandomGenerator random = Seeds.generator(seed);
            byte[] bytes = Arrays.copyOf(whole, whole.length - random.nextInt(200));
            int at = random.nextInt(bytes.length);
            bytes[at] = (byte) (bytes[at] ^ (1 << random.nextInt(8)));
            Files.write(ledger, bytes);
            Kept kept = new Kept();
            write(kept, rows(50, "a"));
            assertThat(kept.sent).isBetween(1, 8);
            assertThat(write(kept, rows(50, "a")).unchanged()).isEqualTo(50);
        }
    }

    @Test
    void shouldSendAllRowsWhereOtherColumnsAreWritten() throws IOException {
        write(new Kept(), rows(10, "a"));
        Kept kept = new Kept();
        kept.table = new BackTable("t", "id", List.of("a", "c"));
        assertThat(write(kept, rows(10, "a")).written()).isEqualTo(10);
    }

    @Test
    void shouldKeepItsLedgerSmall() throws IOException {
        for (int day = 0; day < 10; day++) {
            Kept kept = new Kept();
            kept.most = 10_000;
            write(kept, rows(3_000, "a" + day));
        }
        assertThat(Files.readAllLines(folder.resolve("ledger.log")))
                .hasSizeLessThan(22_500); // A row that changes is two lines.
    }

    @Test
    void shouldLetOnlyOneWriteAtATime() throws IOException {
        try (WriteBack first = WriteBack.open(folder, new Kept(), Clock.system())) {
            assertThatThrownBy(() -> WriteBack.open(folder, new Kept(), Clock.system()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("another write-back to kept is under way");
            assertThat(first.deadLetters()).isEmpty();
        }
    }

    @Test
    void shouldRefuseRowsWithoutAKey() {
        BackRows none = taker -> taker.row(new BackRow(" ", Arrays.asList("1", "2")));
        assertThatThrownBy(() -> write(new Kept(), none))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no value in its key id");
    }

    @Test
    void shouldWriteFilesAsAWhole() throws Exception {
        Path csv = folder.resolve("out.csv");
        BackFile file = new BackFile(csv, TABLE, Map.of());
        assertThat(file.write(rows(3, "1,5"))).isEqualTo(3);
        assertThat(Files.readString(csv)).startsWith("id,a,b\nk0,\"1,5\",\nk1,\"1,5\",\"ü\n1\"\n");
        BackRows broken =
                taker -> {
                    taker.row(new BackRow("x", Arrays.asList("1", "2")));
                    throw new IOException("cut");
                };
        assertThatThrownBy(() -> file.write(broken)).hasMessageContaining("cut");
        assertThat(Files.readString(csv)).startsWith("id,a,b\nk0,");
        Path parquet = folder.resolve("out.parquet");
        new BackFile(parquet, TABLE, Map.of("a", ColumnType.REAL)).write(rows(3, "1.5"));
        try (DuckDb db = DuckDb.forFiles(List.of(parquet), folder)) {
            assertThat(db.rows("SELECT sum(a), count(b) FROM " + DuckDb.path(parquet)))
                    .containsExactly(List.of("4.5", "1"));
        }
        assertThatThrownBy(() -> new BackFile(folder.resolve("x.xls"), TABLE, Map.of()))
                .hasMessageContaining(".csv and .parquet");
    }

    @Test
    void shouldWriteValuesOfATableAsEveryDestinationReadsThem() throws IOException {
        List<Column> columns =
                List.of(
                        new Column("id", "id", ColumnType.INTEGER, false),
                        new Column("r", "r", ColumnType.REAL, true),
                        new Column("b", "b", ColumnType.BOOLEAN, true),
                        new Column("d", "d", ColumnType.DATE, true),
                        new Column("t", "t", ColumnType.INSTANT, true));
        RowBatch batch = new RowBatch(columns, 2);
        int row = batch.add();
        batch.column(0).setLong(row, 7);
        batch.column(1).setDouble(row, 1e-7);
        batch.column(2).setLong(row, 1);
        batch.column(3).setLong(row, 0);
        batch.column(4).setLong(row, 1_500_000);
        batch.column(0).setLong(batch.add(), 8);
        List<BackRow> found = new ArrayList<>();
        new MappedRows("id", List.of("r", "b", "d", "t"), found::add).accept(batch);
        assertThat(found)
                .containsExactly(
                        new BackRow(
                                "7",
                                List.of(
                                        "0.00000010",
                                        "true",
                                        "1970-01-01",
                                        "1970-01-01T00:00:01.500Z")),
                        new BackRow("8", Arrays.asList(null, null, null, null)));
        assertThatThrownBy(() -> new MappedRows("id", List.of("rr"), found::add).accept(batch))
                .hasMessageContaining("no column 'rr' to be written; did you mean 'r'?");
    }
}
