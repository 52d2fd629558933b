package dev.medley.onnx.file;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Node;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The bytes of an ONNX file: the message ModelProto of github.com/onnx/onnx, onnx/onnx.proto, whose
 * field numbers stand here. Parameters of double precision become single.
 */
public final class OnnxFile {
    /** What a message can hold. */
    private static final long LONGEST_BYTES = Integer.MAX_VALUE;

    private static final int FILE_FORMAT = 8;

    /** Of files whose operators have arrays as attributes, as trees have. */
    private static final int FILE_FORMAT_OF_TREES = 10;

    /** Version of ai.onnx.ml for files without trees, which more programs read. */
    private static final int ML_OPERATORS_BUT_TREES = 3;

    private final ProtoMessage model;

    private OnnxFile(ProtoMessage model) {
        this.model = model;
    }

    /**
     * The file of a graph.
     *
     * @param weights the parameters that it names; others are left out
     * @param about what it is, in a sentence
     * @param facts about it, by name
     * @throws dev.medley.base.ConfigException if it is longer than 2 GiB, which ONNX cannot hold
     */
    public static OnnxFile of(
            Graph graph, List<NamedSpan> weights, String about, Map<String, String> facts) {
        boolean hasTrees = graph.nodes().stream().anyMatch(OnnxFile::isTrees);
        ProtoMessage model =
                new ProtoMessage()
                        .whole(1, hasTrees ? FILE_FORMAT_OF_TREES : FILE_FORMAT)
                        .text(2, "medley")
                        .text(6, about)
                        .message(7, graph(graph, weights))
                        .message(8, new ProtoMessage().text(1, "").whole(2, Graph.OPERATORS));
        if (graph.nodes().stream().anyMatch(Node::isMl)) {
            int version = hasTrees ? Graph.ML_OPERATORS : ML_OPERATORS_BUT_TREES;
            model.message(8, new ProtoMessage().text(1, "ai.onnx.ml").whole(2, version));
        }
        facts.forEach((k, v) -> model.message(14, new ProtoMessage().text(1, k).text(2, v)));
        check(
                model.bytes() <= LONGEST_BYTES,
                "the model needs %,d bytes, and an ONNX file holds at most %,d",
                model.bytes(),
                LONGEST_BYTES);
        return new OnnxFile(model);
    }

    /** Its length. */
    public long bytes() {
        return model.bytes();
    }

    /** Writes all of it. */
    public void writeTo(WritableByteChannel channel) throws IOException {
        model.writeTo(channel);
    }

    private static boolean isTrees(Node node) {
        return node.isMl() && node.type().startsWith("Tree");
    }

    private static ProtoMessage graph(Graph graph, List<NamedSpan> weights) {
        ProtoMessage message = new ProtoMessage().text(2, "medley");
        graph.nodes().forEach(node -> message.message(1, node(node)));
        for (NamedSpan weight : weights) {
            if (graph.parameters().contains(weight.name())) {
                HostArray array = new HostArray(weight.type(), weight.shape(), weight.data());
                String name = Graph.nameOfParameter(weight.name());
                message.message(5, tensor(single(array)).text(8, name));
            }
        }
        graph.constants().forEach((name, array) -> message.message(5, tensor(array).text(8, name)));
        graph.texts().forEach((name, texts) -> message.message(5, tensor(texts).text(8, name)));
        graph.inputs().forEach(port -> message.message(11, port(port)));
        graph.outputs().forEach(port -> message.message(12, port(port)));
        return message;
    }

    private static ProtoMessage node(Node node) {
        ProtoMessage message = new ProtoMessage();
        for (Value input : node.inputs()) {
            message.text(1, input.name());
        }
        for (Value output : node.outputs()) {
            message.text(2, output.name());
        }
        message.text(3, node.outputs().get(0).name()).text(4, node.type());
        node.attributes().forEach(attribute -> message.message(5, attribute(attribute)));
        return node.isMl() ? message.text(7, "ai.onnx.ml") : message;
    }

    private static ProtoMessage attribute(Attribute attribute) {
        ProtoMessage message = new ProtoMessage().text(1, attribute.name());
        if (attribute instanceof Attribute.Real real) {
            return message.real(2, real.value()).whole(20, 1);
        } else if (attribute instanceof Attribute.Whole whole) {
            return message.whole(3, whole.value()).whole(20, 2);
        } else if (attribute instanceof Attribute.Array array) {
            return message.message(5, tensor(array.value())).whole(20, 4);
        } else if (attribute instanceof Attribute.Wholes wholes) {
            return message.wholes(8, wholes.values()).whole(20, 7);
        }
        if (attribute instanceof Attribute.Text text) {
            return message.text(4, text.value()).whole(20, 3);
        }
        ((Attribute.Texts) attribute).values().forEach(text -> message.text(9, text));
        return message.whole(20, 8);
    }

    private static ProtoMessage tensor(HostArray array) {
        return new ProtoMessage()
                .wholes(1, Arrays.stream(array.shape()).boxed().toList())
                .whole(2, Port.Type.of(array.type()).code())
                .array(9, array.data());
    }

    private static ProtoMessage tensor(List<String> texts) {
        ProtoMessage message =
                new ProtoMessage()
                        .wholes(1, List.of((long) texts.size()))
                        .whole(2, Port.Type.STRING.code());
        texts.forEach(text -> message.text(6, text));
        return message;
    }

    private static HostArray single(HostArray array) {
        if (array.type() != ElementType.FLOAT64) {
            return array;
        }
        HostArray single = HostArray.allocate(ElementType.FLOAT32, array.shape());
        Span from = array.data();
        var into = single.data().buffer().asFloatBuffer();
        from.buffers().forEach(piece -> floats(piece.asDoubleBuffer(), into));
        return single;
    }

    private static void floats(java.nio.DoubleBuffer from, java.nio.FloatBuffer into) {
        while (from.hasRemaining()) {
            into.put((float) from.get());
        }
    }

    private static ProtoMessage port(Port port) {
        ProtoMessage shape = new ProtoMessage();
        for (String dimension : port.dimensions()) {
            boolean isKnown = dimension.chars().allMatch(Character::isDigit);
            ProtoMessage length = new ProtoMessage();
            shape.message(
                    1,
                    isKnown
                            ? length.whole(1, Long.parseLong(dimension))
                            : length.text(2, dimension));
        }
        ProtoMessage tensor = new ProtoMessage().whole(1, port.type().code()).message(2, shape);
        return new ProtoMessage()
                .text(1, port.name())
                .message(2, new ProtoMessage().message(1, tensor))
                .text(3, port.about());
    }
}
