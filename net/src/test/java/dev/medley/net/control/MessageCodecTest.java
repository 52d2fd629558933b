package dev.medley.net.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Json;
import dev.medley.net.control.MessageCodec.MalformedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Of every type of message: whole, or malformed. New types are here without being named. */
@Tag("unit")
class MessageCodecTest {
    /** All that may be null in any message. */
    private static final Set<String> NULLABLE =
            Set.of(
                    "Offer.job",
                    "Form.view.strategy",
                    "Form.view.plan.continued",
                    "Form.view.plan.route",
                    "Steps.steps.0.noise",
                    "Keep.of.figure",
                    "Kept.of.figure",
                    "Finished.parameterHash");

    @TestFactory
    Stream<DynamicTest> shouldTakeEveryMessageAsItIsWritten() {
        return each(
                message -> {
                    JsonNode written = tree(message);
                    assertThat(tree(decoded(Json.line(written)))).isEqualTo(written);
                });
    }

    @TestFactory
    Stream<DynamicTest> shouldTakeNoMessageThatLacksSomething() {
        return each(
                message -> {
                    for (Place place : places(message)) {
                        if (place.isComponent()) {
                            assertMalformed(place.without(), place + " is missing");
                        }
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> shouldTakeNoNullThatIsNotAnnounced() {
        return each(
                message -> {
                    for (Place place : places(message)) {
                        String json = place.with(null);
                        if (NULLABLE.contains(place.toString()) || place.hasDefault(json)) {
                            assertThat(decoded(json)).isNotNull();
                        } else {
                            assertMalformed(json, place + " is null");
                        }
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> shouldGuessNoValueFromAnother() {
        return each(
                message -> {
                    for (Place place : places(message)) {
                        JsonNode value = place.value();
                        if (value.isNumber()) {
                            assertMalformed(place.with("7"), place + " is a text");
                            assertMalformed(place.with(""), place + " is empty");
                        } else if (value.isString() && !value.equals(SampleMessages.BYTES)) {
                            assertMalformed(place.with(List.of()), place + " is a list");
                        }
                    }
                });
    }

    @Test
    void shouldTakeNoValuesThatCannotBe() {
        for (String frame :
                List.of(
                        "{'type':'Alive','step':-2}",
                        "{'type':'Alive','step':1.5}",
                        "{'type':'Alive','step':true}",
                        "{'type':'Alive','step':99999999999999999999}",
                        "{'type':'Alive','step':1,'step':2}",
                        "{'type':'Alive','step':1} {}",
                        "{'type':'Trying','samples':0}",
                        "{'type':'Fetch','file':'f','offset':-1,'bytes':1}",
                        "{'type':'Fetch','file':'f','offset':1,'bytes':2147483647}",
                        "{'type':'Leaving','why':['x']}",
                        "{'type':'Dismissed','kind':1,'why':'x'}",
                        "{'type':'Hello','version':'\\u001b[2J','job':'','launch':1,"
                                + "'processId':1}",
                        "{'type':'Enlisted','job':'','heartbeatNs':0,'peerTimeoutNs':1}",
                        "{'type':'Nobody'}",
                        "{'step':1}",
                        "[]",
                        "null",
                        "7",
                        "")) {
            assertMalformed(frame.replace('\'', '"'), frame);
        }
        assertMalformed("[".repeat(1 << 20), "very deep");
    }

    private static Stream<DynamicTest> each(Consumer<Message> test) {
        return SampleMessages.all().stream()
                .map(
                        message ->
                                DynamicTest.dynamicTest(
                                        message.getClass().getSimpleName(),
                                        () -> test.accept(message)));
    }

    private static JsonNode tree(Message message) {
        String json = new String(MessageCodec.encode(message), StandardCharsets.UTF_8);
        return Json.parse(json, JsonNode.class);
    }

    private static Message decoded(String json) {
        byte[] frame = json.getBytes(StandardCharsets.UTF_8);
        try {
            Message unused = MessageCodec.decodeFirst(frame);
            return MessageCodec.decode(frame);
        } catch (MalformedException e) {
            throw new AssertionError(json, e);
        }
    }

    private static void assertMalformed(String json, String what) {
        byte[] frame = json.getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> MessageCodec.decode(frame))
                .as("%s: %.200s", what, json)
                .isInstanceOf(MalformedException.class);
        assertThatThrownBy(() -> MessageCodec.decodeFirst(frame))
                .as("first, %s: %.200s", what, json)
                .isInstanceOf(MalformedException.class);
    }

    /**
     * All fields and elements of a message, those of its parts too; not of what may be any JSON.
     */
    private static List<Place> places(Message message) {
        List<Place> all = new ArrayList<>();
        collect(tree(message), new Place(message, List.of()), all);
        all.removeIf(place -> place.path().equals(List.of("type")));
        return all;
    }

    private static void collect(JsonNode node, Place at, List<Place> all) {
        List<?> steps =
                node.isArray()
                        ? IntStream.range(0, node.size()).boxed().toList()
                        : List.copyOf(node.propertyNames());
        for (Object step : steps) {
            Place place = at.then(step);
            if (!step.equals(SampleMessages.ANYTHING)) {
                all.add(place);
                collect(place.value(), place, all);
            }
        }
    }

    /** A field or an element, by its names and indices from the message. */
    private record Place(Message message, List<Object> path) {
        Place then(Object step) {
            return new Place(message, Stream.concat(path.stream(), Stream.of(step)).toList());
        }

        Object last() {
            return path.get(path.size() - 1);
        }

        boolean isComponent() {
            return last() instanceof String name
                    && !name.equals(SampleMessages.KEY)
                    && !name.equals(SampleMessages.NUMBER_KEY);
        }

        JsonNode value() {
            return at(tree(message), path);
        }

        /** Whether something takes the place of a null as soon as it is read. */
        boolean hasDefault(String json) {
            try {
                byte[] frame = json.getBytes(StandardCharsets.UTF_8);
                return !at(tree(MessageCodec.decode(frame)), path).isNull();
            } catch (MalformedException e) {
                return false;
            }
        }

        String without() {
            return changed((in, last) -> ((ObjectNode) in).remove((String) last));
        }

        String with(@Nullable Object value) {
            return changed(
                    (in, last) -> {
                        if (in instanceof ObjectNode object) {
                            object.set((String) last, Json.tree(value));
                        } else {
                            ((ArrayNode) in).set((Integer) last, Json.tree(value));
                        }
                    });
        }

        private String changed(BiConsumer<JsonNode, Object> change) {
            JsonNode root = tree(message);
            change.accept(at(root, path.subList(0, path.size() - 1)), last());
            return Json.line(root);
        }

        private static JsonNode at(JsonNode root, List<Object> path) {
            JsonNode at = root;
            for (Object step : path) {
                at = step instanceof Integer index ? at.get(index) : at.get((String) step);
            }
            return at;
        }

        @Override
        public String toString() {
            String names = String.join(".", path.stream().map(String::valueOf).toList());
            return message.getClass().getSimpleName() + "." + names;
        }
    }
}
