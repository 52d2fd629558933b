package dev.medley.tenant.audit;

import dev.medley.base.Json;
import dev.medley.base.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Writes an entry as a line, and reads it. The line is one JSON object of ASCII characters: the
 * members of an entry in one order, without spaces, last {@code hash}, the SHA-256 of all bytes
 * before {@code ,"hash"}. Whatever is not a printable ASCII character is {@code \}{@code uXXXX}, so
 * that no text of a stranger can begin a line or move a cursor; long texts are cut.
 */
final class AuditLine {
    /** No line is longer. */
    static final int MOST_BYTES = 16 << 10;

    /** Of which the first entry is the successor. */
    static final String ZEROS = "0".repeat(64);

    private static final int MOST_CHARACTERS = 200;
    private static final String HASH = ",\"hash\":\"";
    private static final int END_BYTES = HASH.length() + 64 + 2;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private AuditLine() {}

    /**
     * A line that was read.
     *
     * @param hash of it
     */
    record Read(AuditEntry entry, String hash) {}

    /** A line with its end. */
    record Written(String text, String hash) {
        byte[] bytes() {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }

    static Written write(AuditEntry entry) {
        StringBuilder line = new StringBuilder(512);
        line.append("{\"number\":").append(entry.number());
        member(line, "time", TIME.format(Instant.ofEpochMilli(entry.atMs())));
        member(line, "kind", entry.kind().word());
        line.append(",\"of\":").append(entry.of());
        member(line, "caller", entry.ask().caller());
        member(line, "action", entry.ask().action());
        member(line, "table", entry.ask().table());
        member(line, "decision", entry.kind().decision());
        member(line, "why", entry.why());
        member(line, "policy", entry.ask().policy());
        line.append(",\"rows\":").append(entry.rows());
        line.append(",\"bytes\":").append(entry.bytes());
        member(line, "outcome", entry.outcome());
        member(line, "previous", entry.previous());
        String hash = Sha256.hex(line.toString());
        line.append(HASH).append(hash).append("\"}\n");
        return new Written(line.toString(), hash);
    }

    private static void member(StringBuilder line, String name, String text) {
        line.append(",\"").append(name).append("\":\"");
        escape(line, text);
        line.append('"');
    }

    /** In printable ASCII, cut where it is long. */
    static void escape(StringBuilder line, String text) {
        int most = Math.min(text.length(), MOST_CHARACTERS);
        for (int i = 0; i < most; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        if (text.length() > most) {
            line.append("... and ").append(text.length() - most).append(" more");
        }
    }

    /** The entry in a line without its end; null if it is none, or was changed. */
    static @Nullable Read read(byte[] line) {
        int hashed = line.length - END_BYTES;
        if (hashed <= 0) {
            return null;
        }
        String hash = Sha256.hex(Arrays.copyOf(line, hashed));
        String end = HASH + hash + "\"}";
        if (!new String(line, hashed, END_BYTES, StandardCharsets.ISO_8859_1).equals(end)) {
            return null;
        }
        try {
            return new Read(entry(Json.parse(line, JsonNode.class)), hash);
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            return null; // Its hash is right, and it is not ours.
        }
    }

    private static AuditEntry entry(JsonNode line) {
        return new AuditEntry(
                line.path("number").asLong(),
                Instant.parse(text(line, "time")).toEpochMilli(),
                AuditKind.valueOf(text(line, "kind").toUpperCase(Locale.ROOT)),
                line.path("of").asLong(),
                new AuditAsk(
                        text(line, "caller"),
                        text(line, "action"),
                        text(line, "table"),
                        text(line, "policy")),
                text(line, "why"),
                line.path("rows").asLong(),
                line.path("bytes").asLong(),
                text(line, "outcome"),
                text(line, "previous"));
    }

    private static String text(JsonNode line, String name) {
        return line.path(name).asString("");
    }
}
