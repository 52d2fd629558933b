package dev.medley.serving.http;

import static dev.medley.serving.ServingFailure.check;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.medley.base.Json;
import dev.medley.data.dataset.PredictionRows;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.http.InferService.Asked;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.input.RowTable;
import dev.medley.serving.log.LoggedInputs;
import dev.medley.serving.observe.RequestEnds.Given;
import dev.medley.serving.online.OnlineFiles;
import dev.medley.serving.online.OnlineRows;
import dev.medley.serving.protocol.CsvBody;
import dev.medley.serving.protocol.Rows;
import dev.medley.serving.rows.FileRows;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and answers rows as people write them, in JSON, JSON lines or CSV. */
final class RowsWay implements InferService.Way, AutoCloseable {
    /** What a value of CSV takes, or so. */
    private static final long BYTES_A_CELL = 4;

    private final FileRows files = new FileRows();
    private final OnlineFiles online = new OnlineFiles();

    /** How rows come and go. */
    private enum Form {
        JSON,
        LINES,
        CSV;

        static Form of(@Nullable MediaType type) {
            String said = type == null ? "" : type.subtype();
            if (said.equals("csv")) {
                return CSV;
            }
            return said.contains("ndjson") || said.contains("jsonl") ? LINES : JSON;
        }
    }

    /** The answers of a model, with names of their columns. */
    private record Table(List<String> columns, List<Object[]> rows) {}

    @Override
    public boolean isQuick(ServedModel model) {
        return model.reader().isQuick()
                && !FileRows.areFor(model.model().encoding())
                && !online.areFor(model.model().folder());
    }

    @Override
    public Asked read(ServedModel model, AggregatedHttpRequest request) {
        Form form = Form.of(request.contentType());
        byte[] body = Ways.body(request);
        if (FileRows.areFor(model.model().encoding())) {
            return grouped(
                    model,
                    form,
                    body,
                    (computed, found) ->
                            written(model, form, together(model, computed, found.rows())));
        }
        RowTable table =
                form == Form.CSV
                        ? CsvBody.read(new String(body, StandardCharsets.UTF_8), delimiter(model))
                        : Rows.read(body, Ways.names(model));
        Optional<OnlineRows.Found> found =
                online.find(model.model().folder(), table, Ways.names(model));
        if (found.isPresent()) {
            check(form == Form.JSON, "rows by key alone are asked for in JSON");
            return byKey(model, found.get());
        }
        EncodedRows rows = model.reader().rows(table);
        return new Asked(
                new Given(rows, new LoggedInputs.OfTable(table)),
                computed -> written(model, form, each(model, computed, rows)));
    }

    /**
     * Rows that the model's loop knows: the answer says as of when, and which keys it knows not.
     */
    private static Asked byKey(ServedModel model, OnlineRows.Found found) {
        EncodedRows rows = model.reader().rows(found.table());
        return new Asked(
                new Given(rows, new LoggedInputs.OfTable(found.table())),
                computed -> {
                    Map<String, Object> all = whole(model, each(model, computed, rows));
                    all.put("as_of", Instant.ofEpochMilli(found.asOfMs()).toString());
                    all.put("unknown_keys", found.unknown());
                    return Answers.json(all);
                });
    }

    /** Version 1, whose instances of series and sequences are rows of them, too. */
    InferService.Way instances() {
        return new InferService.Way() {
            @Override
            public boolean isQuick(ServedModel model) {
                return RowsWay.this.isQuick(model);
            }

            @Override
            public Asked read(ServedModel model, AggregatedHttpRequest request) {
                return FileRows.areFor(model.model().encoding())
                        ? grouped(
                                model,
                                Form.JSON,
                                request.content().array(),
                                (computed, found) ->
                                        Answers.json(
                                                Map.of(
                                                        "predictions",
                                                        objects(
                                                                together(
                                                                        model,
                                                                        computed,
                                                                        found.rows())))))
                        : Ways.first(model, request);
            }
        };
    }

