package dev.medley.store.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.SmallDisk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real HTTP server on this machine that behaves as badly as servers do. */
@Tag("real")
class DownloaderTest {
    private static final int BYTES = 300_000;
    private static final DownloadOptions HASTY =
            new DownloadOptions(2_000_000_000L, 400_000_000L, 3, 1_000_000);

    @TempDir Path folder;
    private HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<String> ranges = new ConcurrentLinkedQueue<>();
    private final byte[] content = content(1);

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/good", exchange -> serve(exchange, content, BYTES));
        server.start();
    }

    @AfterEach
    void stop() {
        stopped.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void shouldFetchAndVerifyAndLeaveAloneWhatIsHere() throws Exception {
        List<Long> seen = new ArrayList<>();
        DownloadedFile file = get("/good", (known, bytes) -> seen.add(bytes));
        assertThat(file.path()).hasBinaryContent(content);
        assertThat(file.bytes()).isEqualTo(BYTES);
        assertThat(file.sha256()).isEqualTo(sha256(content));
        assertThat(file.origin()).isEqualTo(DownloadedFile.Origin.FETCHED);
        assertThat(seen).endsWith((long) BYTES);
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
        server.removeContext("/good");
        assertThat(get("/good").origin()).isEqualTo(DownloadedFile.Origin.ALREADY_HERE);
    }

    @Test
    void shouldTidyATableAfterItIsVerifiedFromAMirror() throws Exception {
        byte[] raw = "|1x3 Cross\n25, <=50K.\n38, >50K.\n\n".getBytes(StandardCharsets.US_ASCII);
        server.createContext("/mirror/adult.test", exchange -> serve(exchange, raw, raw.length));
        KnownFile file =
                new KnownFile(
                        "adult.test",
                        List.of(URI.create("http://publisher.example/adult.test")),
                        raw.length,
                        sha256(raw),
                        null,
                        new TidyTable("tidy.csv", "a,b"));
        KnownDataSet set = set(file).from(uri("/mirror"));
        Downloader downloader = new Downloader(HASTY);
        Path kept = downloader.get(set, folder, DownloadProgress.NONE).get(0).path();
        assertThat(kept).isEqualTo(folder.resolve("tidy.csv")).hasContent("a,b\n25,<=50K\n38,>50K");
        assertThat(folder).isDirectoryNotContaining("glob:**.{part,test}");
        assertThat(downloader.get(set, folder, DownloadProgress.NONE).get(0).origin())
                .isEqualTo(DownloadedFile.Origin.ALREADY_HERE);
    }

    @Test
    void shouldContinueWhenTheConnectionDropsInTheMiddle() throws Exception {
        server.createContext("/drops", exchange -> serve(exchange, content, 70_000));
        DownloadedFile file = get("/drops");
        assertThat(file.path()).hasBinaryContent(content);
        assertThat(file.origin()).isEqualTo(DownloadedFile.Origin.RESUMED);
        assertThat(ranges).hasSizeGreaterThanOrEqualTo(4).contains("bytes=70000-");
    }

    @Test
    void shouldContinueWhatAnEarlierCallBrought() throws Exception {
        Files.write(folder.resolve("data.bin.part"), Arrays.copyOf(content, 123_456));
        DownloadedFile file = get("/good");
        assertThat(file.path()).hasBinaryContent(content);
        assertThat(file.origin()).isEqualTo(DownloadedFile.Origin.RESUMED);
        assertThat(ranges).containsExactly("bytes=123456-");
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, BYTES, BYTES + 1})
    void shouldStartOverWhenTheEarlierBytesAreOfAnotherFile(int length) throws Exception {
        Files.write(folder.resolve("data.bin.part"), Arrays.copyOf(content(2), length));
        DownloadedFile file = get("/good");
        assertThat(file.path()).hasBinaryContent(content);
        assertThat(file.origin()).isEqualTo(DownloadedFile.Origin.FETCHED);
    }

    @Test
    void shouldStartOverWhenTheServerIgnoresRanges() throws Exception {
        server.createContext("/whole", exchange -> serveWhole(exchange, content));
        Files.write(folder.resolve("data.bin.part"), Arrays.copyOf(content, 200_000));
        DownloadedFile file = get("/whole");
        assertThat(file.path()).hasBinaryContent(content);
        assertThat(file.origin()).isEqualTo(DownloadedFile.Origin.FETCHED);
    }

    @Test
    void shouldStartOverWhenTheServerCannotServeTheRange() throws Exception {
        server.createContext(
                "/fussy",
                exchange -> {
                    if (exchange.getRequestHeaders().containsKey("Range")) {
                        fail(exchange, 416);
                    } else {
                        serveWhole(exchange, content);
                    }
                });
        Files.write(folder.resolve("data.bin.part"), Arrays.copyOf(content, 200_000));
        assertThat(get("/fussy").path()).hasBinaryContent(content);
    }

    @Test
    void shouldRefuseAWrongBody() {
        byte[] other = content(2);
        server.createContext("/wrong", exchange -> serveWhole(exchange, other));
        assertThatThrownBy(() -> get("/wrong"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "data.bin was not downloaded: http://",
                        "/wrong: 300000 bytes with SHA-256 " + sha256(other),
                        "not 300000 with " + sha256(content));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldRefuseAWrongLength() {
        server.createContext("/short", exchange -> serveWhole(exchange, new byte[10]));
        assertThatThrownBy(() -> get("/short"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "/short: it has 10 bytes, 300000 were expected: the publisher changed the"
                                + " file; 0 of 300000 bytes are here");
        server.createContext("/endless", this::serveEndlessly);
        assertThatThrownBy(() -> get("/endless"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("more than the 300000 bytes expected");
    }

    @Test
    void shouldSayThatItIsNotFound() {
        assertThatThrownBy(() -> get("/absent"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("/absent: it answered 404 (not found); 0 of 300000");
    }

    @Test
    void shouldTryAgainWhenTheServerIsBusyAndGiveUpInTheEnd() throws Exception {
        server.createContext(
                "/busy",
                exchange -> {
                    if (ranges.size() < 2) {
                        ranges.add("busy");
                        fail(exchange, 503);
                    } else {
                        serveWhole(exchange, content);
                    }
                });
        assertThat(get("/busy").path()).hasBinaryContent(content);
        Files.delete(folder.resolve("data.bin"));
        server.createContext("/down", exchange -> fail(exchange, 500));
        assertThatThrownBy(() -> get("/down"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("/down: it answered 500 (3 attempts in a row)");
    }

    @Test
    void shouldGiveUpAServerThatFallsSilentAndKeepWhatCame() {
        server.createContext(
                "/silent",
                exchange -> {
                    try (exchange) {
                        if (exchange.getRequestHeaders().containsKey("Range")) {
                            stopped.await();
                        }
                        exchange.sendResponseHeaders(200, BYTES);
                        exchange.getResponseBody().write(content, 0, 100_000);
                        exchange.getResponseBody().flush();
                        stopped.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        assertThatThrownBy(() -> get("/silent"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("no byte came for 0 s", "100000 of 300000 bytes are here");
        assertThat(folder.resolve("data.bin.part"))
                .hasBinaryContent(Arrays.copyOf(content, 100_000));
    }

    @Test
    void shouldTryTheNextAddressAndSayThatNoneAnswers() throws Exception {
        URI nobody = nobodyListens();
        KnownFile file =
                new KnownFile(
                        "data.bin",
                        List.of(nobody, uri("/good")),
                        BYTES,
                        sha256(content),
                        null,
                        null);
        assertThat(get(file, DownloadProgress.NONE).path()).hasBinaryContent(content);
        Files.delete(folder.resolve("data.bin"));
        KnownFile unreachable =
                new KnownFile("data.bin", List.of(nobody), BYTES, sha256(content), null, null);
        assertThatThrownBy(() -> get(unreachable, DownloadProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "cannot reach " + nobody.getAuthority() + ": is there a network");
    }

    @Test
    void shouldNotTouchAFileThatIsNotThePublishedOne() throws Exception {
        Path mine = Files.writeString(folder.resolve("data.bin"), "mine");
        assertThatThrownBy(() -> get("/good"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("data.bin: is here but is not the published file: 4 bytes");
        assertThat(mine).hasContent("mine");
    }

    @Test
    void shouldSayThatTheDiskIsFullBeforeTheFirstByte() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1)) {
            Files.write(disk.root().resolve("filler"), new byte[800_000]);
            KnownDataSet set = set(known(List.of(uri("/good"))));
            assertThatThrownBy(
                            () ->
                                    new Downloader(HASTY)
                                            .get(set, disk.root(), DownloadProgress.NONE))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("no space left on the device: 300000 bytes needed");
            assertThat(ranges).isEmpty();
        }
    }

    private DownloadedFile get(String path) {
        return get(path, DownloadProgress.NONE);
    }

    private DownloadedFile get(String path, DownloadProgress progress) {
        return get(known(List.of(uri(path))), progress);
    }

    private DownloadedFile get(KnownFile file, DownloadProgress progress) {
        return new Downloader(HASTY).get(set(file), folder, progress).get(0);
    }

    private KnownFile known(List<URI> urls) {
        return new KnownFile("data.bin", urls, BYTES, sha256(content), null, null);
    }

    private KnownDataSet set(KnownFile file) {
        return new KnownDataSet("test", "a set", "none", uri("/"), List.of(file), "data: x");
    }

    private URI uri(String path) {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getHostString() + ":" + address.getPort() + path);
    }

    private static URI nobodyListens() throws IOException {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        return URI.create("http://127.0.0.1:" + port + "/data.bin");
    }

    /** As a good server does, but closes the connection after {@code most} bytes. */
    private void serve(HttpExchange exchange, byte[] bytes, int most) throws IOException {
        try (exchange) {
            String range = exchange.getRequestHeaders().getFirst("Range");
            ranges.add(String.valueOf(range));
            int from = range == null ? 0 : Integer.parseInt(range.replaceAll("[^0-9]", ""));
            if (range != null) {
                exchange.getResponseHeaders()
                        .add(
                                "Content-Range",
                                "bytes %d-%d/%d".formatted(from, bytes.length - 1, bytes.length));
            }
            exchange.sendResponseHeaders(range == null ? 200 : 206, bytes.length - from);
            exchange.getResponseBody().write(bytes, from, Math.min(most, bytes.length - from));
            exchange.getResponseBody().flush();
        }
    }

    private static void serveWhole(HttpExchange exchange, byte[] bytes) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private void serveEndlessly(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 10; i++) {
                exchange.getResponseBody().write(content, 0, 100_000);
            }
        }
    }

    private static void fail(HttpExchange exchange, int status) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, 5);
            exchange.getResponseBody().write(new byte[5]);
        }
    }

    private static byte[] content(long seed) {
        byte[] bytes = new byte[BYTES];
        Seeds.generator(seed).nextBytes(bytes);
        return bytes;
    }

    private static String sha256(byte[] bytes) {
        Checksum checksum = Checksum.start(Checksum.Kind.SHA256);
        checksum.update(ByteBuffer.wrap(bytes));
        return checksum.hex();
    }
}
