package dev.medley.hub.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hub whose connections break: what may be asked again is, and nothing is done twice. */
@Tag("real")
class BrokenConnectionTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private ServerSocket listening;
    private volatile int broken;
    private volatile String answer = "";
    private HubClient client;

    @BeforeEach
    void open() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "breaks");
        thread.setDaemon(true);
        thread.start();
        HubAddress address = new HubAddress("127.0.0.1", listening.getLocalPort());
        client = HubClient.to(address, "0".repeat(64), null);
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
    }

    /** Reads a request's head, and ends the connection or answers. */
    private void serve() {
        try {
            while (true) {
                try (Socket socket = listening.accept()) {
                    BufferedReader in =
                            new BufferedReader(
                                    new InputStreamReader(
                                            socket.getInputStream(), StandardCharsets.US_ASCII));
                    asked.add(String.valueOf(in.readLine()));
                    for (String line = in.readLine();
                            line != null && !line.isEmpty();
                            line = in.readLine()) {}
                    if (asked.size() > broken) {
                        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                        socket.getOutputStream().flush();
                    }
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static String http(int status, String body) {
        return "HTTP/1.1 %d x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(status, body.length(), body);
    }

    @Test
    void shouldAskAgain() {
        broken = 2;
        answer = http(200, "[]");
        assertThat(client.jobs()).isEmpty();
        assertThat(asked)
                .hasSizeGreaterThan(2)
                .allMatch(line -> line.startsWith("GET /api/v1/jobs"));
    }

    @Test
    void shouldAskAgainWhereAHubIsBusy() {
        answer = http(503, "{\"error\":\"too many ask at once: try again\"}");
        assertThatThrownBy(client::jobs).hasMessage("too many ask at once: try again");
        assertThat(asked).hasSize(3);
    }

    @Test
    void shouldNotSubmitTwice() {
        broken = Integer.MAX_VALUE;
        Submission job = new Submission("a", "name: a", "/", "", SubmitTerms.NONE, 0, 0);
        assertThatThrownBy(() -> client.submit(job))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("whether it has done this is not known");
        assertThat(asked).hasSize(1);
    }

    @Test
    void shouldSayThatSomethingElseAnswers() {
        answer = http(200, "<html>");
        assertThatThrownBy(client::fleet).hasMessageContaining("is no hub of Medley (status 200)");
    }
}
