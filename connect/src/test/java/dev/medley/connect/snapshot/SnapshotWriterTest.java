package dev.medley.connect.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowTexts;
import dev.medley.connect.table.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class SnapshotWriterTest {
    private static final Column ID = new Column("1", "id", ColumnType.INTEGER, false);
    private static final Column NAME = new Column("2", "name", ColumnType.TEXT, true);
    private static final TableSchema KEYED = new TableSchema(List.of(ID, NAME), List.of("id"));
    private static final TableSchema KEYLESS = new TableSchema(List.of(ID, NAME), List.of());

    @TempDir private Path folder;
    private long nowMillis = 1_000;

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

    @Test
    void shouldKeepOnlyRowsThatChanged() throws IOException {
        sync(KEYED, Extent.ALL, row(1, "a"), row(2, "b"), row(3, null));
        sync(KEYED, Extent.ALL, row(1, "a"), row(2, "B"), row(4, "d"));
        SnapshotManifest manifest = new SnapshotFolder(folder).requireManifest();
        assertThat(manifest.latest().parts().get(0).rows()).isEqualTo(3);
        assertThat(now()).containsExactlyInAnyOrder("1 a", "2 B", "4 d");
        assertThat(at(1_000)).containsExactlyInAnyOrder("1 a", "2 b", "3 -");
    }

    @Test
    void shouldMoveThePositionAloneWhereNothingChanged() throws IOException {
        sync(KEYED, Extent.ALL, row(1, "a"));
        sync(KEYED, Extent.CHANGES, row(1, "a"));
        SnapshotManifest manifest = new SnapshotFolder(folder).requireManifest();
        assertThat(manifest.versions()).hasSize(1);
        assertThat(manifest.syncs()).isEqualTo(2);
    }

    @Test
    void shouldTakeDeletesFromMarksAndFromKeys() throws IOException {
        sync(KEYED, Extent.ALL, row(1, "a"), row(2, "b"), row(3, "c"));
        try (SnapshotWriter writer = writer(KEYED)) {
            RowBatch gone = RowTexts.batch(KEYED.columns(), row(1, null), row(9, null));
            gone.setDeleted(0);
            gone.setDeleted(1);
            writer.add(gone);
            assertThat(writer.compare(Extent.CHANGES).gone()).isEqualTo(1);
            writer.publish("test", position(), "");
        }
        try (SnapshotWriter writer = writer(KEYED)) {
            writer.addKeys(RowTexts.batch(KEYED.keyColumns(), row(3), row(7)));
            Difference found = writer.compare(Extent.CHANGES_AND_KEYS);
            assertThat(found.gone()).isEqualTo(1);
            assertThat(found.missed().rows()).isEqualTo(1);
            writer.publish("test", position(), "");
        }
        assertThat(now()).containsExactly("3 c");
    }

    @Test
    void shouldFollowColumnsOverNewNames() throws IOException {
        sync(KEYED, Extent.ALL, row(1, "a"), row(2, "b"));
        TableSchema renamed =
                new TableSchema(
                        List.of(
                                new Column("1", "key", ColumnType.INTEGER, false),
                                new Column("3", "more", ColumnType.REAL, true),
                                new Column("2", "Id", ColumnType.TEXT, true)),
                        List.of("key"));
        sync(renamed, Extent.ALL, row(1, null, "a"), row(2, 0.5, "b"));
        assertThat(now()).containsExactlyInAnyOrder("1 - a", "2 0.5 b");
        SnapshotManifest manifest = new SnapshotFolder(folder).requireManifest();
        assertThat(manifest.latest().parts().get(0).rows()).isEqualTo(1);
        assertThat(at(1_000)).containsExactlyInAnyOrder("1 a", "2 b");
    }

    @Test
    void shouldReplaceATableWithoutKeyAsAWhole() throws IOException {
        sync(KEYLESS, Extent.ALL, row(1, "a"), row(1, "a"));
        sync(KEYLESS, Extent.ALL, row(1, "a"));
        sync(KEYLESS, Extent.ALL, row(1, "a"));
        assertThat(now()).containsExactly("1 a");
        assertThat(at(1_000)).containsExactly("1 a", "1 a");
        assertThat(new SnapshotFolder(folder).requireManifest().versions()).hasSize(2);
        sync(KEYLESS, Extent.ALL);
        assertThat(now()).isEmpty();
    }

    @Test
    void shouldKeepEveryValueAsItIs() throws IOException {
        List<Column> columns = new ArrayList<>();
        for (ColumnType type : ColumnType.values()) {
            columns.add(new Column(type.name(), type.name(), type, true));
        }
        TableSchema schema = new TableSchema(columns, List.of());
        Object[] plain = {1, Long.MIN_VALUE, -0.0, "1.50", "a\0é😀", -5, -7, 7, new byte[] {0, -1}};
        Object[] late = {
            0,
            Long.MAX_VALUE,
            Double.NaN,
            "NaN",
            "",
            ColumnType.INFINITE,
            ColumnType.INFINITE,
            ColumnType.INFINITE,
            new byte[0]
        };
        Object[] early = {
            0,
            0,
            Double.NEGATIVE_INFINITY,
            "-Infinity",
            "'\"",
            ColumnType.MINUS_INFINITE,
            ColumnType.MINUS_INFINITE,
            ColumnType.MINUS_INFINITE,
            new byte[] {1}
        };
        Object[] old = {0, 0, 1e-320, "0", " ", -2_400_000, -210_866_803_200_000_000L, 0, null};
        List<String> expected = new ArrayList<>();
        RowBatch batch = RowTexts.batch(columns, plain, late, early, old, new Object[9]);
        RowTexts.into(expected).accept(batch);
        sync(schema, Extent.ALL, plain, late, early, old, new Object[9]);
        assertThat(now()).isEqualTo(expected);
    }

    @Test
    void shouldRefuseASecondSyncAndNameTheFirst() throws IOException {
        try (SnapshotWriter writer = writer(KEYED)) {
            assertThatThrownBy(() -> SnapshotWriter.open(new SnapshotFolder(folder), clock))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("under way")
                    .hasMessageContaining(String.valueOf(ProcessHandle.current().pid()));
            assertThat(writer.manifest()).isEmpty();
        }
        writer(KEYED).close();
    }

    @Test
    void shouldRefuseKeysThatDoNotTellRowsApart() throws IOException {
        assertThatThrownBy(() -> sync(KEYED, Extent.ALL, row(1, "a"), row(1, "b")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("[1] in 2 rows");
        assertThatThrownBy(() -> sync(KEYED, Extent.ALL, row(null, "a")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no value in the key");
    }

    @Test
    void shouldLeaveNothingOfASyncThatDoesNotPublish() throws IOException {
        sync(KEYED, Extent.ALL, row(1, "a"));
        Files.writeString(folder.resolve("parts/00000002.parquet"), "cut off");
        try (SnapshotWriter writer = writer(KEYED)) {
            writer.add(RowTexts.batch(KEYED.columns(), row(2, "b")));
        }
        assertThat(folder.resolve("parts")).isDirectoryContaining("glob:**00000001.parquet");
        try (var files = Files.list(folder.resolve("parts"))) {
            assertThat(files).hasSize(1);
        }
        assertThat(now()).containsExactly("1 a");
    }

    @Test
    void shouldNameDamage() throws IOException {
        sync(KEYED, Extent.ALL, row(1, "a"));
        Path manifest = folder.resolve("manifest.json");
        String text = Files.readString(manifest);
        Files.writeString(manifest, text.replace("\"rows\" : 1", "\"rows\" : 2"));
        assertThatThrownBy(() -> writer(KEYED))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("checksum");
        Files.writeString(manifest, text);
        Files.delete(folder.resolve("parts/00000001.parquet"));
        assertThatThrownBy(() -> writer(KEYED))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is missing");
    }

    @Test
    void shouldRefuseNamesThatCannotStandTogether() {
        TableSchema twice =
                new TableSchema(
                        List.of(ID, new Column("2", "ID", ColumnType.TEXT, true)), List.of());
        assertThatThrownBy(() -> writer(twice))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("capitals");
    }

    private static @Nullable Object[] row(@Nullable Object... values) {
        return values;
    }

    private SnapshotWriter writer(TableSchema schema) throws IOException {
        SnapshotWriter writer = SnapshotWriter.open(new SnapshotFolder(folder), clock);
        try {
            writer.begin(schema);
            return writer;
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    private void sync(TableSchema schema, Extent extent, @Nullable Object[]... rows)
            throws IOException {
        try (SnapshotWriter writer = writer(schema)) {
            writer.add(RowTexts.batch(schema.columns(), rows));
            writer.compare(extent);
            writer.publish("test", position(), "because");
        }
        nowMillis += 10;
    }

    private static JsonNode position() {
        return Json.tree("here");
    }

    private List<String> now() throws IOException {
        try (SnapshotReader reader = SnapshotReader.latest(new SnapshotFolder(folder))) {
            return texts(reader);
        }
    }

    private List<String> at(long millis) throws IOException {
        try (SnapshotReader reader =
                SnapshotReader.knownAt(new SnapshotFolder(folder), millis * 1000)) {
            return texts(reader);
        }
    }

    private static List<String> texts(SnapshotReader reader) throws IOException {
        List<String> texts = new ArrayList<>();
        reader.rows(RowTexts.into(texts));
        return texts;
    }
}
