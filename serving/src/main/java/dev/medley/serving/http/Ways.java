package dev.medley.serving.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.MediaType;
import dev.medley.inference.model.Prediction;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.answer.AnswerMaker;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.http.InferService.Asked;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.input.InputPort;
import dev.medley.serving.input.RowTable;
import dev.medley.serving.log.LoggedInputs;
import dev.medley.serving.observe.RequestEnds.Given;
import dev.medley.serving.protocol.AnswerJson;
import dev.medley.serving.protocol.CsvBody;
import dev.medley.serving.protocol.InferRequest;
import dev.medley.serving.protocol.RequestJson;
import dev.medley.serving.protocol.Rows;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes requests that compute: version 2, and version 1. */
final class Ways {
    private Ways() {}

    /** The Open Inference Protocol, with arrays in JSON or binary. */
    static Asked second(ServedModel model, AggregatedHttpRequest request) {
        InferRequest asked =
                RequestJson.read(request.content().array(), InferService.jsonBytes(request));
        ServingFailure.check(!asked.inputs().isEmpty(), "\"inputs\" is empty");
        EncodedRows rows = model.reader().read(asked.inputs());
        return new Asked(
                new Given(rows, new LoggedInputs.OfArrays(asked.inputs())),
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
                new Given(rows, new LoggedInputs.OfTable(table)),
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

    static boolean isCsv(AggregatedHttpRequest request) {
        @Nullable MediaType type = request.contentType();
        return type != null && type.subtype().equals("csv");
    }

    /**
     * The body. CSV of which the request says that it is in another charset comes as UTF-8; JSON is
     * that anyway.
     */
    static byte[] body(AggregatedHttpRequest request) {
        byte[] body = request.content().array();
        @Nullable MediaType type = request.contentType();
        if (type == null || !isCsv(request)) {
            return body;
        }
        try {
            Charset said = type.charset(StandardCharsets.UTF_8);
            boolean isOurs = said.equals(StandardCharsets.UTF_8);
            return isOurs ? body : new String(body, said).getBytes(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw ServingFailure.invalid(
                    "the charset of the Content-Type is not known here: send utf-8");
        }
    }

    /** The rows of a body in JSON, JSON lines or CSV. */
    static RowTable table(ServedModel model, AggregatedHttpRequest request) {
        byte[] body = body(request);
        return isCsv(request)
                ? CsvBody.read(new String(body, StandardCharsets.UTF_8), RowsWay.delimiter(model))
                : Rows.read(body, names(model));
    }

    /** Names of what a model takes, in order. */
    static List<String> names(ServedModel model) {
        return model.inputs().stream().map(InputPort::name).toList();
    }
}
