package dev.medley.onnx.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.OnnxModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Computes by ONNX Runtime from the graph that the model tells itself to be. */
final class OnnxEngine implements Engine {
    /** Above, the copy that a session makes of the file is not worth it. */
    private static final long LONGEST_BYTES = 256L << 20;

    private final OrtEnvironment environment = OrtHome.environment();
    private final OrtSession session;
    private final List<String> names;

    private OnnxEngine(OrtSession session, List<String> names) {
        this.session = session;
        this.names = names;
    }

    /**
     * Of a model.
     *
     * @param threads with which it computes one batch
     * @throws ConfigException if it cannot be written as a graph, or ONNX Runtime cannot read it
     */
    static OnnxEngine of(LoadedModel model, int threads) {
        return of(model, OnnxModel.Precision.FP32, threads);
    }

    /** The same in that precision. */
    static OnnxEngine of(LoadedModel model, OnnxModel.Precision precision, int threads) {
        OnnxModel graph = OnnxModel.ofArrays(model, precision);
        ConfigException.check(
                graph.bytes() <= LONGEST_BYTES, "the graph has %d bytes", graph.bytes());
        try {
            return of(model, graph, threads);
        } catch (OrtException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    private static OnnxEngine of(LoadedModel model, OnnxModel graph, int threads)
            throws OrtException {
        OnnxEngine engine;
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            OrtSession session = OrtHome.environment().createSession(bytes(graph), options);
            engine =
                    new OnnxEngine(
                            session,
                            model.description().signature().inputs().stream()
                                    .map(Signature.Input::name)
                                    .toList());
        }
        return engine;
    }

    private static byte[] bytes(OnnxModel graph) {
        WholeBytes bytes = new WholeBytes((int) graph.bytes());
        try (WritableByteChannel out = Channels.newChannel(bytes)) {
            graph.writeTo(out);
        } catch (IOException e) {
            throw new IllegalStateException("memory does not take bytes", e);
        }
        return bytes.whole();
    }

    /** Hands its bytes out without a copy where it is full: others answer while a model loads. */
    private static final class WholeBytes extends ByteArrayOutputStream {
        WholeBytes(int bytes) {
            super(bytes);
        }

        byte[] whole() {
            return count == buf.length ? buf : toByteArray();
        }
    }

    @Override
    public String name() {
        return "ONNX Runtime";
    }

    @Override
    public float[] forward(Batch batch) {
        Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
        try {
            for (int i = 0; i < names.size(); i++) {
                inputs.put(names.get(i), tensor(batch.inputs().get(i)));
            }
            try (OrtSession.Result result = session.run(inputs)) {
                FloatBuffer found = ((OnnxTensor) result.get(0)).getFloatBuffer();
                float[] outputs = new float[found.remaining()];
                found.get(outputs);
                return outputs;
            }
        } catch (OrtException e) {
            throw new IllegalStateException("ONNX Runtime failed: " + e.getMessage(), e);
        } finally {
            inputs.values().forEach(OnnxTensor::close);
        }
    }

    private OnnxTensor tensor(HostArray array) throws OrtException {
        ByteBuffer bytes = array.data().buffer();
        if (array.type() == ElementType.FLOAT32) {
            return OnnxTensor.createTensor(environment, bytes.asFloatBuffer(), array.shape());
        } else if (array.type() == ElementType.INT64) {
            return OnnxTensor.createTensor(environment, bytes.asLongBuffer(), array.shape());
        }
        return OnnxTensor.createTensor(
                environment, bytes, array.shape(), ai.onnxruntime.OnnxJavaType.UINT8);
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (OrtException e) {
            throw new IllegalStateException("ONNX Runtime does not let go of a model", e);
        }
    }
}
