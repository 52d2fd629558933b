package dev.medley.store.file;

import dev.medley.base.Json;
import dev.medley.base.memory.SpanHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Seals a JSON object for people so that its first property guards the rest. {@code "checksum"} is
 * the XXH64 of the file's own bytes with the 16 digits of the checksum read as zeros. So a flipped
 * byte is found anywhere in it, and any program can check it without a canonical form of JSON.
 */
public final class SealedJson {
    private static final String KEY = "checksum";
    private static final String NOT_YET = "0".repeat(16);
    private static final Pattern START =
            Pattern.compile("\\A\\s*\\{\\s*\"" + KEY + "\"\\s*:\\s*\"(?<hex>[0-9a-f]{16})\"");

    private SealedJson() {}

    /** The object in UTF-8, sealed. It has no property named checksum of its own. */
    public static byte[] seal(JsonNode object) {
        Map<String, Object> sealed = new LinkedHashMap<>();
        sealed.put(KEY, NOT_YET);
        object.properties().forEach(property -> sealed.put(property.getKey(), property.getValue()));
        if (sealed.size() != object.size() + 1) {
            throw new IllegalArgumentException("the object has a property checksum of its own");
        }
        String open = Json.pretty(sealed);
        String hash = hash(open.getBytes(StandardCharsets.UTF_8));
        return open.replaceFirst(NOT_YET, hash).getBytes(StandardCharsets.UTF_8);
    }

    /** Whether {@code json} is as it was sealed. */
    public static boolean isWhole(byte[] json) {
        // Latin-1 keeps one character for each byte, whatever damage there is.
        String text = new String(json, StandardCharsets.ISO_8859_1);
        Matcher start = START.matcher(text);
        if (!start.find()) {
            return false;
        }
        String open =
                text.substring(0, start.start("hex")) + NOT_YET + text.substring(start.end("hex"));
        return hash(open.getBytes(StandardCharsets.ISO_8859_1)).equals(start.group("hex"));
    }

    /** What was sealed. */
    public static ObjectNode content(ObjectNode sealed) {
        ObjectNode content = sealed.deepCopy();
        content.remove(KEY);
        return content;
    }

    private static String hash(byte[] bytes) {
        SpanHash hash = new SpanHash();
        hash.update(ByteBuffer.wrap(bytes));
        return hash.hex();
    }
}
