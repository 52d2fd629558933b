package dev.medley.cli.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.medley.base.ConfigException;
import dev.medley.cli.download.Download.Result;
import dev.medley.cli.download.PublicSet.RemoteFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server of our own that can break off, ignore ranges and lie. */
@Tag("real")
class DownloadTest {
    private final byte[] content = "0123456789".repeat(50_000).getBytes(StandardCharsets.US_ASCII);
    @TempDir private Path folder;
    private HttpServer server;
    private volatile int breakAfterBytes = Integer.MAX_VALUE;
    private volatile boolean ignoresRanges;
    private volatile byte[] served = content;
    private volatile String lastRange = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/set/file.bin", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        lastRange = range == null ? "" : range;
        int from =
                range == null || ignoresRanges ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
        byte[] rest = Arrays.copyOfRange(served, Math.min(from, served.length), served.length);
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, rest.length);
        exchange.getResponseBody().write(rest, 0, Math.min(rest.length, breakAfterBytes));
        exchange.close();
    }

    private String base() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/set";
    }

    private RemoteFile file(String name) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
        return new RemoteFile(
                "https://example.com/x/" + name,
                content.length,
                HexFormat.of().formatHex(hash),
                "here.bin",
                "",
                RemoteFile.Rewrite.NONE);
    }

    @Test
    void shouldFetchAndVerify() throws Exception {
        Path target = folder.resolve("deep/here.bin");
        AtomicLong seen = new AtomicLong();
        assertThat(new Download().fetch(file("file.bin"), base(), target, seen::set))
                .isEqualTo(Result.FETCHED);
        assertThat(target).hasBinaryContent(content);
        assertThat(seen).hasValue(content.length);
        assertThat(new Download().fetch(file("file.bin"), base(), target, n -> {}))
                .isEqualTo(Result.PRESENT);
    }

    @Test
    void shouldGoOnWhereItBrokeOff() throws Exception {
        Path target = folder.resolve("here.bin");
        breakAfterBytes = 200_000;
        assertThatThrownBy(() -> new Download().fetch(file("file.bin"), base(), target, n -> {}))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("run the command again to go on");
        assertThat(target).doesNotExist();
        long arrived = Files.size(folder.resolve("file.bin.part"));
        assertThat(arrived).isPositive();
        breakAfterBytes = Integer.MAX_VALUE;
        assertThat(new Download().fetch(file("file.bin"), base(), target, n -> {}))
                .isEqualTo(Result.RESUMED);
        assertThat(lastRange).isEqualTo("bytes=" + arrived + "-");
        assertThat(target).hasBinaryContent(content);
        assertThat(folder.resolve("file.bin.part")).doesNotExist();
    }

    @Test
    void shouldBeginAgainWhereTheServerKnowsNoRanges() throws Exception {
        Path target = folder.resolve("here.bin");
        Files.write(folder.resolve("file.bin.part"), Arrays.copyOf(content, 1_000));
        ignoresRanges = true;
        new Download().fetch(file("file.bin"), base(), target, n -> {});
        assertThat(target).hasBinaryContent(content);
    }

    @Test
    void shouldRefuseAnotherFile() throws Exception {
        Path target = folder.resolve("here.bin");
        byte[] other = content.clone();
        other[4_711] ^= 1;
        served = other;
        assertThatThrownBy(() -> new Download().fetch(file("file.bin"), base(), target, n -> {}))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not the file that is known")
                .hasMessageContaining("SHA-256");
        assertThat(folder).isEmptyDirectory();
        served = "0".repeat(content.length + 9).getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> new Download().fetch(file("file.bin"), base(), target, n -> {}))
                .hasMessageContaining("is not the file that is known");
    }

    @Test
    void shouldSayWhatTheServerAnswers() throws Exception {
        Path target = folder.resolve("here.bin");
        assertThatThrownBy(() -> new Download().fetch(file("gone.bin"), base(), target, n -> {}))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the server answers 404");
    }

    @Test
    void shouldTidyUciAdult() throws Exception {
        RemoteFile adult =
                new RemoteFile("u/adult.test", 0, "", "t.csv", "a,b", RemoteFile.Rewrite.ADULT);
        Path raw =
                Files.writeString(folder.resolve("raw"), "|1x3 Cross\n25, <=50K.\n38, >50K.\n\n");
        Rewriting.apply(adult, raw, folder.resolve("t.csv"));
        assertThat(folder.resolve("t.csv")).hasContent("a,b\n25,<=50K\n38,>50K");
        assertThat(raw).doesNotExist();
    }
}