    private interface GroupWriter {
        HttpResponse write(Computed computed, FileRows.Found found);
    }

    /** Rows of which several make a sample. */
    private Asked grouped(ServedModel model, Form form, byte[] body, GroupWriter writer) {
        boolean isCsv = form == Form.CSV;
        RowTable table = isCsv ? null : Rows.read(body, List.of());
        FileRows.Found found =
                table == null ? files.csv(model.model(), body) : files.rows(model.model(), table);
        LoggedInputs logged =
                new LoggedInputs.OfGroups(
                        () ->
                                table != null
                                        ? table
                                        : CsvBody.read(
                                                new String(body, StandardCharsets.UTF_8),
                                                delimiter(model)),
                        table == null
                                ? body.length / BYTES_A_CELL
                                : (long) table.rows().size() * table.columns().size(),
                        FileRows.by(model.model().encoding()),
                        found.names());
        return new Asked(
                new Given(found.samples(), logged), computed -> writer.write(computed, found));
    }

    @Override
    public void close() {
        files.close();
    }

    static char delimiter(ServedModel model) {
        return model.model().encoding() instanceof TableEncoding table
                        && table.csv() != null
                        && table.csv().delimiter().length() == 1
                ? table.csv().delimiter().charAt(0)
                : ',';
    }

    private static Table each(ServedModel model, Computed found, EncodedRows rows) {
        List<Object[]> all = new ArrayList<>();
        for (int row = 0; row < rows.rows(); row++) {
            all.add(model.answers().row(model.answers().prediction(found, row)));
        }
        return new Table(List.copyOf(model.answers().columns().keySet()), all);
    }

    /** With what tells series and sequences apart, and the times of forecasts. */
    private static Table together(ServedModel model, Computed found, PredictionRows rows) {
        List<Object[]> all = new ArrayList<>();
        int samples = found.outputs().length / Math.max(1, found.width());
        for (int sample = 0; sample < samples; sample++) {
            Object[] values = model.answers().row(model.answers().prediction(found, sample));
            for (Object[] numbers : rows.numbers(sample, values)) {
                List<Object> whole = new ArrayList<>(rows.texts().get(all.size()));
                whole.addAll(List.of(numbers));
                all.add(whole.toArray());
            }
        }
        return new Table(rows.columns(model.answers().columns().keySet()), all);
    }

    private static HttpResponse written(ServedModel model, Form form, Table table) {
        return switch (form) {
            case CSV -> whole(MediaType.CSV_UTF_8, csv(table));
            case LINES -> whole(MediaType.create("application", "x-ndjson"), lines(table));
            case JSON -> Answers.json(whole(model, table));
        };
    }

    private static Map<String, Object> whole(ServedModel model, Table table) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("model_name", model.name().name());
        all.put("model_version", model.name().version());
        all.put("rows", objects(table));
        return all;
    }

    private static HttpResponse whole(MediaType type, String text) {
        return Answers.whole(HttpStatus.OK, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Map<String, Object>> objects(Table table) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Object[] row : table.rows()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            for (int i = 0; i < row.length; i++) {
                answer.put(table.columns().get(i), row[i]);
            }
            all.add(answer);
        }
        return all;
    }

    private static String lines(Table table) {
        StringBuilder lines = new StringBuilder();
        objects(table).forEach(answer -> lines.append(Json.line(answer)).append('\n'));
        return lines.toString();
    }

    private static String csv(Table table) {
        StringBuilder text = new StringBuilder(line(List.copyOf(table.columns())));
        table.rows().forEach(row -> text.append(line(List.of(row))));
        return text.toString();
    }

    private static String line(List<Object> values) {
        List<String> cells = new ArrayList<>();
        for (Object value : values) {
            String text = value.toString();
            boolean isPlain = text.chars().noneMatch(c -> c == '"' || c == ',' || c < ' ');
            cells.add(isPlain ? text : "\"" + text.replace("\"", "\"\"") + "\"");
        }
        return String.join(",", cells) + "\n";
    }
}
