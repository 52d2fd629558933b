package dev.medley.connect.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.RowTexts;
import dev.medley.connect.table.TableSchema;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts are merged, and nobody can tell from the rows of any time. */
class PartMergeTest {
    private static final long DAY_MILLIS = 86_400_000;
    private static final Column ID = new Column("1", "id", ColumnType.INTEGER, false);
    private static final Column NAME = new Column("2", "name", ColumnType.TEXT, true);

    /** So few that a short history has several merges; the product's number has its own test. */
    private static final int FEW_PARTS = 8;

    private static final int SYNCS = 24;

    private static DuckDb db;

    @TempDir private Path folder;
    private long nowMillis = 1_000_000;

    private final Clock clock =
            new Clock() {
                @Override
                public long nowNs() {
                    return nowMillis * 1_000_000;
                }

                @Override
                public long wallMillis() {
                    return nowMillis;
                }
            };

    @BeforeAll
    static void begin(@TempDir Path scratch) throws IOException {
        db = DuckDb.forFiles(List.of(), scratch);
    }

    @AfterAll
    static void end() throws IOException {
        db.close();
    }

    static LongStream seeds() {
        return LongStream.range(0, Math.max(2, Long.getLong("medley.seeds", 15) / 5));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldKeepTheRowsOfEachTime(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        Map<Integer, String> rows = new TreeMap<>();
        Map<Long, List<String>> known = new TreeMap<>();
        int renamed = random.nextInt(2, 6); // Parts of one form alone are merged.
        for (int sync = 0; sync < SYNCS; sync++) {
            nowMillis += random.nextInt(60_000);
            change(rows, random, sync);
            SnapshotManifest manifest = sync(rows, sync < renamed ? "name" : "title", FEW_PARTS);
            assertThat(manifest.versions().stream().mapToInt(v -> v.parts().size()).sum())
                    .as("those of the first form, few small ones and some large")
                    .isLessThanOrEqualTo(renamed + FEW_PARTS + 3);
            known.put(manifest.latest().knownAtMicros(), at(manifest.latest().knownAtMicros()));
            assertThat(known.get(manifest.latest().knownAtMicros())).hasSize(rows.size());
        }
        assertThat(manifest().retired()).isNotEmpty();
        for (Map.Entry<Long, List<String>> then : known.entrySet()) {
            assertThat(at(then.getKey())).as("at %d", then.getKey()).isEqualTo(then.getValue());
        }
    }

    @Test
    @Tag("unit")
    void shouldKeepTheWholeHistoryAndSayWhenEachRowBecameKnown() throws Exception {
        Map<Integer, String> rows = new TreeMap<>();
        List<String> history = List.of();
        for (int sync = 1; sync <= 33; sync++) {
            nowMillis += 10;
            rows.put(sync % 5, "v" + sync);
            sync(rows, "name");
            List<String> now = history();
            assertThat(now).hasSize(sync).containsAll(history);
            history = now;
        }
        assertThat(parts()).as("one that is merged and those before").hasSize(34);
        assertThat(manifest().versions().stream().mapToInt(v -> v.parts().size()).sum()).isOne();
        assertThat(history()).isEqualTo(history);
    }

    @Test
    @Tag("unit")
    void shouldKeepMergedPartsForADay() throws Exception {
        Map<Integer, String> rows = new TreeMap<>();
        String read = "";
        for (int sync = 1; sync <= 33; sync++) {
            rows.put(sync, "v");
            if (sync == 32) {
                sync(rows, "name");
                read =
                        SnapshotView.knownAt("t", new SnapshotFolder(folder), Long.MAX_VALUE / 2)
                                .rows();
            } else {
                sync(rows, "name");
            }
        }
        assertThat(query("SELECT count(*) FROM (" + read + ")")).containsExactly("32");
        nowMillis += DAY_MILLIS / 2;
        sync(rows, "name");
        assertThat(query("SELECT count(*) FROM (" + read + ")")).containsExactly("32");
        nowMillis += DAY_MILLIS;
        sync(rows, "name");
        assertThat(parts()).containsExactly("00000001-00000033.parquet");
        assertThat(at(Long.MAX_VALUE / 2)).hasSize(33);
    }

    private static void change(Map<Integer, String> rows, RandomGenerator random, int sync) {
        int count = sync == 0 ? 100 : random.nextInt(6);
        for (int i = 0; i < count; i++) {
            int id = random.nextInt(130);
            if (random.nextInt(4) == 0) {
                rows.remove(id);
            } else {
                rows.put(id, "v" + sync);
            }
        }
    }

    private SnapshotManifest sync(Map<Integer, String> rows, String name) throws IOException {
        return sync(rows, name, PartMerge.MOST_PARTS);
    }

    private SnapshotManifest sync(Map<Integer, String> rows, String name, int mostParts)
            throws IOException {
        TableSchema schema =
                new TableSchema(
                        List.of(ID, new Column("2", name, NAME.type(), true)), List.of("id"));
        try (SnapshotWriter writer =
                SnapshotWriter.open(new SnapshotFolder(folder), clock, mostParts)) {
            writer.begin(schema);
            Object[][] all =
                    rows.entrySet().stream()
                            .map(e -> new Object[] {e.getKey(), e.getValue()})
                            .toArray(Object[][]::new);
            writer.add(RowTexts.batch(schema.columns(), all));
            writer.compare(Extent.ALL);
            return writer.publish("test", dev.medley.base.Json.tree(1), "columns");
        }
    }

    private SnapshotManifest manifest() throws IOException {
        return new SnapshotFolder(folder).requireManifest();
    }

    private List<String> at(long micros) throws Exception {
        SnapshotManifest manifest = manifest();
        String sql = StateQuery.at(manifest, folder, manifest.knownAt(micros).orElseThrow()).rows();
        return query("SELECT concat_ws(' ', *COLUMNS(*)) FROM (" + sql + ") ORDER BY 1");
    }

    private List<String> history() throws Exception {
        String sql =
                SnapshotView.knownAt("t", new SnapshotFolder(folder), Long.MAX_VALUE / 2).history();
        return query("SELECT concat_ws(' ', *COLUMNS(*)) FROM (" + sql + ") ORDER BY 1");
    }

    private List<String> query(String sql) throws SQLException {
        return db.rows(sql).stream().map(row -> row.get(0)).toList();
    }

    private List<String> parts() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("parts"))) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }
}
