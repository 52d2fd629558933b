package dev.medley.hub.http;

import dev.medley.base.Json;
import dev.medley.base.text.DidYouMean;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the body of a request into a record, and says what is wrong with it in its words. */
final class BodyReader {
    private BodyReader() {}

    /**
     * The body as a value of the type of {@code defaults}, whose parts stand where it has none.
     *
     * @throws Refusal if it is no JSON, has a field that is not known, or a value of another kind
     */
    static Object read(byte[] body, Object defaults) {
        JsonNode given = tree(body);
        ObjectNode whole = (ObjectNode) Json.tree(defaults);
        if (!(given instanceof ObjectNode fields)) {
            throw new Refusal(
                    400,
                    "the body is no JSON object: it has the fields "
                            + String.join(", ", new TreeSet<>(whole.propertyNames())));
        }
        merge("", fields, whole);
        try {
            return Json.bindWhole(whole, defaults.getClass());
        } catch (JacksonException e) {
            throw new Refusal(400, "the body cannot be used: " + said(e));
        }
    }

    private static JsonNode tree(byte[] body) {
        if (body.length == 0) {
            throw new Refusal(400, "the request has no body: send a JSON object");
        }
        try {
            return Json.parseWhole(body, JsonNode.class);
        } catch (JacksonException e) {
            throw new Refusal(400, "the body is no JSON: " + said(e));
        }
    }

    private static void merge(String path, ObjectNode given, ObjectNode whole) {
        given.forEachEntry(
                (name, value) -> {
                    JsonNode usual = whole.get(name);
                    if (usual == null) {
                        throw unknown(path + name, name, whole);
                    }
                    if (usual instanceof ObjectNode inner && value instanceof ObjectNode fields) {
                        merge(path + name + ".", fields, inner);
                    } else {
                        whole.set(name, value);
                    }
                });
    }

    private static Refusal unknown(String path, String name, ObjectNode whole) {
        TreeSet<String> known = new TreeSet<>(whole.propertyNames());
        Optional<String> meant = DidYouMean.of(name, known);
        return new Refusal(
                400,
                "there is no field '%s'%s"
                        .formatted(
                                path,
                                meant.map(word -> ": did you mean '" + word + "'?")
                                        .orElse(": known are " + String.join(", ", known))));
    }

    /** The first line, without what Jackson says of its own classes. */
    private static String said(JacksonException e) {
        String where = JsonPath.of(e);
        String all = e.getOriginalMessage().lines().findFirst().orElse("");
        String plain =
                all.replaceAll("`?(dev\\.medley|tools\\.jackson|java)\\.[\\w.$]+`?", "a value");
        String ours =
                plain.replaceAll("( \\([^()]*|: enable )`(Json|Coercion|Stream)\\w+.*", "")
                        .replaceAll(" \\((token|but could|from).*", "")
                        .replace("a value, problem: a value", "it: something in it is null");
        return where.isEmpty() ? ours : where + ": " + ours;
    }

    /** Says at which field an error is. */
    private static final class JsonPath {
        private JsonPath() {}

        static String of(JacksonException e) {
            StringBuilder path = new StringBuilder();
            for (JacksonException.Reference each : e.getPath()) {
                String name = each.getPropertyName();
                path.append(path.isEmpty() || name == null ? "" : ".")
                        .append(name == null ? "[" + each.getIndex() + "]" : name);
            }
            return path.toString();
        }
    }
}
