package dev.medley.serving.protocol;

import dev.medley.serving.input.InputPort;
import dev.medley.serving.protocol.InferRequest.Answer;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/** Writes answers in JSON, and behind them those that are wanted in binary. */
public final class AnswerJson {
    private AnswerJson() {}

    /**
     * A body.
     *
     * @param jsonBytes how much of it is JSON; -1 where all is, and nothing was wanted in binary
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Body(byte[] bytes, int jsonBytes) {}

    /** The answer of a model's version to a request. */
    public static Body write(String model, String version, String id, List<Answer> answers) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        List<byte[]> raw = new ArrayList<>();
        try (JsonGenerator json =
                RequestJson.FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("model_name", model);
            json.writeStringProperty("model_version", version);
            if (!id.isEmpty()) {
                json.writeStringProperty("id", id);
            }
            json.writeName("outputs");
            json.writeStartArray();
            for (Answer answer : answers) {
                output(json, answer, raw);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        if (raw.isEmpty()) {
            return new Body(out.toByteArray(), -1);
        }
        int jsonBytes = out.size();
        raw.forEach(out::writeBytes);
        return new Body(out.toByteArray(), jsonBytes);
    }

    private static void output(JsonGenerator json, Answer answer, List<byte[]> raw) {
        WireTensor tensor = answer.tensor();
        json.writeStartObject();
        json.writeStringProperty("name", tensor.name());
        json.writeStringProperty("datatype", tensor.type().name());
        json.writeName("shape");
        json.writeStartArray();
        tensor.shape().forEach(json::writeNumber);
        json.writeEndArray();
        if (answer.isBinary()) {
            byte[] bytes = RawValues.write(tensor);
            raw.add(bytes);
            json.writeName("parameters");
            json.writeStartObject();
            json.writeNumberProperty("binary_data_size", bytes.length);
            json.writeEndObject();
        } else {
            json.writeName("data");
            json.writeStartArray();
            data(json, tensor);
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void data(JsonGenerator json, WireTensor tensor) {
        Values values = tensor.values();
        for (int i = 0; i < values.count(); i++) {
            if (tensor.type() == DataType.BYTES) {
                json.writeString(values.text(i));
            } else if (values instanceof Values.Wholes wholes) {
                json.writeNumber(wholes.of()[i]);
            } else {
                json.writeNumber(values.number(i));
            }
        }
    }

    /** What a model takes or gives, as its metadata says it. */
    public record Described(String name, String datatype, List<Long> shape) {
        /** Of a port. */
        public static Described of(InputPort port) {
            return new Described(port.name(), port.type().name(), port.shape());
        }
    }
}
