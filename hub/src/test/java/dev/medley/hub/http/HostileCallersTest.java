package dev.medley.hub.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.time.Clock;
import dev.medley.hub.MemoryHub;
import dev.medley.hub.client.HubAddress;
import dev.medley.hub.client.HubClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that mean no good, over raw sockets: their own connection ends, and others go on. */
@Tag("real")
class HostileCallersTest {
    @TempDir private static Path folder;
    private static HubServer server;
    private static HubTokens tokens;
    private static HubClient friend;

    @BeforeAll
    static void open() {
        tokens = HubTokens.open(folder);
        server =
                HubServer.open(
                        new MemoryHub(), tokens, HubSocket.onLoopback(0), HubLimits.ofMillis(400));
        friend = HubClient.to(HubAddress.of(server.address()), tokens.of(Role.ADMIN), null);
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void shouldEndARequestWhoseBodyDoesNotCome() throws IOException {
        assertThat(answer(post("/api/v1/jobs", 1000) + "{\"jobFile\":")).startsWith("HTTP/1.1 503");
        assertThat(friend.jobs()).isEmpty();
    }

    @Test
    void shouldEndARequestWhoseHeadersDoNotEnd() throws IOException {
        assertThat(answer("GET /api/v1/jobs HTTP/1.1\r\nHost: a\r\nX-Slow: ")).isEmpty();
        assertThat(answer("")).as("who says nothing").isEmpty();
        assertThat(friend.jobs()).isEmpty();
    }

    @Test
    void shouldEndACallerWhoNeverComesToAnEnd() throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout(50); // One byte in this time: never idle, never done.
            OutputStream out = socket.getOutputStream();
            out.write("GET /api/v1/jobs HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            assertThat(trickle(socket, out, 600)).isLessThan(600);
        }
        assertThat(friend.jobs()).isEmpty();
    }

    /** How many bytes went before the server ended the connection. */
    private static int trickle(Socket socket, OutputStream out, int most) throws IOException {
        for (int i = 0; i < most; i++) {
            try {
                out.write('a');
                if (socket.getInputStream().read() < 0) {
                    return i;
                }
            } catch (SocketTimeoutException e) {
                // The next byte.
            } catch (SocketException e) {
                return i;
            }
        }
        return most;
    }

    @Test
    void shouldRefuseHugeHeadersAndLines() throws IOException {
        String header =
                "GET /api/v1/jobs HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(40_000) + "\r\n\r\n";
        assertThat(answer(header)).startsWith("HTTP/1.1 431").contains("16 KiB are the most");
        String line = "GET /api/v1/jobs?" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: a\r\n\r\n";
        assertThat(answer(line)).startsWith("HTTP/1.1 414");
        assertThat(friend.jobs()).isEmpty();
    }

    @Test
    void shouldRefuseABodyThatIsAnnouncedTooLargeBeforeItComes() throws IOException {
        assertThat(answer(post("/api/v1/jobs", 1L << 40))).startsWith("HTTP/1.1 413");
    }

    @Test
    void shouldAskForATokenBeforeAByteOfTheBody() throws IOException {
        String request = post("/api/v1/jobs", 1000).replaceAll("Authorization: [^\r]*\r\n", "");
        assertThat(answer(request)).startsWith("HTTP/1.1 401");
    }

    @Test
    void shouldRefuseNoise() throws IOException {
        assertThat(answer("\u0016\u0003\u0001 this is no HTTP\r\n\r\n")).startsWith("HTTP/1.1 400");
        assertThat(answer("GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n"))
                .matches("(?s)HTTP/1.1 40[04].*");
        assertThat(friend.jobs()).isEmpty();
    }

    @Test
    void shouldServeOthersWhileManyConnectAndSayNothing() throws IOException {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                idle.add(new Socket(server.address().getAddress(), server.address().getPort()));
            }
            assertThat(friend.jobs()).isEmpty();
            for (Socket each : idle) {
                assertThat(rest(each)).isEmpty(); // Each is closed by the server.
            }
        } finally {
            for (Socket each : idle) {
                each.close();
            }
        }
    }

    @Test
    void shouldForgetCodesThatAreTooOld() {
        Clock clock = Clock.system();
        PageCodes codes = new PageCodes(clock);
        List<String> links = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            links.add(codes.link(new Bearer("a", Role.VIEWER)).path());
        }
        assertThat(codes.enter(code(links.get(299))).role()).isEqualTo("viewer");
        assertThatThrownBy(() -> codes.enter(code(links.get(0))))
                .as("no more than 256 are kept")
                .hasMessageContaining("used before");
    }

    private static PageCodes.Code code(String path) {
        return new PageCodes.Code(path.substring(path.indexOf('=') + 1));
    }

    private static String post(String path, long length) {
        return "POST %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, tokens.of(Role.ADMIN), length);
    }

    /** All that the server says until it ends the connection. */
    private static String answer(String request) throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return rest(socket);
        }
    }

    private static String rest(Socket socket) throws IOException {
        socket.setSoTimeout(60_000);
        StringBuilder said = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                said.append((char) next);
            }
        } catch (SocketException e) {
            return said.toString(); // A reset ends it, too.
        }
        return said.toString();
    }
}
