package dev.medley.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.connect.Secret;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.sync.TableSync;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.ColumnVector;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class IcebergSourceTest {
    private static final Schema SCHEMA =
            new Schema(
                    NestedField.required(1, "id", Types.IntegerType.get()),
                    NestedField.optional(2, "v", Types.StringType.get()));

    @TempDir private Path folder;
    private WrittenTable written;

    @BeforeEach
    void begin() throws Exception {
        written = table("orders", SCHEMA, PartitionSpec.unpartitioned(), Map.of());
    }

    @AfterEach
    void end() throws SQLException {
        written.close();
    }

    private WrittenTable table(
            String name, Schema schema, PartitionSpec spec, Map<String, String> properties)
            throws Exception {
        return new WrittenTable(folder.resolve(name), schema, spec, properties);
    }

    @Test
    void appendsShouldBeReadAlone() throws IOException {
        assertThat(rows(source(), null)).isEmpty();
        written.append("(1, 'a'), (2, NULL)");
        JsonNode first = position(source());
        assertThat(rows(source(), null)).containsExactlyInAnyOrder("1 a", "2 -");
        assertThat(changes(first).rows()).isEqualTo(Changes.Rows.CHANGED);
        assertThat(rows(source(), first)).isEmpty();
        written.append("(3, 'c')");
        written.append("(4, 'd')");
        assertThat(rows(source(), first)).containsExactlyInAnyOrder("3 c", "4 d");
        assertThat(changes(first).why()).isEqualTo("2 appends, and nothing else");
        DataFile more = written.append("(5, 'e'), (6, 'f'), (7, 'g')");
        JsonNode second = position(source());
        written.deletePositions(more, List.of(0, 2));
        assertThat(changes(second).why()).contains("is no append but an");
        assertThat(rows(source(), second))
                .containsExactlyInAnyOrder("1 a", "2 -", "3 c", "4 d", "6 f");
    }

    @Test
    void aKeyThatIsAppendedAgainShouldBeRefusedAsWhenAllRowsAreRead() throws IOException {
        written.append("(1, 'a')");
        TableSync sync =
                new TableSync(
                        source(),
                        new SnapshotFolder(folder.resolve("snapshot")),
                        SchemaContract.USUAL,
                        Clock.system());
        sync.run();
        written.append("(2, 'b'), (1, 'A')");
        String refusal = "the key [id] has the value [1] in 2 rows";
        assertThatThrownBy(sync::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(refusal);
        assertThatThrownBy(() -> sync.readAll("asked for"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(refusal);
    }

    @Test
    void rowsShouldBeDeletedByValueInEarlierSnapshotsAlone() throws IOException {
        written.append("(1, 'a'), (2, 'b'), (3, NULL)");
        written.deleteEqual(List.of(SCHEMA.findField("v")), "('a'), (NULL)");
        written.append("(4, 'a')");
        assertThat(rows(source(), null)).containsExactlyInAnyOrder("2 b", "4 a");
        written.table().updateSchema().deleteColumn("v").commit();
        assertThat(rows(source(), null)).containsExactlyInAnyOrder("2", "4");
    }

    /** A column is its field, whatever it was called when a file was written. */
    @Test
    void columnsShouldBeKnownByTheirIds() throws IOException {
        written.append("(1, 'a')");
        written.table()
                .updateSchema()
                .renameColumn("v", "text")
                .updateColumn("id", Types.LongType.get())
                .commit();
        written.table().updateSchema().addColumn("v", Types.LongType.get()).commit();
        written.append("(3000000000, 'b', 7)");
        try (TableView view = source().open(SyncStart.FIRST)) {
            assertThat(view.schema().columns())
                    .extracting(c -> c.id() + c.name() + c.size())
                    .containsExactly("1id64", "2text0", "3v64");
        }
        assertThat(rows(source(), null)).containsExactlyInAnyOrder("1 a -", "3000000000 b 7");
    }

    @Test
    void everyTypeShouldArriveAsItIs() throws Exception {
        Schema schema =
                new Schema(
                        NestedField.required(1, "b", Types.BooleanType.get()),
                        NestedField.required(2, "f", Types.FloatType.get()),
                        NestedField.required(3, "d", Types.DoubleType.get()),
                        NestedField.required(4, "n", Types.DecimalType.of(38, 10)),
                        NestedField.required(5, "day", Types.DateType.get()),
                        NestedField.required(6, "at", Types.TimestampType.withoutZone()),
                        NestedField.required(7, "tz", Types.TimestampType.withZone()),
                        NestedField.required(8, "t", Types.TimeType.get()),
                        NestedField.required(9, "raw", Types.BinaryType.get()),
                        NestedField.required(10, "odd \"name'", Types.StringType.get()));
        try (WrittenTable types = table("types", schema, PartitionSpec.unpartitioned(), Map.of())) {
            types.append(
                    "(true, 0.1, 'nan', 1234567890123456789012345678.0123456789, DATE '1969-12-31',"
                            + " TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMPTZ '2024-01-01"
                            + " 00:00:00+05:30', TIME '01:02:03.5', '\\x00\\xFF'::BLOB, 'a''\"')");
            assertThat(rows(source("types"), null))
                    .containsExactly(
                            "1 0.10000000149011612 NaN 1234567890123456789012345678.0123456789 -1"
                                    + " -1 1704047400000000 01:02:03.5 00ff a'\"");
        }
    }

    @Test
    void whatPartitionsFixShouldBeReadWhereFilesLackIt() throws Exception {
        PartitionSpec spec = PartitionSpec.builderFor(SCHEMA).identity("v").build();
        try (WrittenTable parts =
                table(
                        "parts",
                        SCHEMA,
                        spec,
                        Map.of(
                                "schema.name-mapping.default",
                                "[{\"field-id\": 1, \"names\": [\"nr\", \"id\"]}]"))) {
            Path file = folder.resolve("parts/data/old.parquet");
            parts.execute(
                    "COPY (SELECT 5 AS nr UNION ALL SELECT 6) TO '" + file + "' (FORMAT parquet)");
            parts.table()
                    .newAppend()
                    .appendFile(
                            org.apache.iceberg.DataFiles.builder(spec)
                                    .withPath(file.toString())
                                    .withFormat(org.apache.iceberg.FileFormat.PARQUET)
                                    .withFileSizeInBytes(Files.size(file))
                                    .withRecordCount(2)
                                    .withPartitionPath("v=it's")
                                    .build())
                    .commit();
            assertThat(rows(source("parts"), null)).containsExactlyInAnyOrder("5 it's", "6 it's");
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    /** Whatever was written, rows are those that a map of them would hold. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void randomHistoriesShouldEndAsAMapDoes(long seed) throws IOException {
        RandomGenerator random = Seeds.generator(seed);
        Map<Integer, String> expected = new TreeMap<>();
        Map<Integer, String> synced = new TreeMap<>();
        JsonNode position = null;
        int next = 0;
        for (int step = 0; step < 8; step++) {
            List<Integer> added = new ArrayList<>();
            StringBuilder values = new StringBuilder();
            for (int i = 0, rows = random.nextInt(1, 6); i < rows; i++) {
                String text = "t" + random.nextInt(4);
                values.append(i == 0 ? "" : ", ").append("(%d, '%s')".formatted(next, text));
                added.add(next);
                expected.put(next++, text);
            }
            DataFile file = written.append(values.toString());
            if (random.nextInt(3) == 0) {
                int gone = random.nextInt(added.size());
                written.deletePositions(file, List.of(gone));
                expected.remove(added.get(gone));
            }
            if (random.nextInt(4) == 0) {
                String text = "t" + random.nextInt(4);
                written.deleteEqual(
                        List.of(written.table().schema().findField(2)), "('%s')".formatted(text));
                expected.values().removeIf(text::equals);
            }
            if (random.nextInt(5) == 0) {
                written.table()
                        .updateSchema()
                        .renameColumn(written.table().schema().findField(2).name(), "v" + step)
                        .commit();
            }
            if (random.nextInt(2) == 0) {
                if (position == null || changes(position).rows() == Changes.Rows.ALL) {
                    synced.clear();
                }
                for (String row : rows(source(), position)) {
                    String[] cells = row.split(" ", -1);
                    synced.put(Integer.parseInt(cells[0]), cells[1]);
                }
                position = position(source());
                assertThat(synced).as("after step %d", step).isEqualTo(expected);
            }
        }
    }

    @Test
    void aTableThatWentBackOrIsAnotherShouldBeReadWhole() throws Exception {
        written.append("(1, 'a')");
        long before = written.table().currentSnapshot().snapshotId();
        written.append("(2, 'b')");
        JsonNode position = position(source());
        written.table().manageSnapshots().rollbackTo(before).commit();
        assertThat(changes(position).why()).contains("went back");
        assertThat(rows(source(), position)).containsExactly("1 a");
        written.close();
        try (var old = Files.walk(folder.resolve("orders"))) {
            for (Path file : old.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        written = table("orders", SCHEMA, PartitionSpec.unpartitioned(), Map.of());
        written.append("(9, 'z')");
        assertThat(changes(position).why()).contains("another table");
    }

    @Test
    void whatCannotBeReadShouldBeRefused() throws Exception {
        assertRefused(options("nowhere"), "no metadata/version-hint.text");
        Files.writeString(folder.resolve("orders/metadata/version-hint.text"), "x");
        assertRefused(options("orders"), "is to hold a number");
        Files.writeString(folder.resolve("orders/metadata/version-hint.text"), "77");
        assertRefused(options("orders"), "names version 77, whose file is not there");
        String broken = "orders/metadata/v9.metadata.json";
        Files.writeString(folder.resolve(broken), "{\"format-version\": 2}");
        assertRefused(options(broken), "its metadata cannot be read");
        Files.writeString(folder.resolve(broken), "not JSON");
        assertRefused(options(broken), "its metadata cannot be read");
        String good = "orders/metadata/v1.metadata.json";
        assertRefused(with(good, List.of("ID"), List.of()), "no column 'ID'; did you mean 'id'?");
        assertRefused(with(good, List.of(), List.of("vv")), "no key column 'vv'");
        Schema nested =
                new Schema(
                        NestedField.required(1, "id", Types.IntegerType.get()),
                        NestedField.optional(
                                2, "l", Types.ListType.ofOptional(3, Types.StringType.get())));
        try (WrittenTable lists = table("lists", nested, PartitionSpec.unpartitioned(), Map.of())) {
            assertThat(lists.table().schema().columns()).hasSize(2);
            assertRefused(options("lists"), "column 'l' is of type list<string>");
            assertThat(
                            rows(
                                    new IcebergSource(
                                            with("lists", List.of("id"), List.of()), n -> null),
                                    null))
                    .isEmpty();
        }
        try (WrittenTable third =
                table(
                        "third",
                        SCHEMA,
                        PartitionSpec.unpartitioned(),
                        Map.of("format-version", "3"))) {
            assertThat(third.table().schema().columns()).hasSize(2);
            assertRefused(options("third"), "format version 3");
        }
    }

    @Test
    void aFileThatIsGoneShouldBeNamed() throws IOException {
        written.append("(1, 'a')");
        DataFile file = written.append("(2, 'b')");
        Files.delete(Path.of(file.location()));
        assertThatThrownBy(() -> rows(source(), null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.location());
    }

    /** A catalog's answers, as the protocol of REST catalogs has them. */
    @Test
    void aCatalogShouldSayWhereATableIs() throws IOException {
        written.append("(1, 'a')");
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                call -> {
                    String path = call.getRequestURI().getPath();
                    boolean isKnown =
                            "Bearer secret"
                                    .equals(call.getRequestHeaders().getFirst("Authorization"));
                    String metadata =
                            TableMetadataParser.toJson(
                                    ((org.apache.iceberg.BaseTable) written.table())
                                            .operations()
                                            .current());
                    String json =
                            !isKnown
                                    ? error(401, "NotAuthorizedException")
                                    : path.endsWith("/v1/config")
                                            ? "{\"defaults\": {}, \"overrides\": {}}"
                                            : path.endsWith("/namespaces/shop/tables/orders")
                                                    ? "{\"metadata-location\": \"x\", \"metadata\":"
                                                            + " "
                                                            + metadata
                                                            + "}"
                                                    : error(404, "NoSuchTableException");
                    int code = !isKnown ? 401 : json.contains("NoSuchTable") ? 404 : 200;
                    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
                    call.getResponseHeaders().add("Content-Type", "application/json");
                    call.sendResponseHeaders(code, bytes.length);
                    call.getResponseBody().write(bytes);
                    call.close();
                });
        server.start();
        try {
            String place = "http://127.0.0.1:" + server.getAddress().getPort();
            assertThat(rows(catalog(place, "shop.orders", "secret"), null)).containsExactly("1 a");
            assertThatThrownBy(() -> rows(catalog(place, "shop.none", "secret"), null))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("no such table");
            assertThatThrownBy(() -> rows(catalog(place, "shop.orders", "wrong"), null))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("does not let in")
                    .hasMessageNotContaining("wrong");
        } finally {
            server.stop(0);
        }
    }

    private static String error(int code, String type) {
        return "{\"error\": {\"message\": \"no\", \"type\": \"%s\", \"code\": %d}}"
                .formatted(type, code);
    }

    private static IcebergSource catalog(String place, String table, String token) {
        return new IcebergSource(
                new IcebergOptions(
                        place, table, null, new Secret("env:TOKEN"), List.of(), List.of("id")),
                name -> name.equals("TOKEN") ? token : null);
    }

    private void assertRefused(IcebergOptions options, String why) {
        assertThatThrownBy(() -> new IcebergSource(options, name -> null).open(SyncStart.FIRST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(why);
    }

    private IcebergOptions options(String name) {
        return with(name, List.of(), List.of());
    }

    private IcebergOptions with(String name, List<String> columns, List<String> key) {
        return new IcebergOptions(folder.resolve(name).toString(), null, null, null, columns, key);
    }

    private IcebergSource source() {
        return new IcebergSource(with("orders", List.of(), List.of("id")), name -> null);
    }

    private IcebergSource source(String name) {
        return new IcebergSource(options(name), n -> null);
    }

    private Changes changes(JsonNode since) throws IOException {
        try (TableView view = source().open(new SyncStart(since, null))) {
            return view.changes();
        }
    }

    private static JsonNode position(IcebergSource source) throws IOException {
        try (TableView view = source.open(SyncStart.FIRST)) {
            return view.position();
        }
    }

    private static List<String> rows(
            IcebergSource source, @org.jspecify.annotations.Nullable JsonNode since)
            throws IOException {
        List<String> rows = new ArrayList<>();
        try (TableView view = source.open(new SyncStart(since, null))) {
            view.rows(
                    view.changes().rows(),
                    batch -> {
                        for (int row = 0; row < batch.rows(); row++) {
                            rows.add(text(batch, row));
                        }
                    });
        }
        return rows;
    }

    private static String text(RowBatch batch, int row) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < batch.columns().size(); i++) {
            ColumnVector vector = batch.column(i);
            cells.add(
                    vector.isMissing(row)
                            ? "-"
                            : vector.type().isLong()
                                    ? String.valueOf(vector.longAt(row))
                                    : vector.type().isText()
                                            ? vector.textAt(row)
                                            : vector.type()
                                                            == dev.medley.connect.table.ColumnType
                                                                    .REAL
                                                    ? String.valueOf(vector.doubleAt(row))
                                                    : java.util.HexFormat.of()
                                                            .formatHex(vector.bytesAt(row)));
        }
        return String.join(" ", cells);
    }
}
