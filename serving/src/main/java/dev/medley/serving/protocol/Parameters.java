package dev.medley.serving.protocol;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.serving.ServingFailure;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Holds the parameters of a request, an input or an output: texts, whole numbers and flags by name.
 * What is nested is passed over, and so are numbers that are not whole.
 */
record Parameters(Map<String, Object> values) {
    static final Parameters NONE = new Parameters(Map.of());

    private static final int MOST = 10_000;

    /** Reads the object at which {@code parser} is. */
    static Parameters read(JsonParser parser, String where) {
        check(
                parser.currentToken() == JsonToken.START_OBJECT,
                "%s is an object, in { and }",
                where);
        Map<String, Object> all = new HashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_STRING) {
                all.put(key, parser.getString());
            } else if (token == JsonToken.VALUE_NUMBER_INT
                    && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
                all.put(key, parser.getLongValue());
            } else if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
                all.put(key, token == JsonToken.VALUE_TRUE);
            } else if (token == JsonToken.START_ARRAY || token == JsonToken.START_OBJECT) {
                parser.skipChildren();
            }
            check(all.size() <= MOST, "%s has too many keys", where);
        }
        return new Parameters(all);
    }

    /** Whether a flag is set; false where it is not there. */
    boolean flag(String key) {
        Object value = values.get(key);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw ServingFailure.invalid("parameter %s is true or false, and not %s", key, value);
    }

    /** A whole number of 0 or more. */
    long whole(String key, long otherwise) {
        Object value = values.get(key);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Long number && number >= 0) {
            return number;
        }
        throw ServingFailure.invalid("parameter %s is a whole number, and not %s", key, value);
    }
}
