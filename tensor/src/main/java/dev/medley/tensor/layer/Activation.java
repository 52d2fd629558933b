package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;

/** The non-linearities between layers. */
public enum Activation implements Layer {
    /** max(x, 0). */
    RELU {
        @Override
        public Tensor forward(Tensor x, Pass pass) {
            return Functional.relu(x);
        }

        @Override
        public Value graph(Value x, Graph graph) {
            return graph.node("Relu", x);
        }
    },
    /** x times the normal distribution function of x (Hendrycks, Gimpel 2016). */
    GELU {
        @Override
        public Tensor forward(Tensor x, Pass pass) {
            return Functional.gelu(x);
        }

        @Override
        public Value graph(Value x, Graph graph) {
            Value below = graph.node("Erf", graph.node("Mul", x, graph.number(Math.sqrt(0.5))));
            Value twice = graph.node("Mul", x, graph.node("Add", below, graph.number(1)));
            return graph.node("Mul", twice, graph.number(0.5));
        }
    },
    /** Hyperbolic tangent. */
    TANH {
        @Override
        public Tensor forward(Tensor x, Pass pass) {
            return Functional.tanh(x);
        }

        @Override
        public Value graph(Value x, Graph graph) {
            return graph.node("Tanh", x);
        }
    };

    @Override
    public void declare(Declaration declaration) {
        // Nothing is learned.
    }
}
