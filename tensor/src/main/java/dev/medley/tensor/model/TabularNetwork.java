package dev.medley.tensor.model;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import java.util.List;

/**
 * A network of layers over a row of numbers. The layers' names are their indices, as in PyTorch's
 * Sequential.
 */
record TabularNetwork(TabularInput input, Sequential layers) implements Network {
    @Override
    public void declare(Declaration declaration) {
        input.declare(declaration);
        layers.declare(declaration);
    }

    @Override
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        return layers.forward(input.join(inputs, pass), pass);
    }
}
