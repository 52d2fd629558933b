package dev.medley.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs exported files in ONNX Runtime. */
final class OnnxSession implements AutoCloseable {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;
    private final Map<String, OnnxTensor> inputs = new LinkedHashMap<>();

    private OnnxSession(Path file) throws OrtException {
        session = environment.createSession(file.toString(), new OrtSession.SessionOptions());
    }

    static OnnxSession of(OnnxModel model, Path folder) throws Exception {
        Path file = folder.resolve("model.onnx");
        model.write(file);
        return new OnnxSession(file);
    }

    OrtEnvironment environment() {
        return environment;
    }

    /** Feeds an array: doubles, texts, longs. */
    OnnxSession with(String name, Object array) throws OrtException {
        inputs.put(
                name,
                array instanceof OnnxTensor tensor
                        ? tensor
                        : OnnxTensor.createTensor(environment, array));
        return this;
    }

    /** Feeds arrays by name. */
    OnnxSession with(Map<String, Object> arrays) throws OrtException {
        for (Map.Entry<String, Object> each : arrays.entrySet()) {
            with(each.getKey(), each.getValue());
        }
        return this;
    }

    /** All numbers of an output. */
    float[] floats(String output) throws OrtException {
        try (OrtSession.Result result = session.run(inputs)) {
            OnnxTensor tensor = (OnnxTensor) result.get(output).orElseThrow();
            var buffer = tensor.getFloatBuffer();
            float[] values = new float[buffer.remaining()];
            buffer.get(values);
            return values;
        }
    }

    /** All whole numbers of an output. */
    long[] wholes(String output) throws OrtException {
        try (OrtSession.Result result = session.run(inputs)) {
            return (long[]) result.get(output).orElseThrow().getValue();
        }
    }

    /** All texts of an output. */
    String[] texts(String output) throws OrtException {
        try (OrtSession.Result result = session.run(inputs)) {
            return (String[]) result.get(output).orElseThrow().getValue();
        }
    }

    @Override
    public void close() throws OrtException {
        inputs.values().forEach(OnnxTensor::close);
        session.close();
    }
}
