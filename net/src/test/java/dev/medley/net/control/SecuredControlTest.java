package dev.medley.net.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.net.certs.TestClusters.Who;
import dev.medley.net.door.FrameKey;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.Recognition;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;

/** Who gets to talk to a coordinator beyond loopback, over real sockets with real certificates. */
@Tag("unit")
@Timeout(600)
class SecuredControlTest {
    private static final JoinSecret PASS = JoinSecret.ofCluster("token");
    private static final long PATIENCE_NS = 20_000_000_000L;
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Heard server = new Heard();
    private final Heard client = new Heard();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private ControlServer listen(@Nullable Who who) {
        ControlServer result =
                ControlServer.listen(
                        ANY_PORT, who == null ? null : who.credentials(), List.of(PASS), server);
        open.add(result);
        return result;
    }

    private ControlConnection connect(ControlServer to, @Nullable Who who) throws IOException {
        ControlConnection result =
                ControlConnection.connect(
                        to.address(),
                        PATIENCE_NS,
                        who == null ? null : who.credentials(),
                        PASS,
                        client);
        open.add(result);
        return result;
    }

    @Test
    void shouldTalkBothWaysBetweenMachinesOfOneCluster() throws Exception {
        ControlConnection dialled = connect(listen(Who.ONE), Who.OTHER);
        dialled.send(new Message.Alive(7));
        assertThat(server.message()).isEqualTo(new Message.Alive(7));
        server.last.send(new Message.Beat(0));
        assertThat(client.message()).isEqualTo(new Message.Beat(0));
        String large = "x".repeat(3 << 20);
        server.last.send(new Message.Seal(1, large));
        server.last.closeAfterSending(PATIENCE_NS);
        assertThat(client.message()).isEqualTo(new Message.Seal(1, large));
        assertThat(client.end()).isEqualTo("closed by the other side");
    }

    @Test
    void lastWordsShouldBeHeardOfAThreadThatDoesNotWaitForThem() throws Exception {
        connect(listen(null), null).send(new Message.Present());
        assertThat(server.message()).isNotNull();
        String large = "x".repeat(30 << 20);
        server.last.send(new Message.Seal(1, large));
        server.last.closeOnceSent(PATIENCE_NS);
        assertThat(client.message()).isEqualTo(new Message.Seal(1, large));
        assertThat(client.end()).isEqualTo("closed by the other side");
    }

    @Test
    void lastWordsThatNobodyTakesInShouldNotKeepTheConnection() throws Exception {
        ControlServer ours = listen(null);
        try (Socket deaf = new Socket(ours.address().getAddress(), ours.address().getPort())) {
            byte[] present = Json.bytes(new Message.Present());
            DataOutputStream out = new DataOutputStream(deaf.getOutputStream());
            FrameKey key =
                    Recognition.asCaller(deaf.getInputStream(), out, PASS, "it").fromCaller();
            out.writeInt(present.length);
            out.write(key.sign(present));
            out.write(present);
            assertThat(server.message()).isNotNull();
            server.last.send(new Message.Seal(1, "x".repeat(30 << 20)));
            server.last.closeOnceSent(50_000_000);
            assertThat(server.end()).isEqualTo("closed here");
        }
    }

    @Test
    void shouldRefuseAStrangerWithASentenceOnBothSides() {
        ControlServer ours = listen(Who.ONE);
        assertThatThrownBy(() -> connect(ours, Who.STRANGER))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("was refused: its certificate, one, is of another cluster's");
        // A reset may overtake the alert: then the server knows only that the handshake ended.
        assertThat(server.end())
                .containsAnyOf(
                        "refused this machine's certificate",
                        "ended the connection in the TLS handshake");
    }

    @Test
    void shouldRefuseACallerWhoTrustsEverybodyButIsAStranger() throws Exception {
        ControlServer ours = listen(Who.ONE);
        try (Socket caller = trustingSocket(ours)) {
            assertThatThrownBy(() -> caller.getInputStream().read())
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("bad_certificate");
        }
        assertThat(server.end()).endsWith("was refused: it showed no certificate");
    }

