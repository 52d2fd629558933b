package dev.medley.tensor.graph;

import java.util.List;

/**
 * One operator of a graph.
 *
 * @param operator its name in ONNX; with {@value #ML} in front for those of the second set
 * @param inputs in the operator's order
 * @param outputs in the operator's order
 * @param attributes what differs from the operator's defaults
 */
public record Node(
        String operator, List<Value> inputs, List<Value> outputs, List<Attribute> attributes) {
    /** Before the name of an operator of ai.onnx.ml: trees, and codes of texts. */
    public static final String ML = "ai.onnx.ml.";

    public Node {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        attributes = List.copyOf(attributes);
    }

    /** Whether the operator belongs to ai.onnx.ml. */
    public boolean isMl() {
        return operator.startsWith(ML);
    }

    /** The operator's name in its set. */
    public String type() {
        return isMl() ? operator.substring(ML.length()) : operator;
    }
}
