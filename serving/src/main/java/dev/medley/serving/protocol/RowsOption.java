package dev.medley.serving.protocol;

import static dev.medley.serving.ServingFailure.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** Reads what stands beside the rows of a request in JSON. */
public final class RowsOption {
    private RowsOption() {}

    /**
     * The text under a key beside {@code rows} or {@code instances}; null where there is none.
     *
     * @throws dev.medley.serving.ServingFailure if it is no text
     */
    public static @Nullable String text(byte[] body, String key) {
        try (JsonParser parser =
                RequestJson.FACTORY.createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            String found = null;
            boolean hasRows = false;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                hasRows |=
                        value == JsonToken.START_ARRAY
                                && (name.equals("rows") || name.equals("instances"));
                if (name.equals(key)) {
                    check(
                            !hasRows || value == JsonToken.VALUE_STRING,
                            "\"%s\" is a text: the name of an output",
                            key);
                    found = value == JsonToken.VALUE_STRING ? parser.getString() : null;
                }
                parser.skipChildren();
            }
            return hasRows ? found : null;
        } catch (JacksonException e) {
            throw RequestJson.notJson(e);
        }
    }
}
