package dev.medley.serving.log;

import dev.medley.base.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of the log: one row of a request.
 *
 * @param time of the request, as ISO 8601 has it
 * @param id of the request
 * @param row of it, from 0
 * @param inputs by column
 * @param outputs by column, as predictions are written
 * @param latency_ms of the request
 * @param error empty where it was answered
 */
record LogRow(
        String time,
        String id,
        int row,
        String caller,
        String model,
        String version,
        Map<String, @Nullable Object> inputs,
        Map<String, @Nullable Object> outputs,
        double latency_ms,
        int status,
        String error) {
    /** Columns of a table of such rows; true for numbers. */
    static final Map<String, Boolean> COLUMNS = columns();

    private static Map<String, Boolean> columns() {
        Map<String, Boolean> columns = new LinkedHashMap<>();
        for (String text : List.of("time", "id")) {
            columns.put(text, false);
        }
        columns.put("row", true);
        for (String text : List.of("caller", "model", "version", "inputs", "outputs")) {
            columns.put(text, false);
        }
        columns.put("latency_ms", true);
        columns.put("status", true);
        columns.put("error", false);
        return columns;
    }

    /** The rows of a request. */
    static List<LogRow> of(LoggedRequest request, Masks masks) {
        List<LogRow> rows = new ArrayList<>();
        LoggedRequest.Who who = request.who();
        for (int row = 0; row < request.rows(); row++) {
            LoggedInputs inputs = request.inputs();
            LoggedRequest.Outputs outputs = request.outputs();
            rows.add(
                    new LogRow(
                            Instant.ofEpochMilli(request.wallMillis()).toString(),
                            who.id(),
                            row,
                            who.caller(),
                            who.model(),
                            who.version(),
                            inputs == null || outputs == null
                                    ? Map.of()
                                    : masks.masked(inputs.row(row)),
                            masks.masked(outputs == null ? Map.of() : outputs.row(row)),
                            request.tookNs() / 1e6,
                            request.status(),
                            request.error()));
        }
        return rows;
    }

    /** The values of {@link #COLUMNS}. */
    Object[] values() {
        return new Object[] {
            time,
            id,
            (double) row,
            caller,
            model,
            version,
            Json.line(inputs),
            Json.line(outputs),
            latency_ms,
            (double) status,
            error
        };
    }
}
