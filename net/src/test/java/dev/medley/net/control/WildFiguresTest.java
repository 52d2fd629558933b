package dev.medley.net.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Json;
import dev.medley.net.control.MessageCodec.MalformedException;
import dev.medley.net.link.RelayedBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Times and bytes of steps that nobody can have measured: the message is refused with them. */
@Tag("unit")
class WildFiguresTest {
    private static final Message STEPS =
            new Message.Steps(
                    1,
                    List.of(new WorkerStep(1, 1, 1, 1, 1, 8, 4, 0, 1, 1, 0, 0, 0, 0, 0, 0, null)),
                    List.of(new LinkBytes(0, 1, 1)),
                    List.of(new RelayedBytes(0, 0, 1)));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "samples",
                "stepNs",
                "exchangeNs",
                "waitingNs",
                "dataNs",
                "residentBytes",
                "bytesSent",
                "bytesReceived"
            })
    void noAmountShouldBeBelowZeroOrTooLargeToAddUp(String name) {
        assertMalformed(with("steps", name, -1));
        assertMalformed(with("steps", name, Long.MIN_VALUE));
        assertMalformed(with("steps", name, Long.MAX_VALUE));
    }

    /** What is left of a step when the rest was taken away from it. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
    void aTimeOfComputingShouldBeALittleBelowZeroAtMost(long wild) throws MalformedException {
        assertMalformed(with("steps", "computeNs", wild));
        assertThat(decode(with("steps", "computeNs", -3))).isInstanceOf(Message.Steps.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
    void bytesOfLinksShouldBeSomeThatCanHaveGoneThere(long wild) {
        assertMalformed(with("links", "sentBytes", wild));
        assertMalformed(with("relayed", "bytes", wild));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
    void numbersOfStepsShouldLeaveRoomToCount(long wild) {
        assertMalformed(with("steps", "step", wild));
        assertMalformed("{\"type\":\"Alive\",\"step\":" + wild + "}");
        assertMalformed(
                "{\"type\":\"Sealed\",\"epoch\":1,\"progress\":{\"step\":"
                        + wild
                        + ",\"evaluated\":false}}");
    }

    private static String with(String list, String name, long value) {
        String json = new String(MessageCodec.encode(STEPS), StandardCharsets.UTF_8);
        ObjectNode tree = Json.parse(json, ObjectNode.class);
        ((ObjectNode) tree.get(list).get(0)).put(name, value);
        return Json.line(tree);
    }

    private static Message decode(String json) throws MalformedException {
        return MessageCodec.decode(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertMalformed(String json) {
        assertThatThrownBy(() -> decode(json)).as(json).isInstanceOf(MalformedException.class);
    }
}
