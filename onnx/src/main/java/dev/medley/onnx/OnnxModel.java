package dev.medley.onnx;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.Signature;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.token.TokenizerText;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.file.OnnxFile;
import dev.medley.onnx.stage.InputStage;
import dev.medley.onnx.stage.Int8Matrices;
import dev.medley.onnx.stage.OutputStage;
import dev.medley.onnx.stage.TermStage;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.WriteFailure;
import dev.medley.store.model.ModelDescription;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds a trained model as a graph of ONNX: raw columns in, answers out. Its file is written whole
 * or not at all.
 */
public final class OnnxModel {
    /** What {@link #ofArrays} calls what comes out. */
    public static final String OUTPUTS = "outputs";

    /** In which products with matrices of weights compute. */
    public enum Precision {
        /** Single, as in training. */
        FP32,
        /** Bytes, those of weights kept so and what they are multiplied with brought to it. */
        INT8;

        private void putInto(Graph graph, LoadedModel model) {
            check(
                    this == FP32 || Int8Matrices.putInto(graph, model.weights()) > 0,
                    "%s: has no matrix of weights that could be kept in eight bits (family %s)",
                    model.folder(),
                    model.description().model().family());
        }
    }

    private final Graph graph;
    private final OnnxFile file;
    private final Map<String, byte[]> beside;

    private OnnxModel(Graph graph, OnnxFile file, Map<String, byte[]> beside) {
        this.graph = graph;
        this.file = file;
        this.beside = beside;
    }

    /**
     * The graph of a model.
     *
     * @throws ConfigException if it cannot be written so: a class of the user's own that does not
     *     tell itself in ONNX's operators, or more than 2 GiB
     */
    public static OnnxModel of(LoadedModel model) {
        return of(model, Precision.FP32);
    }

    /**
     * The same in that precision.
     *
     * @throws ConfigException as {@link #of(LoadedModel)} does, and in eight bits where there is no
     *     matrix of weights
     */
    public static OnnxModel of(LoadedModel model, Precision precision) {
        ModelDescription description = model.description();
        Graph graph = new Graph();
        InputStage input = InputStage.of(model.encoding(), graph);
        Value outputs = model.graph(input.arrays(), graph);
        new OutputStage(description.signature().target(), description.threshold(), graph)
                .add(outputs, input);
        String about =
                "A model of family %s, trained by Medley.".formatted(description.model().family());
        precision.putInto(graph, model);
        return new OnnxModel(
                graph, OnnxFile.of(graph, model.weights(), about, facts(model)), beside(model));
    }

    /**
     * The graph between the arrays of a model's signature and what {@link LoadedModel#predict} says
     * of them, under the name {@link #OUTPUTS}: for a program that encodes as Medley does.
     *
     * @throws ConfigException as {@link #of} does
     */
    public static OnnxModel ofArrays(LoadedModel model) {
        return ofArrays(model, Precision.FP32);
    }

    /**
     * The same in that precision.
     *
     * @throws ConfigException as {@link #of(LoadedModel, Precision)} does
     */
    public static OnnxModel ofArrays(LoadedModel model, Precision precision) {
        Graph graph = new Graph();
        List<Value> inputs = new ArrayList<>();
        for (Signature.Input input : model.description().signature().inputs()) {
            List<String> dimensions = new ArrayList<>(List.of(Port.SAMPLES));
            input.shape().forEach(length -> dimensions.add("" + length));
            Port.Type type = Port.Type.of(input.type());
            inputs.add(graph.input(new Port(input.name(), type, dimensions, "as encoded")));
        }
        Value outputs = model.graph(inputs, graph);
        List<String> any = List.of(Port.SAMPLES, "outputs");
        graph.output(new Port(OUTPUTS, Port.Type.FLOAT, any, "as the loss takes them"), outputs);
        precision.putInto(graph, model);
        return new OnnxModel(
                graph,
                OnnxFile.of(graph, model.weights(), "Arrays in, outputs out.", Map.of()),
                Map.of());
    }

    /** What makes a graph's inputs of texts, where operators cannot; by the end of its name. */
    private static Map<String, byte[]> beside(LoadedModel model) {
        if (model.encoding() instanceof TextEncoding text && text.tokens() != null) {
            return Map.of(".tokenizer.json", TokenizerText.of(text.tokens()));
        } else if (model.encoding() instanceof LabelledTextEncoding texts) {
            return Map.of(".tokenizer.json", TokenizerText.of(texts.tokens()));
        } else if (model.encoding() instanceof TableEncoding table && !table.ofTerms().isEmpty()) {
            String json = Json.pretty(TermStage.encoding(table));
            return Map.of(".encoding.json", json.getBytes(StandardCharsets.UTF_8));
        }
        return Map.of();
    }

    /** The files that {@link #write} puts beside {@code to}; most models need none. */
    public List<Path> beside(Path to) {
        return beside.keySet().stream().map(end -> beside(to, end)).toList();
    }

    private static Path beside(Path to, String end) {
        return to.resolveSibling(
                String.valueOf(to.getFileName()).replaceFirst("[.]onnx$", "") + end);
    }

    private static Map<String, String> facts(LoadedModel model) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("medley.model", Json.line(model.description().model()));
        facts.put("medley.metrics", Json.line(model.description().metrics()));
        if (model.encoding() instanceof TextEncoding text) {
            facts.put("medley.vocabulary", Json.line(text.vocabulary()));
        }
        return facts;
    }

    /** What flows in, in order. */
    public List<Port> inputs() {
        return graph.inputs();
    }

    /** What comes out, in order. */
    public List<Port> outputs() {
        return graph.outputs();
    }

    /**
     * Writes the file's bytes.
     *
     * @throws IOException where the channel does
     */
    public void writeTo(WritableByteChannel out) throws IOException {
        file.writeTo(out);
    }

    /** Bytes of the file. */
    public long bytes() {
        return file.bytes();
    }

    /**
     * Writes the file, in place of an older one, and before it those {@link #beside(Path)} it.
     *
     * @throws ConfigException if there is no room, or the place cannot be written
     */
    public void write(Path to) {
        check(!Files.isDirectory(to), "%s: is a folder; name a file, as %s/model.onnx", to, to);
        try {
            for (Map.Entry<String, byte[]> each : beside.entrySet()) {
                AtomicFile.write(beside(to, each.getKey()), each.getValue());
            }
            AtomicFile.write(to, file.bytes(), file::writeTo);
        } catch (WriteFailure e) {
            throw e.asConfigException();
        }
    }
}
