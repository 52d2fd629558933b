package dev.medley.connect.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.RowTexts;
import dev.medley.connect.table.TableSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A version counts as known when everybody could read it, and not before: a join as of a time has
 * what a reader of that time had.
 */
@Tag("unit")
class KnownTimeTest {
    private static final TableSchema SCHEMA =
            new TableSchema(
                    List.of(new Column("1", "id", ColumnType.INTEGER, false)), List.of("id"));

    @TempDir private Path folder;

    /** The last version that a reader of each moment sees. */
    private final NavigableMap<Long, Long> seen = new TreeMap<>();

    private long nowMillis = 1_000;

    /** Time goes on with each look at the clock, and somebody reads then. */
    private final Clock clock =
            new Clock() {
                @Override
                public long nowNs() {
                    return nowMillis * 1_000_000;
                }

                @Override
                public long wallMillis() {
                    nowMillis += 500;
                    seen.put(nowMillis * 1_000, latest());
                    return nowMillis;
                }
            };

    private long latest() {
        try {
            return new SnapshotFolder(folder).manifest().map(m -> m.latest().number()).orElse(0L);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldBeWhenItCouldAlreadyBeRead() throws IOException {
        for (int id = 1; id <= 5; id++) {
            sync(id);
        }
        SnapshotManifest manifest = new SnapshotFolder(folder).requireManifest();
        for (Map.Entry<Long, Long> moment : seen.entrySet()) {
            long known = manifest.knownAt(moment.getKey()).map(SnapshotVersion::number).orElse(0L);
            assertThat(known).as("at %d", moment.getKey()).isEqualTo(moment.getValue());
        }
        assertThat(manifest.latest().knownAtMicros()).isLessThanOrEqualTo(nowMillis * 1_000);
    }

    private void sync(int count) throws IOException {
        List<Object[]> rows = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            rows.add(new Object[] {id});
        }
        try (SnapshotWriter writer = SnapshotWriter.open(new SnapshotFolder(folder), clock)) {
            writer.begin(SCHEMA);
            writer.add(RowTexts.batch(SCHEMA.columns(), rows.toArray(Object[][]::new)));
            writer.compare(Extent.ALL);
            writer.publish("test", Json.tree(1), "columns");
        }
    }
}
