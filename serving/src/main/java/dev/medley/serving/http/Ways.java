package dev.medley.serving.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.medley.base.Json;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.model.Prediction;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.answer.AnswerMaker;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.http.InferService.Asked;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.input.InputPort;
import dev.medley.serving.input.RowTable;
import dev.medley.serving.protocol.AnswerJson;
import dev.medley.serving.protocol.CsvBody;
import dev.medley.serving.protocol.InferRequest;
import dev.medley.serving.protocol.RequestJson;
import dev.medley.serving.protocol.Rows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes requests that compute: version 2, version 1, and raw rows. */
final class Ways {
    private Ways() {}

    /** The Open Inference Protocol, with arrays in JSON or binary. */
    static Asked second(ServedModel model, AggregatedHttpRequest request) {
        InferRequest asked =
                RequestJson.read(request.content().array(), InferService.jsonBytes(request));
        ServingFailure.check(!asked.inputs().isEmpty(), "\"inputs\" is empty");
        EncodedRows rows = model.reader().read(asked.inputs());
        return new Asked(
                rows,
                found -> {
                    AnswerJson.Body body =
                            AnswerJson.write(
                                    model.name().name(),
                                    model.name().version(),
                                    asked.id(),
                                    asked.select(
                                            model.answers()
                                                    .tensors(
                                                            found,
                                                            model.reader(),
                                                            asked.inputs())));
                    return InferService.written(body.bytes(), body.jsonBytes());
                });
    }

    /** Version 1: instances in, predictions out. */
    static Asked first(ServedModel model, AggregatedHttpRequest request) {
        RowTable table = Rows.read(request.content().array(), names(model));
        EncodedRows rows = model.reader().rows(table);
        return new Asked(
                rows,
                found -> {
                    List<Object> predictions = new ArrayList<>();
                    for (int row = 0; row < rows.rows(); row++) {
                        predictions.add(predicted(model.answers(), found, row));
                    }
                    return Answers.json(Map.of("predictions", predictions));
                });
    }

    /** The class, the number, or the numbers. */
    private static Object predicted(AnswerMaker answers, Computed found, int row) {
        Prediction prediction = answers.prediction(found, row);
        Object[] values = answers.row(prediction);
        Object first = values[0];
        boolean areNumbers = first instanceof Double && values.length > 1;
        return areNumbers ? prediction.scores() : first;
    }

    /** Rows as people write them, in JSON, JSON lines or CSV; the answer is of the same kind. */
    static Asked rows(ServedModel model, AggregatedHttpRequest request) {
        @Nullable MediaType type = request.contentType();
        boolean isCsv = type != null && type.subtype().equals("csv");
        boolean areLines =
                type != null
                        && (type.subtype().contains("ndjson") || type.subtype().contains("jsonl"));
        byte[] body = request.content().array();
        RowTable table =
                isCsv
                        ? CsvBody.read(new String(body, StandardCharsets.UTF_8), delimiter(model))
                        : Rows.read(body, names(model));
        EncodedRows rows = model.reader().rows(table);
        return new Asked(
                rows,
                found -> isCsv ? csv(model, found, rows) : json(model, found, rows, areLines));
    }

    private static char delimiter(ServedModel model) {
        return model.model().encoding() instanceof TableEncoding table
                        && table.csv() != null
                        && table.csv().delimiter().length() == 1
                ? table.csv().delimiter().charAt(0)
                : ',';
    }

    private static List<String> names(ServedModel model) {
        return model.inputs().stream().map(InputPort::name).toList();
    }

    private static List<Map<String, Object>> answers(
            ServedModel model, Computed found, EncodedRows rows) {
        List<String> columns = List.copyOf(model.answers().columns().keySet());
        List<Map<String, Object>> all = new ArrayList<>();
        for (int row = 0; row < rows.rows(); row++) {
            Object[] values = model.answers().row(model.answers().prediction(found, row));
            Map<String, Object> answer = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                answer.put(columns.get(i), values[i]);
            }
            all.add(answer);
        }
        return all;
    }

    private static HttpResponse json(
            ServedModel model, Computed found, EncodedRows rows, boolean areLines) {
        List<Map<String, Object>> answers = answers(model, found, rows);
        if (areLines) {
            StringBuilder lines = new StringBuilder();
            answers.forEach(answer -> lines.append(Json.line(answer)).append('\n'));
            return Answers.whole(
                    HttpStatus.OK,
                    MediaType.create("application", "x-ndjson"),
                    lines.toString().getBytes(StandardCharsets.UTF_8));
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("model_name", model.name().name());
        all.put("model_version", model.name().version());
        all.put("rows", answers);
        return Answers.json(all);
    }

    private static HttpResponse csv(ServedModel model, Computed found, EncodedRows rows) {
        StringBuilder text = new StringBuilder();
        List<String> columns = List.copyOf(model.answers().columns().keySet());
        text.append(line(List.copyOf(columns)));
        for (Map<String, Object> answer : answers(model, found, rows)) {
            text.append(line(List.copyOf(answer.values())));
        }
        return Answers.whole(
                HttpStatus.OK,
                MediaType.CSV_UTF_8,
                text.toString().getBytes(StandardCharsets.UTF_8));
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
