package dev.medley.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.StoreUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("real")
@Timeout(600)
class ObjectStoreTest {
    private static S3Server server;

    @TempDir Path folder;

    @BeforeAll
    static void begin() throws Exception {
        server = S3Server.start();
    }

    @AfterAll
    static void end() throws Exception {
        server.close();
    }

    /** Around a piece of a fetch, and a part of a put. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8 << 20, (16 << 20) + 1, 40_000_001})
    void whatWasPutShouldBeFetchedByteForByte(int bytes) throws IOException {
        Path file = random(bytes);
        for (StoreUrl url : List.of(s3("s3://bucket/a/b"), s3("s3://bucket"), ofFiles())) {
            try (ObjectStore store = open(url)) {
                List<Long> gone = new ArrayList<>();
                store.put("set/x.bin", file, gone::add);
                assertThat(gone).isSorted().last().isEqualTo((long) bytes);
                assertThat(store.bytes("set/x.bin")).hasValue(bytes);
                Path back = unused();
                List<Long> come = new ArrayList<>();
                store.fetch("set/x.bin", bytes, back, come::add);
                assertThat(back).hasSameBinaryContentAs(file);
                assertThat(come).isSorted();
            }
        }
    }

    @Test
    void aStretchShouldBeReadAndOneBeyondTheEndNotBeTakenForWhole() throws IOException {
        for (StoreUrl url : List.of(s3("s3://bucket/stretch"), ofFiles())) {
            try (ObjectStore store = open(url)) {
                store.write("x", new byte[] {0, 1, 2, 3, 4, 5, 6, 7});
                assertThat(store.read("x", 2, 3)).containsExactly(2, 3, 4);
                assertThatThrownBy(() -> store.read("x", 6, 3))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith(url + "/x");
            }
        }
    }

    @Test
    void folderOfTheUrlShouldBeInFrontOfNames() throws IOException {
        try (ObjectStore store = open(s3("s3://bucket/our/medley/"))) {
            store.write("key/list", new byte[] {1, 2});
            assertThat(store.read("key/list")).containsExactly(1, 2);
        }
        assertThat(server.has("our/medley/key/list")).isTrue();
    }

    @Test
    void whatIsNotThereShouldBeSaidWithItsName() throws IOException {
        for (StoreUrl url : List.of(s3("s3://bucket/none"), ofFiles())) {
            try (ObjectStore store = open(url)) {
                assertThat(store.bytes("x")).isEmpty();
                assertThatThrownBy(() -> store.read("x"))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith(url + "/x: ");
                assertThatThrownBy(() -> store.fetch("x", 3, unused(), come -> {}))
                        .hasMessageStartingWith(url + "/x: ");
            }
        }
    }

    @Test
    void anObjectThatIsShorterThanItShouldBeShouldNotBeTakenForWhole() throws IOException {
        try (ObjectStore store = open(s3("s3://bucket/short"))) {
            store.write("x", new byte[10]);
            assertThatThrownBy(() -> store.fetch("x", 20, unused(), come -> {}))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatTheServerRefusesShouldBeOneSentence() throws IOException {
        Map<String, String> wrong = server.environment();
        wrong.put("AWS_SECRET_ACCESS_KEY", "guessed");
        try (ObjectStore store = ObjectStore.open(s3("s3://bucket/x"), wrong::get)) {
            assertThatThrownBy(() -> store.write("y", new byte[1]))
                    .hasMessageMatching("s3://bucket/x/y: SignatureDoesNotMatch: [^\n]*");
        }
        try (ObjectStore store = open(s3("s3://nobodys/x"))) {
            assertThatThrownBy(() -> store.write("y", new byte[1]))
                    .hasMessageMatching("s3://nobodys/x/y: NoSuchBucket: [^\n]*");
        }
    }

    @Test
    void whatIsCreatedShouldNotReplaceWhatIsThere() throws Exception {
        for (StoreUrl url : List.of(s3("s3://bucket/created"), ofFiles())) {
            try (ObjectStore store = open(url)) {
                assertThat(store.create("deed/1", new byte[] {1})).isTrue();
                assertThat(store.create("deed/1", new byte[] {2})).isFalse();
                assertThat(store.read("deed/1")).containsExactly(1);
            }
        }
    }

    @Test
    void ofAllThatCreateAtOnceOneShouldSucceed() throws Exception {
        for (int round = 0; round < 20; round++) {
            String name = "race/" + round;
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                byte[] content = {(byte) i};
                all.add(CompletableFuture.supplyAsync(() -> isCreated(name, content)));
            }
            assertThat(all.stream().filter(CompletableFuture::join)).as(name).hasSize(1);
        }
    }

    private static boolean isCreated(String name, byte[] content) {
        try (ObjectStore store = open(s3("s3://bucket"))) {
            return store.create(name, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void childrenShouldBeThoseDirectlyBelow() throws IOException {
        for (StoreUrl url : List.of(s3("s3://bucket/family"), ofFiles())) {
            try (ObjectStore store = open(url)) {
                assertThat(store.children("none")).isEmpty();
                store.write("m/events/1.json", new byte[3]);
                store.write("m/x", new byte[2]);
                store.write("n/y", new byte[2]);
                assertThat(store.children("m"))
                        .extracting(StoredObject::name)
                        .containsExactly("m/events/", "m/x");
                assertThat(store.children("")).extracting(StoredObject::name).contains("m/", "n/");
                assertThat(store.children("m/events"))
                        .singleElement()
                        .matches(object -> object.bytes() == 3 && !object.version().isEmpty());
            }
        }
        try (ObjectStore store = open(s3("s3://nobodys/x"))) {
            assertThatThrownBy(() -> store.children("")).hasMessageContaining("NoSuchBucket");
        }
    }

    @Test
    void aStoreThatCannotBeReachedShouldBeSaid() throws IOException {
        Map<String, String> nobody = server.environment();
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody.put("AWS_ENDPOINT_URL", "http://127.0.0.1:" + socket.getLocalPort());
        }
        try (ObjectStore store = ObjectStore.open(s3("s3://bucket/x"), nobody::get)) {
            assertThatThrownBy(() -> store.write("y", new byte[1]))
                    .hasMessageMatching("s3://bucket/x/y: [^\n]*Connection refused[^\n]*");
        }
    }

    @Test
    void amazonWithoutARegionShouldBeRefused() {
        assertThatThrownBy(() -> ObjectStore.open(s3("s3://bucket/x"), name -> null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("AWS_REGION");
    }

    private static ObjectStore open(StoreUrl url) {
        return ObjectStore.open(url, server.environment()::get);
    }

    private static StoreUrl s3(String url) {
        return StoreUrl.of("cluster.data_store", url);
    }

    private StoreUrl ofFiles() {
        return StoreUrl.of("cluster.data_store", "file://" + folder.resolve("store"));
    }

    private Path unused() throws IOException {
        return Files.createTempDirectory(folder, "unused").resolve("x");
    }

    private Path random(int bytes) throws IOException {
        RandomGenerator random = Seeds.generator(bytes);
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        return Files.write(folder.resolve("x-" + bytes), content);
    }
}
