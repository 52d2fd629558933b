package dev.medley.serving.protocol;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Reads requests in JSON. With binary tensors the JSON comes first, and then the bytes of each
 * input that says how many it has, in order.
 */
public final class RequestJson {
    /** Where a message of the parser quotes a piece of the body. */
    private static final Pattern QUOTED =
            Pattern.compile("(Unrecognized token|Numeric value) (?:'[^']*'|\\([^)]*\\))");

    private static final int MOST_PARTS = 10_000;

    /** Reads JSON of callers: no deep nesting, no endless numbers or texts, no key twice. */
    static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(32)
                                    .maxNumberLength(400)
                                    .maxStringLength(20_000_000)
                                    .maxNameLength(1000)
                                    .build())
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build();

    private final JsonParser parser;
    private final ByteBuffer raw;
    private final List<Draft> drafts = new ArrayList<>();
    private final List<InferRequest.Asked> outputs = new ArrayList<>();
    private Parameters parameters = Parameters.NONE;
    private String id = "";

    /** An input under way. */
    private static final class Draft {
        private @Nullable String name;
        private @Nullable String type;
        private @Nullable List<Long> shape;
        private @Nullable JsonArray data;
        private Parameters parameters = Parameters.NONE;
    }

    private RequestJson(JsonParser parser, ByteBuffer raw) {
        this.parser = parser;
        this.raw = raw;
    }

    /**
     * Reads a request.
     *
     * @param body JSON, and behind it the bytes of binary inputs
     * @param jsonBytes how much of it is JSON
     * @throws ServingFailure if it is none
     */
    public static InferRequest read(byte[] body, int jsonBytes) {
        check(
                jsonBytes >= 0 && jsonBytes <= body.length,
                "the header Inference-Header-Content-Length says %d bytes, and the body has %d",
                jsonBytes,
                body.length);
        ByteBuffer raw = ByteBuffer.wrap(body, jsonBytes, body.length - jsonBytes).slice();
        try (JsonParser parser =
                FACTORY.createParser(ObjectReadContext.empty(), body, 0, jsonBytes)) {
            return new RequestJson(parser, raw).read();
        } catch (JacksonException e) {
            throw notJson(e);
        }
    }

    /**
     * Refuses a body of JSON in which an object has a key twice.
     *
     * @throws ServingFailure if it has, or is no JSON
     */
    public static void requireKeysOnce(byte[] body) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), body)) {
            JsonToken token = parser.nextToken();
            while (token != null) {
                token = parser.nextToken();
            }
        } catch (JacksonException e) {
            throw notJson(e);
        }
    }

    /** In words, without a piece of the body. */
    static ServingFailure notJson(JacksonException e) {
        return ServingFailure.invalid(
                "the body is not JSON as it should be: line %d, column %d: %s",
                e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                e.getLocation() == null ? 0 : e.getLocation().getColumnNr(),
                QUOTED.matcher(
                                String.valueOf(e.getOriginalMessage())
                                        .lines()
                                        .findFirst()
                                        .orElse(""))
                        .replaceAll("$1"));
    }

    private InferRequest read() {
        check(
                parser.nextToken() == JsonToken.START_OBJECT,
                "the body is no JSON object; it begins with { and has \"inputs\"");
        boolean hasInputs = false;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            parser.nextToken();
            switch (key) {
                case "id" -> id = text("id");
                case "inputs" -> {
                    hasInputs = true;
                    each("inputs", this::input);
                }
                case "outputs" -> each("outputs", this::output);
                case "parameters" -> parameters = Parameters.read(parser, "parameters");
                case "model_name", "model_version" -> parser.skipChildren(); // Of kserve's client.
                default ->
                        throw ServingFailure.invalid(
                                "there is no key '%s' in a request; there are id, parameters,"
                                        + " inputs and outputs",
                                key.length() > 60 ? key.substring(0, 60) : key);
            }
        }
        check(parser.nextToken() == null, "there is more behind the request's last }");
        check(hasInputs, "the request has no \"inputs\"");
        List<WireTensor> inputs = new ArrayList<>();
        for (Draft draft : drafts) {
            inputs.add(tensor(draft));
        }
        check(
                !raw.hasRemaining(),
                "%d bytes are left behind the binary inputs: their binary_data_size says less",
                raw.remaining());
        boolean isBinary = parameters.flag("binary_data_output");
        return new InferRequest(id, inputs, outputs(isBinary), isBinary);
    }

    private List<InferRequest.Asked> outputs(boolean isBinary) {
        return outputs.stream()
                .map(o -> new InferRequest.Asked(o.name(), o.isBinary() || isBinary, o.classes()))
                .toList();
    }

    private interface Part {
        void read();
    }

    private void each(String where, Part part) {
        check(
                parser.currentToken() == JsonToken.START_ARRAY,
                "\"%s\" is a list, in [ and ]",
                where);
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            check(
                    parser.currentToken() == JsonToken.START_OBJECT,
                    "\"%s\" holds objects, in { and }",
                    where);
            check(++count <= MOST_PARTS, "\"%s\" has more than %d", where, MOST_PARTS);
            part.read();
        }
    }

    private void input() {
        Draft draft = new Draft();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            parser.nextToken();
            switch (key) {
                case "name" -> draft.name = text("name");
                case "datatype" -> draft.type = text("datatype");
                case "shape" -> draft.shape = shape();
                case "parameters" ->
                        draft.parameters = Parameters.read(parser, "an input's parameters");
                case "data" -> {
                    String name = draft.name == null ? "" + drafts.size() : draft.name;
                    check(
                            parser.currentToken() == JsonToken.START_ARRAY,
                            "input '%s': data is a list, in [ and ]",
                            name);
                    draft.data = JsonArray.read(parser, name);
                }
                default ->
                        throw ServingFailure.invalid(
                                "there is no key '%s' in an input; there are name, shape, datatype,"
                                        + " parameters and data",
                                key.length() > 60 ? key.substring(0, 60) : key);
            }
        }
        drafts.add(draft);
    }

    private void output() {
        String name = null;
        Parameters own = Parameters.NONE;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            parser.nextToken();
            switch (key) {
                case "name" -> name = text("name");
                case "parameters" -> own = Parameters.read(parser, "an output's parameters");
                default ->
                        throw ServingFailure.invalid(
                                "there is no key '%s' in an output; there are name and parameters",
                                key.length() > 60 ? key.substring(0, 60) : key);
            }
        }
        if (name == null) {
            throw ServingFailure.invalid("an output has no name");
        }
        int classes = Math.toIntExact(Math.min(100_000, own.whole("classification", 0)));
        outputs.add(new InferRequest.Asked(name, own.flag("binary_data"), classes));
    }

    private WireTensor tensor(Draft draft) {
        if (draft.name == null) {
            throw ServingFailure.invalid("an input has no name");
        }
        String name = draft.name;
        if (draft.shape == null) {
            throw ServingFailure.invalid("input '%s' has no shape", name);
        }
        if (draft.type == null) {
            throw ServingFailure.invalid("input '%s' has no datatype", name);
        }
        String said = draft.type;
        DataType type =
                DataType.of(said)
                        .orElseThrow(
                                () ->
                                        ServingFailure.invalid(
                                                "input '%s': there is no datatype '%s'; there are"
                                                        + " %s",
                                                name,
                                                said.length() > 60 ? said.substring(0, 60) : said,
                                                String.join(", ", DataType.names())));
        WireTensor.count(name, draft.shape); // Before anything is made of its length.
        long binary = draft.parameters.whole("binary_data_size", -1);
        if (binary >= 0) {
            check(
                    draft.data == null,
                    "input '%s' has data and binary_data_size: one of them",
                    name);
            check(
                    binary <= raw.remaining(),
                    "input '%s': binary_data_size is %d, and %d bytes are left of the body",
                    name,
                    binary,
                    raw.remaining());
            ByteBuffer own = raw.slice(raw.position(), (int) binary);
            raw.position(raw.position() + (int) binary);
            return new WireTensor(name, type, draft.shape, RawValues.read(name, type, own));
        }
        if (draft.data == null) {
            throw ServingFailure.invalid("input '%s' has no data", name);
        }
        Values values = draft.data.values(name, type, draft.shape);
        return new WireTensor(name, type, draft.shape, values);
    }

    private List<Long> shape() {
        check(
                parser.currentToken() == JsonToken.START_ARRAY,
                "a shape is a list of whole numbers, as [1, 4]");
        List<Long> shape = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            check(
                    parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                            && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER,
                    "a shape is a list of whole numbers, as [1, 4]");
            shape.add(parser.getLongValue());
            check(shape.size() <= 16, "a shape has at most 16 dimensions");
        }
        return shape;
    }

    private String text(String key) {
        check(parser.currentToken() == JsonToken.VALUE_STRING, "\"%s\" is a text", key);
        return parser.getString();
    }
}
