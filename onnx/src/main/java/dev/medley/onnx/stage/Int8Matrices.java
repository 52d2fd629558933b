package dev.medley.onnx.stage;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Node;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts products of whole numbers in place of a graph's products with matrices of weights. Weights
 * are kept in eight bits, scaled column by column; what they are multiplied with is brought to
 * eight bits while it computes, scaled over the whole batch. Bytes are unsigned around 128, since
 * products of signed ones overflow on processors without instructions of their own for them.
 *
 * <p>x W = DynamicQuantizeLinear(x) * bytes(W), times the scale of x and those of W's columns.
 */
public final class Int8Matrices {
    private static final int ZERO = 128;
    private static final int MOST = 127;

    private final Graph graph;
    private final Map<String, NamedSpan> weights = new HashMap<>();

    /** Weights whose rows and columns have changed places, by the value that is so. */
    private final Map<String, NamedSpan> turned = new HashMap<>();

    private int replaced;

    private Int8Matrices(Graph graph, List<NamedSpan> weights) {
        this.graph = graph;
        for (NamedSpan weight : weights) {
            boolean isReal =
                    weight.type() == ElementType.FLOAT32 || weight.type() == ElementType.FLOAT64;
            if (isReal && weight.shape().length == 2 && weight.data().buffers().size() == 1) {
                this.weights.put(Graph.nameOfParameter(weight.name()), weight);
            }
        }
    }

    /** Changes a graph; returns how many products are of whole numbers now. */
    public static int putInto(Graph graph, List<NamedSpan> weights) {
        Int8Matrices matrices = new Int8Matrices(graph, weights);
        matrices.replace();
        return matrices.replaced;
    }

    private void replace() {
        List<Node> before = List.copyOf(graph.nodes());
        graph.nodes().clear();
        for (Node node : before) {
            NamedSpan weight = weightOf(node);
            if (weight == null) {
                graph.nodes().add(node);
                note(node);
            } else {
                boolean isTurned = turned.containsKey(node.inputs().get(1).name());
                product(node, weight, isTurned);
                replaced++;
            }
        }
        dropUnused();
    }

    private void note(Node node) {
        if (!node.operator().equals("Transpose")) {
            return;
        }
        NamedSpan weight = weights.get(node.inputs().get(0).name());
        boolean isSwap = node.attributes().equals(List.of(Attribute.list("perm", 1, 0)));
        if (weight != null && isSwap) {
            turned.put(node.outputs().get(0).name(), weight);
        }
    }

    private @Nullable NamedSpan weightOf(Node node) {
        if (!node.operator().equals("MatMul")) {
            return null;
        }
        String second = node.inputs().get(1).name();
        NamedSpan weight = weights.get(second);
        return weight != null ? weight : turned.get(second);
    }

    private void product(Node node, NamedSpan weight, boolean isTurned) {
        String result = node.outputs().get(0).name();
        int rows = (int) weight.shape()[isTurned ? 1 : 0];
        int columns = (int) weight.shape()[isTurned ? 0 : 1];
        HostArray bytes = HostArray.allocate(ElementType.UINT8, rows, columns);
        HostArray scales = HostArray.allocate(ElementType.FLOAT32, columns);
        quantise(weight, isTurned, rows, columns, bytes, scales);
        Value x = value(result, "bytes");
        Value xScale = value(result, "scale");
        Value xZero = value(result, "zero");
        add("DynamicQuantizeLinear", List.of(node.inputs().get(0)), List.of(x, xScale, xZero));
        Value whole = value(result, "whole");
        HostArray zero = HostArray.allocate(ElementType.UINT8);
        zero.data().buffer().put((byte) ZERO);
        add(
                "MatMulInteger",
                List.of(x, graph.constant(bytes), xZero, graph.constant(zero)),
                List.of(whole));
        Value real = value(result, "real");
        add("Cast", List.of(whole), List.of(real), Attribute.of("to", Port.Type.FLOAT.code()));
        Value scale = value(result, "both");
        add("Mul", List.of(xScale, graph.constant(scales)), List.of(scale));
        add("Mul", List.of(real, scale), List.of(new Value(result)));
    }

    private static Value value(String result, String part) {
        return new Value(result + "/" + part);
    }

    private void add(
            String operator, List<Value> inputs, List<Value> outputs, Attribute... attributes) {
        graph.nodes().add(new Node(operator, inputs, outputs, List.of(attributes)));
    }

    private static void quantise(
            NamedSpan weight,
            boolean isTurned,
            int rows,
            int columns,
            HostArray bytes,
            HostArray scales) {
        ByteBuffer from = weight.data().buffers().get(0);
        boolean isSingle = weight.type() == ElementType.FLOAT32;
        FloatBuffer single = from.asFloatBuffer();
        DoubleBuffer exact = from.asDoubleBuffer();
        FloatBuffer scale = scales.data().buffer().asFloatBuffer();
        ByteBuffer into = bytes.data().buffer();
        for (int column = 0; column < columns; column++) {
            float[] values = new float[rows];
            float most = 0;
            for (int row = 0; row < rows; row++) {
                int at = isTurned ? column * rows + row : row * columns + column;
                values[row] = isSingle ? single.get(at) : (float) exact.get(at);
                most = Math.max(most, Math.abs(values[row]));
            }
            float step = most == 0 ? 1 : most / MOST;
            scale.put(column, step);
            for (int row = 0; row < rows; row++) {
                int rounded = Math.round(values[row] / step) + ZERO;
                into.put(row * columns + column, (byte) rounded);
            }
        }
    }

    /** Weights, and what turned them, that only the old products used. */
    private void dropUnused() {
        graph.nodes().removeIf(node -> isOfWeights(node) && !isRead(node));
        Set<String> read = new HashSet<>();
        graph.nodes().forEach(node -> node.inputs().forEach(input -> read.add(input.name())));
        graph.parameters().removeIf(name -> !read.contains(Graph.nameOfParameter(name)));
    }

    private boolean isOfWeights(Node node) {
        return turned.containsKey(node.outputs().get(0).name());
    }

    private boolean isRead(Node node) {
        return graph.nodes().stream()
                .anyMatch(other -> other.inputs().contains(node.outputs().get(0)));
    }
}
