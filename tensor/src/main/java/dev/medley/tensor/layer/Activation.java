package dev.medley.tensor.layer;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;

/** The non-linearities between layers. */
public enum Activation implements Layer {
    /** max(x, 0). */
    RELU {
        @Override
        public Tensor forward(Tensor x, Pass pass) {
            return Functional.relu(x);
        }
    },
    /** x times the normal distribution function of x (Hendrycks, Gimpel 2016). */
    GELU {
        @Override
        public Tensor forward(Tensor x, Pass pass) {
            return Functional.gelu(x);
        }
    },
    /** Hyperbolic tangent. */
    TANH {
        @Override
        public Tensor forward(Tensor x, Pass pass) {
            return Functional.tanh(x);
        }
    };

    @Override
    public void declare(Declaration declaration) {
        // Nothing is learned.
    }
}
