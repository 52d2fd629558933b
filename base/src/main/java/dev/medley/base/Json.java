package dev.medley.base;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSetter.Value;
import com.fasterxml.jackson.annotation.Nulls;
import java.io.IOException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts values of this project to JSON and back. Records are written component by component. An
 * unknown property is an error, since every reader of our files is of the version that wrote them
 * or says that it is not; {@link #parseLeniently} is for what has to be read to find that out.
 */
public final class Json {
    private static final int LARGEST_BYTES = 256 << 20;

    /**
     * Only the components of a record are written, not its questions such as {@code isOnOneHost()}.
     */
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .changeDefaultVisibility(v -> v.withIsGetterVisibility(Visibility.NONE))
                    .build();

    private static final ObjectMapper LENIENT =
            MAPPER.rebuild()
                    .disable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .withConfigOverride(
                            String.class,
                            text -> text.setNullHandling(Value.forValueNulls(Nulls.AS_EMPTY)))
                    .build();

    /** For values of another process: nothing may be missing, and no value is guessed. */
    private static final ObjectMapper EXACT =
            MAPPER.rebuild()
                    .enable(
                            DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                            DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                    .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                    .build();

    private Json() {}

    /** One line of JSON. */
    public static String line(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** Indented JSON for people. */
    public static String pretty(Object value) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
    }

    /** JSON in UTF-8. */
    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /** The value in {@code json}; a {@link JacksonException} says where it is not one. */
    public static <T> T parse(String json, Class<T> type) {
        return MAPPER.readValue(json, type);
    }

    /** The value in UTF-8 {@code json}; a {@link JacksonException} says where it is not one. */
    public static <T> T parse(byte[] json, Class<T> type) {
        return MAPPER.readValue(json, type);
    }

    /**
     * The value in UTF-8 {@code json} that another process wrote: every component of a record is
     * there, and null only where its type says {@link org.jspecify.annotations.Nullable}, also in
     * lists and maps; no number is taken from a text, and none is cut to fit. A {@link
     * JacksonException} says what is not so.
     */
    public static <T> T parseWhole(byte[] json, Class<T> type) {
        return NullCheck.requireNone(EXACT.readValue(json, type));
    }

    /** The same from a tree, which is a part of what another process wrote. */
    public static <T> T bindWhole(JsonNode tree, Class<T> type) {
        return NullCheck.requireNone(EXACT.treeToValue(tree, type));
    }

    /**
     * What another build may have written: properties that are unknown here are passed over; text
     * that is missing is empty, a number 0, a flag false; anything else must be there.
     */
    public static <T> T parseLeniently(byte[] json, Class<T> type) {
        return NullCheck.requireNone(LENIENT.readValue(json, type));
    }

    /** The value in a file. A file that does not hold one is the user's error, with its name. */
    public static <T> T read(Path file, Class<T> type) throws IOException {
        byte[] json = NamedFile.bytes(file, LARGEST_BYTES);
        try {
            return MAPPER.readValue(json, type);
        } catch (JacksonException e) {
            throw new ConfigException(
                    place(file, e) + ": not the JSON that was expected: " + said(e), e);
        }
    }

    /** With line and column, as far as they are known. */
    private static String place(Path file, JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        return at == null || at.getLineNr() < 1
                ? file.toString()
                : "%s:%d:%d".formatted(file, at.getLineNr(), at.getColumnNr());
    }

    /** Without what Jackson says of its own settings. */
    private static String said(JacksonException e) {
        String all = e.getOriginalMessage();
        int more = all.indexOf(" (start marker");
        return more < 0 ? all : all.substring(0, more);
    }

    /** A tree, for callers that look before they bind. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** Binds a tree to a type. */
    public static <T> T bind(JsonNode tree, Class<T> type) {
        return MAPPER.treeToValue(tree, type);
    }
}