    @Test
    void shouldSayThatACertificateIsOutOfDate() {
        ControlServer ours = listen(Who.ONE);
        assertThatThrownBy(() -> connect(ours, Who.OUT_OF_DATE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("refused this machine's certificate", "out of date");
        assertThat(server.end()).contains("was refused: its certificate, late, was valid until 20");
        assertThatThrownBy(() -> connect(ours, Who.TOO_EARLY))
                .hasMessageContaining("refused this machine's certificate");
        assertThat(server.end()).contains("early, is not valid before", "clock");
    }

    @Test
    void shouldTellAPlainCallerThatThisPortSpeaksTls() {
        ControlServer ours = listen(Who.ONE);
        assertThatThrownBy(() -> connect(ours, null))
                .hasMessageContaining("the other side speaks TLS only")
                .hasMessageContaining("credentials");
        assertThat(server.end()).contains("speaks no TLS");
    }

    @Test
    void shouldTellASecuredCallerThatThisPortSpeaksNoTls() {
        ControlServer plain = listen(null);
        assertThatThrownBy(() -> connect(plain, Who.ONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("speaks no TLS");
        assertThat(server.end()).contains("the other side speaks TLS, and this one does not");
    }

    @Test
    void shouldServeOthersWhileSomeAreSilent() throws Exception {
        ControlServer ours = listen(Who.ONE);
        for (int i = 0; i < 10; i++) {
            Socket silent = new Socket();
            silent.connect(ours.address());
            open.add(silent);
        }
        connect(ours, Who.OTHER).send(new Message.Alive(1));
        assertThat(server.message()).isEqualTo(new Message.Alive(1));
    }

    /** More than have places: each that comes takes that of the eldest. */
    @ParameterizedTest
    @NullSource
    @EnumSource(names = "ONE")
    void shouldServeWhoKnowsTheSecretWhileACrowdDoesNot(@Nullable Who who) throws Exception {
        ControlServer ours = listen(who);
        int before = Thread.activeCount();
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            Socket stranger = new Socket(ours.address().getAddress(), ours.address().getPort());
            open.add(stranger);
            crowd.add(stranger);
            if (i % 2 == 0) {
                say64MiB(stranger);
            }
        }
        assertThat(crowd.get(1).getInputStream().read()).as("the eldest had to leave").isNegative();
        connect(ours, who == null ? null : Who.OTHER).send(new Message.Alive(1));
        assertThat(server.message()).isEqualTo(new Message.Alive(1));
        assertThat(Thread.activeCount() - before).isLessThan(300);
    }

    private static void say64MiB(Socket stranger) {
        try {
            stranger.getOutputStream().write(new byte[] {4, 0, 0, 0, '{'});
        } catch (IOException hungUp) {
            // As it deserves.
        }
    }

    /** As of an old command, or one that wants to be trusted. */
    @Test
    void shouldEndAConnectionWhoseFramesSomebodyChanges() throws Exception {
        ControlServer ours = listen(null);
        InetSocketAddress to = ours.address();
        try (Socket caller = new Socket(to.getAddress(), to.getPort())) {
            DataOutputStream out = new DataOutputStream(caller.getOutputStream());
            FrameKey key =
                    Recognition.asCaller(caller.getInputStream(), out, PASS, "it").fromCaller();
            byte[] json = Json.bytes(new Message.Alive(1));
            byte[] signature = key.sign(json);
            json[json.length - 2] = '2';
            out.writeInt(json.length);
            out.write(signature);
            out.write(json);
            assertThat(caller.getInputStream().read()).isNegative();
        }
        assertThat(server.end()).contains("a frame that the other side has not signed");
        assertThat(server.messages).isEmpty();
    }

    @Test
    void shouldGiveUpASilentServerAtTheDeadline() throws Exception {
        try (java.net.ServerSocket silent =
                new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) silent.getLocalSocketAddress();
            assertThatThrownBy(
                            () ->
                                    ControlConnection.connect(
                                            address,
                                            300_000_000L,
                                            Who.ONE.credentials(),
                                            PASS,
                                            client))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("did not finish the TLS handshake within 0.3 s");
        }
    }

    @Test
    void shouldNotSpeakPlainBeyondLoopback() {
        InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
        assertThatThrownBy(() -> ControlServer.listen(everywhere, null, List.of(PASS), server))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("0.0.0.0:0 credentials are needed");
        InetSocketAddress far = new InetSocketAddress("192.0.2.1", 7077);
        assertThatThrownBy(() -> ControlConnection.connect(far, PATIENCE_NS, PASS, client))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("192.0.2.1:7077 credentials are needed");
    }

    @Test
    void shouldSayThatAPortIsTaken() {
        ControlServer first = listen(Who.ONE);
        assertThatThrownBy(() -> ControlServer.listen(first.address(), null, List.of(PASS), server))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "cannot listen on", String.valueOf(first.address().getPort()));
    }

    /** A TLS client without a certificate that takes whatever the server shows. */
    private static SSLSocket trustingSocket(ControlServer to) throws Exception {
        TrustManager[] everybody = {
            new X509TrustManager() {
                @Override
                public void checkClientTrusted(
                        java.security.cert.X509Certificate[] chain, String type) {}

                @Override
                public void checkServerTrusted(
                        java.security.cert.X509Certificate[] chain, String type) {}

                @Override
                public java.security.cert.X509Certificate[] getAcceptedIssuers() {
                    return new java.security.cert.X509Certificate[0];
                }
            }
        };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, everybody, null);
        return (SSLSocket)
                context.getSocketFactory()
                        .createSocket(to.address().getAddress(), to.address().getPort());
    }

    /** What one side hears. */
    private static final class Heard implements ControlConnection.Handler {
        private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        volatile @Nullable ControlConnection last;

        @Override
        public void received(ControlConnection from, Message message) {
            last = from;
            messages.add(message);
        }

        @Override
        public void closed(ControlConnection connection, String why) {
            ends.add(why);
        }

        @Nullable Message message() throws InterruptedException {
            return messages.poll(20, TimeUnit.SECONDS);
        }

        String end() {
            try {
                return String.valueOf(ends.poll(20, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
