package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the objects of a JSON file one by one: a list of them, or one after another. A number keeps
 * all digits that it is written with, which a binary number would not; what is nested stays JSON.
 */
final class JsonObjects {
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private JsonObjects() {}

    /** Takes an object: its values by name, as texts. */
    interface Taker {
        void object(Map<String, @Nullable String> values) throws IOException;
    }

    /** The names that any object has, in their order. */
    static Set<String> names(Path file) throws IOException {
        Set<String> names = new TreeSet<>();
        read(file, values -> names.addAll(values.keySet()));
        return names;
    }

    /** Gives each object to {@code taker}. */
    static void read(Path file, Taker taker) throws IOException {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
                InputStream plain =
                        file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
                JsonParser parser = JSON.createParser(ObjectReadContext.empty(), plain)) {
            boolean isInList = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    taker.object(object(parser));
                } else if (token == JsonToken.START_ARRAY && !isInList) {
                    isInList = true;
                } else if (token == JsonToken.END_ARRAY) {
                    isInList = false;
                } else {
                    throw new ConfigException(
                            ("%s: has a value that is no object in line %d: each row is one, such"
                                            + " as {\"id\": 1}")
                                    .formatted(file, parser.currentTokenLocation().getLineNr()));
                }
            }
        } catch (JacksonException e) {
            throw new ConfigException(
                    "%s: cannot be read: %s (line %d)"
                            .formatted(
                                    file,
                                    e.getOriginalMessage(),
                                    e.getLocation() == null ? 0 : e.getLocation().getLineNr()),
                    e);
        }
    }

    private static Map<String, @Nullable String> object(JsonParser parser) {
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                values.put(name, null);
            } else if (token.isScalarValue()) {
                values.put(name, parser.getString());
            } else {
                values.put(name, nested(parser));
            }
        }
        return values;
    }

    private static String nested(JsonParser parser) {
        StringWriter text = new StringWriter();
        int depth = 0;
        try (JsonGenerator to = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            JsonToken token = parser.currentToken();
            while (true) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                copy(parser, token, to);
                if (depth == 0) {
                    break;
                }
                token = parser.nextToken();
            }
        }
        return text.toString();
    }

    private static void copy(JsonParser parser, JsonToken token, JsonGenerator to) {
        if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
            to.writeNumber(parser.getString());
        } else {
            to.copyCurrentEvent(parser);
        }
    }
}
