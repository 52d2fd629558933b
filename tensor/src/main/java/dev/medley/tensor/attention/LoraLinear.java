package dev.medley.tensor.attention;

import dev.medley.base.model.LoraSpec;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;

/**
 * Adds a learnt product of low rank to a linear layer: W x + b + scale B A x (Hu et al. 2022,
 * section 4.1). A begins as PEFT draws it, B with zeros, so that the layer begins as it was.
 */
final class LoraLinear implements Layer {
    private final Linear base;
    private final Parameter down;
    private final Parameter up;
    private final double scale;

    LoraLinear(long inputs, long outputs, LoraSpec spec) {
        base = new Linear(inputs, outputs);
        down = Parameter.of(Initializer.byFanIn(inputs), spec.rank(), inputs);
        up = Parameter.of(Initializer.constant(0), outputs, spec.rank());
        scale = spec.scale();
    }

    @Override
    public void declare(Declaration declaration) {
        base.declare(declaration);
        declaration.adapter("lora_A", down);
        declaration.adapter("lora_B", up);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor inner = Functional.linear(x, down.value(), null);
        Tensor added = Functional.linear(inner, up.value(), null).times(scale);
        return base.forward(x, pass).plus(added);
    }
}
