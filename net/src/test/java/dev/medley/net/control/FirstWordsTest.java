package dev.medley.net.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.net.door.FrameKey;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.Recognition;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What another build says first is heard, so that it can be told that it is another. */
@Tag("unit")
@Timeout(600)
class FirstWordsTest {
    private static final JoinSecret PASS = JoinSecret.ofRun("secret");

    private final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();

    @Test
    void shouldHearAnOfferThatHasMoreAndLess() throws Exception {
        say(
                "{'type': 'Offer', 'version': '9.9', 'name': 'n1', 'gpus': [1, 2],"
                        + " 'machine': {'cores': null}}");
        assertThat(heard.poll(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Message.Offer.class,
                        offer -> {
                            assertThat(offer.version()).isEqualTo("9.9");
                            assertThat(offer.name()).isEqualTo("n1");
                            assertThat(offer.site()).isEmpty();
                            assertThat(offer.wallMillis()).isZero();
                            assertThat(offer.machine().get("cores").isNull()).isTrue();
                        });
    }

    @Test
    void shouldHearAHelloThatHasMoreAndLess() throws Exception {
        say("{'type': 'Hello', 'version': '9.9', 'launch': 3, 'since': {'when': 1}}");
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new Message.Hello("9.9", "", 3, 0));
    }

    @Test
    void shouldHearAWelcomeAsItWasSaid() {
        Message.Welcome welcome =
                new Message.Welcome(
                        new WorkerId(1),
                        2,
                        3,
                        TrialScope.LEVEL,
                        "survey",
                        Json.tree(Map.of("a", "b")));
        assertThat(Json.parseLeniently(Json.bytes(welcome), Message.class)).isEqualTo(welcome);
    }

    /** By then both sides know that they are of one build. */
    @Test
    void shouldTakeNothingUnknownLater() throws Exception {
        say("{'type': 'Present'}", "{'type': 'Alive', 'step': 1, 'mood': 'good'}");
        assertThat(ended.poll(30, TimeUnit.SECONDS))
                .startsWith("broken: malformed message")
                .contains("mood");
        assertThat(heard).containsExactly(new Message.Present());
    }

    private void say(String... messages) throws IOException {
        try (ControlServer server = ControlServer.onLoopback(PASS, new Listener());
                Socket socket =
                        new Socket(server.address().getAddress(), server.address().getPort())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            FrameKey key =
                    Recognition.asCaller(socket.getInputStream(), out, PASS, "it").fromCaller();
            for (String message : messages) {
                byte[] json = message.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
                out.writeInt(json.length);
                out.write(key.sign(json));
                out.write(json);
            }
            out.flush();
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }

    private final class Listener implements ControlConnection.Handler {
        @Override
        public void received(ControlConnection from, Message message) {
            heard.add(message);
        }

        @Override
        public void closed(ControlConnection connection, String why) {
            ended.add(why);
        }
    }
}
