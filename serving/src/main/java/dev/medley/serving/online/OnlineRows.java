package dev.medley.serving.online;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.base.Json;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.input.RowTable;
import dev.medley.serving.protocol.Rows;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Holds the rows of a loop's model by their keys, as its last run knew them: one line of JSON a
 * row, behind a first one that says what they are.
 *
 * <p>Thread: any.
 */
public final class OnlineRows {
    private static final double LARGEST_WHOLE = 1L << 53;

    /**
     * Says what the rows are.
     *
     * @param key the column that tells them apart
     * @param asOfMs what was known then is what they say, milliseconds since 1970
     * @param columns that rows have
     */
    public record Header(String key, long asOfMs, List<String> columns) {
        public Header {
            columns = List.copyOf(columns);
        }
    }

    /**
     * Rows that were asked for by key.
     *
     * @param table one row a key, in the order that was asked for
     * @param asOfMs what was known then, milliseconds since 1970
     * @param unknown keys that there are no rows of: all of their values are missing
     */
    public record Found(RowTable table, long asOfMs, List<String> unknown) {
        public Found {
            unknown = List.copyOf(unknown);
        }
    }

    private final Header header;
    private final Map<String, byte[]> rows;

    private OnlineRows(Header header, Map<String, byte[]> rows) {
        this.header = header;
        this.rows = rows;
    }

    /** Reads a file. */
    static OnlineRows read(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            Header header = Json.parse(String.valueOf(lines.readLine()), Header.class);
            Map<String, byte[]> rows = new HashMap<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode row = Json.parse(line, JsonNode.class);
                rows.put(
                        row.path("k").asString(""),
                        row.path("row").toString().getBytes(StandardCharsets.UTF_8));
            }
            return new OnlineRows(header, rows);
        }
    }

    /**
     * Finds rows.
     *
     * @param keys a table with the keys alone
     * @param order names of what the model reads
     * @throws ServingFailure if the model reads columns that rows do not have
     */
    Found find(RowTable keys, List<String> order) {
        List<String> lacking = order.stream().filter(n -> !header.columns().contains(n)).toList();
        if (!lacking.isEmpty()) {
            throw new ServingFailure(
                    Kind.CONFLICT,
                    "rows by key have no column %s, which this version reads: run its loop again"
                            .formatted(String.join(", ", lacking)));
        }
        Map<String, @Nullable Object> nothing = new LinkedHashMap<>();
        order.forEach(column -> nothing.put(column, null));
        byte[] missing = Json.bytes(nothing);
        List<String> unknown = new ArrayList<>();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write('[');
        for (Object[] row : keys.rows()) {
            String key = text(row[0]);
            byte[] found = rows.get(key);
            if (found == null) {
                unknown.add(key);
            }
            if (body.size() > 1) {
                body.write(',');
            }
            body.writeBytes(found == null ? missing : found);
        }
        body.write(']');
        return new Found(Rows.read(body.toByteArray(), order), header.asOfMs(), unknown);
    }

    private static String text(@Nullable Object key) {
        check(key != null, "a key is null: give a text or a whole number");
        if (key instanceof Double number) {
            boolean isWhole = number == Math.rint(number) && Math.abs(number) <= LARGEST_WHOLE;
            check(isWhole, "the key %s is no text and no whole number", number);
            return String.valueOf(number.longValue());
        }
        return String.valueOf(key);
    }
}
