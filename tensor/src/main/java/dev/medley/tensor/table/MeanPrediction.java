package dev.medley.tensor.table;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import java.util.List;

/**
 * Predicts what the members of an ensemble predict in the mean: of classes the mean of their
 * probabilities, given as logits again, and of a number its mean.
 */
public final class MeanPrediction {
    private MeanPrediction() {}

    /** [samples, outputs] of [samples, members, outputs]. */
    public static Tensor of(Tensor outputs, TargetKind kind) {
        double members = outputs.size(1);
        return switch (kind) {
            case BINARY ->
                    // The logit of a mean is log(sum p) - log(sum (1 - p)).
                    logSum(Functional.logSigmoid(outputs))
                            .minus(logSum(Functional.logSigmoid(outputs.times(-1))));
            case CLASSES ->
                    logSum(Functional.logSoftmax(outputs, 2)).plus(-StrictMath.log(members));
            case VALUE, VALUES -> outputs.sum(1).times(1 / members);
            case TOKENS, GRADE, NONE ->
                    throw new IllegalStateException("no ensemble predicts " + kind);
        };
    }

    private static Tensor logSum(Tensor logs) {
        return Functional.logSumExp(logs, 1);
    }

    /** The same as part of a graph. */
    public static Value graph(Value outputs, TargetKind kind, double members, Graph graph) {
        return switch (kind) {
            case BINARY ->
                    graph.node(
                            "Sub",
                            logSum(logSigmoid(outputs, graph), graph),
                            logSum(logSigmoid(graph.node("Neg", outputs), graph), graph));
            case CLASSES -> {
                Value logs = graph.node("LogSoftmax", List.of(outputs), Attribute.of("axis", 2));
                Value mean = graph.number(-StrictMath.log(members));
                yield graph.node("Add", logSum(logs, graph), mean);
            }
            case VALUE, VALUES ->
                    graph.node(
                            "ReduceMean",
                            List.of(outputs),
                            Attribute.list("axes", 1),
                            Attribute.of("keepdims", 0));
            case TOKENS, GRADE, NONE ->
                    throw new IllegalStateException("no ensemble predicts " + kind);
        };
    }

    private static Value logSigmoid(Value x, Graph graph) {
        return graph.node("Neg", graph.node("Softplus", graph.node("Neg", x)));
    }

    private static Value logSum(Value logs, Graph graph) {
        return graph.node(
                "ReduceLogSumExp",
                List.of(logs),
                Attribute.list("axes", 1),
                Attribute.of("keepdims", 0));
    }
}
