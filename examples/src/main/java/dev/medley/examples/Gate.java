package dev.medley.examples;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;

/** Multiplies each input by a factor that is learnt: a layer with one parameter an input. */
public final class Gate implements Layer {
    private final Parameter factors;

    /** A gate of that many inputs, all open. */
    public Gate(long inputs) {
        factors = Parameter.of(Initializer.constant(1), inputs);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("factors", factors);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return x.times(factors.value());
    }
}
