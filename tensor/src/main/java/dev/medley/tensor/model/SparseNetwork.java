package dev.medley.tensor.model;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.memory.ElementType;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.table.TabularInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A linear model of rows of which each has few of many features: terms, as pairs of index and
 * value. Only the weights of a row's terms are read; those that no row has stay 0, where they
 * begin. Other inputs come first among the features.
 */
final class SparseNetwork implements Network {
    private final List<Input> inputs;
    private final int termsAt;
    private final @Nullable TabularInput others;
    private final Weights weights;

    private SparseNetwork(Signature signature, int termsAt) {
        inputs = signature.inputs();
        this.termsAt = termsAt;
        List<Input> rest = new ArrayList<>(inputs);
        rest.remove(termsAt);
        others = rest.isEmpty() ? null : new TabularInput(rest, ModelSpec.Numeric.PLAIN, 0);
        weights =
                new Weights(
                        others == null ? 0 : others.width(),
                        inputs.get(termsAt).cardinalities().get(0),
                        signature.target().outputs());
    }

    /** For inputs with terms; null where there are none. */
    static @Nullable SparseNetwork of(Signature signature) {
        for (int i = 0; i < signature.inputs().size(); i++) {
            if (signature.inputs().get(i).isTerms()) {
                return new SparseNetwork(signature, i);
            }
        }
        return null;
    }

    /** The weights of plain features, then of terms. */
    private static final class Weights implements Layer {
        private final long plain;
        private final long terms;
        private final long outputs;
        private final Parameter weight;
        private final Parameter bias;

        Weights(long plain, long terms, long outputs) {
            this.plain = plain;
            this.terms = terms;
            this.outputs = outputs;
            weight = Parameter.of(Initializer.constant(0), outputs, plain + terms);
            bias = Parameter.of(Initializer.constant(0), outputs);
        }

        @Override
        public void declare(Declaration declaration) {
            declaration.parameter("weight", weight);
            declaration.parameter("bias", bias);
        }

        @Override
        public Tensor forward(Tensor pairs, Pass pass) {
            long samples = pairs.size(0);
            long slots = pairs.size(1);
            Tensor places = pairs.select(2, 0).to(ElementType.INT64).reshape(-1);
            Tensor ofTerms = weight.value().narrow(1, plain, terms);
            Tensor read = Functional.select(ofTerms, 1, places).reshape(outputs, samples, slots);
            Tensor sums = read.times(pairs.select(2, 1)).sum(2);
            return sums.transpose(0, 1).plus(bias.value());
        }

        @Override
        public Value graph(Value pairs, Graph graph) {
            Value places = graph.cast(part(pairs, 0, graph), Port.Type.INT64);
            Value ofTerms = columns(plain, plain + terms, graph);
            Value read = graph.node("Gather", List.of(ofTerms, places), Attribute.of("axis", 1));
            Value each = graph.node("Mul", read, part(pairs, 1, graph));
            Value sums =
                    graph.node(
                            "ReduceSum",
                            List.of(each, graph.wholes(2)),
                            Attribute.of("keepdims", 0));
            return graph.node("Add", graph.permuted(sums, 1, 0), graph.parameter(bias));
        }

        /** Indices or values of terms, [samples, slots]. */
        private static Value part(Value pairs, int which, Graph graph) {
            return graph.node(
                    "Gather", List.of(pairs, graph.index(which)), Attribute.of("axis", 2));
        }

        private Value columns(long from, long to, Graph graph) {
            return graph.node(
                    "Slice",
                    graph.parameter(weight),
                    graph.wholes(from),
                    graph.wholes(to),
                    graph.wholes(1));
        }

        Value ofPlain(Value x, Graph graph) {
            return graph.node("MatMul", x, graph.permuted(columns(0, plain, graph), 1, 0));
        }

        Tensor ofPlain(Tensor x) {
            return Functional.linear(x, weight.value().narrow(1, 0, plain), null);
        }
    }

    @Override
    public void declare(Declaration declaration) {
        if (others != null) {
            others.declare(declaration);
        }
        declaration.layer("0", weights);
    }

    @Override
    public Tensor forward(List<Tensor> arrays, Pass pass) {
        Tensor scores = weights.forward(arrays.get(termsAt), pass);
        if (others == null) {
            return scores;
        }
        List<Tensor> rest = new ArrayList<>(arrays);
        rest.remove(termsAt);
        return scores.plus(weights.ofPlain(Objects.requireNonNull(others).join(rest, pass)));
    }

    @Override
    public Value graph(List<Value> arrays, Graph graph) {
        Value scores = weights.graph(arrays.get(termsAt), graph);
        if (others == null) {
            return scores;
        }
        List<Value> rest = new ArrayList<>(arrays);
        rest.remove(termsAt);
        return graph.node("Add", scores, weights.ofPlain(others.graph(rest, graph), graph));
    }
}
