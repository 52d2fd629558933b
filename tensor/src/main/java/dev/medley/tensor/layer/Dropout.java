package dev.medley.tensor.layer;

import dev.medley.base.ConfigException;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;

/**
 * Sets a share of the values to zero in training and scales the others up (Srivastava et al. 2014).
 * The choice of values is a function of (seed, step, position).
 *
 * @param share from 0 to below 1
 */
public record Dropout(double share) implements Layer {
    public Dropout {
        ConfigException.check(share >= 0 && share < 1, "dropout=%s: from 0 to below 1", share);
    }

    @Override
    public void declare(Declaration declaration) {
        // Nothing is learned.
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return share > 0 && pass.isTraining() ? Functional.dropout(x, share, pass.random()) : x;
    }

    @Override
    public Value graph(Value x, Graph graph) {
        return x;
    }
}
