package dev.medley.tensor.graph;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A computation in operators of ONNX (github.com/onnx/onnx, docs/Operators.md; those of set {@value
 * #OPERATORS} and set {@value #ML_OPERATORS} of ai.onnx.ml). Nodes are added in the order in which
 * they compute. Parameters are named as the network declares them; their values are elsewhere.
 */
public final class Graph {
    /** Version of the operator set. */
    public static final int OPERATORS = 17;

    /** Version of the set ai.onnx.ml, the first that has sets of categories in trees. */
    public static final int ML_OPERATORS = 5;

    private final Map<Object, String> names = new IdentityHashMap<>();
    private final Set<String> used = new LinkedHashSet<>();
    private final Map<String, HostArray> constants = new LinkedHashMap<>();
    private final Map<String, List<String>> texts = new LinkedHashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Port> inputs = new ArrayList<>();
    private final List<Port> outputs = new ArrayList<>();
    private @Nullable Value seen;

    /** Parameters and statistics by name, each of which is known by being that very object. */
    public void declare(Map<String, ?> declared) {
        declared.forEach((name, parameter) -> names.put(parameter, name));
    }

    /** One of the parameters or statistics that were declared: that very object. */
    public Value parameter(Object parameter) {
        String name = names.get(parameter);
        if (name == null) {
            throw new IllegalStateException("a parameter that was never declared: " + parameter);
        }
        used.add(name);
        return new Value(nameOfParameter(name));
    }

    /** What a parameter's value is called within the graph. */
    public static String nameOfParameter(String name) {
        return "weights/" + name;
    }

    /** Result of an operator without attributes. */
    public Value node(String operator, Value... arguments) {
        return node(operator, List.of(arguments));
    }

    /** First and only result of an operator. */
    public Value node(String operator, List<Value> arguments, Attribute... attributes) {
        return nodes(operator, 1, arguments, attributes).get(0);
    }

    /** The first {@code results} of an operator. */
    public List<Value> nodes(
            String operator, int results, List<Value> arguments, Attribute... attributes) {
        List<Value> made = new ArrayList<>();
        for (int i = 0; i < results; i++) {
            made.add(new Value("values/" + nodes.size() + (i == 0 ? "" : "." + i)));
        }
        nodes.add(new Node(operator, arguments, made, List.of(attributes)));
        return made;
    }

    /** A constant array. */
    public Value constant(HostArray array) {
        String name = "constants/" + (constants.size() + texts.size());
        constants.put(name, array);
        return new Value(name);
    }

    /** A constant row of texts. */
    public Value constant(List<String> values) {
        String name = "constants/" + (constants.size() + texts.size());
        texts.put(name, List.copyOf(values));
        return new Value(name);
    }

    /** One number, FLOAT32. */
    public Value number(double value) {
        HostArray array = HostArray.allocate(ElementType.FLOAT32);
        array.data().buffer().putFloat((float) value);
        return constant(array);
    }

    /** One number, FLOAT64. */
    public Value exact(double value) {
        HostArray array = HostArray.allocate(ElementType.FLOAT64);
        array.data().buffer().putDouble(value);
        return constant(array);
    }

    /** One whole number, INT64, as an array without dimensions. */
    public Value index(long value) {
        HostArray array = HostArray.allocate(ElementType.INT64);
        array.data().buffer().putLong(value);
        return constant(array);
    }

    /** A row of whole numbers, INT64: a shape, or axes. */
    public Value wholes(long... values) {
        HostArray array = HostArray.allocate(ElementType.INT64, values.length);
        array.data().buffer().asLongBuffer().put(values);
        return constant(array);
    }

    /** A length of {@code x} as a row of one number. */
    public Value length(Value x, int dimension) {
        return node(
                "Shape",
                List.of(x),
                Attribute.of("start", dimension),
                Attribute.of("end", dimension + 1));
    }

    /** {@code x} with its elements in another shape: lengths that are known, or were measured. */
    public Value reshaped(Value x, Value... lengths) {
        Value shape =
                lengths.length == 1
                        ? lengths[0]
                        : node("Concat", List.of(lengths), Attribute.of("axis", 0));
        return node("Reshape", x, shape);
    }

    /** Dimensions of {@code x} in another order. */
    public Value permuted(Value x, long... order) {
        return node("Transpose", List.of(x), Attribute.list("perm", order));
    }

    /** All dimensions but the first {@code axis} as one. */
    public Value flattened(Value x, int axis) {
        return node("Flatten", List.of(x), Attribute.of("axis", axis));
    }

    /** The same values in another type. */
    public Value cast(Value x, Port.Type type) {
        return node("Cast", List.of(x), Attribute.of("to", type.code()));
    }

    /** Arrays one behind the other along a dimension. */
    public Value joined(List<Value> parts, int axis) {
        return parts.size() == 1 ? parts.get(0) : node("Concat", parts, Attribute.of("axis", axis));
    }

    /**
     * What attention adds to the scores of positions from now on, FLOAT [samples, 1, 1, positions]:
     * 0, or far below 0 where nobody sees them. Null where all see all.
     */
    public void see(@Nullable Value added) {
        seen = added;
    }

    /** What {@link #see} was told last. */
    public @Nullable Value seen() {
        return seen;
    }

    /** FLOAT 1 for token indices, 0 for -1, which is none. */
    public Value areTokens(Value indices) {
        return cast(node("Not", node("Less", indices, index(0))), Port.Type.FLOAT);
    }

    /** What flows in, under its own name. */
    public Value input(Port port) {
        inputs.add(port);
        return new Value(port.name());
    }

    /** What flows out, under its own name. */
    public void output(Port port, Value value) {
        outputs.add(port);
        nodes.add(new Node("Identity", List.of(value), List.of(new Value(port.name())), List.of()));
    }

    /** Names of the parameters and statistics that nodes use. */
    public Set<String> parameters() {
        return used;
    }

    /** Constant arrays by name. */
    public Map<String, HostArray> constants() {
        return constants;
    }

    /** Constant rows of texts by name. */
    public Map<String, List<String>> texts() {
        return texts;
    }

    /** Nodes in the order in which they compute. */
    public List<Node> nodes() {
        return nodes;
    }

    /** What flows in, in order. */
    public List<Port> inputs() {
        return inputs;
    }

    /** What flows out, in order. */
    public List<Port> outputs() {
        return outputs;
    }
}
