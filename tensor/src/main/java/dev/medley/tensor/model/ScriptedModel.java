package dev.medley.tensor.model;

import dev.medley.base.ConfigException;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.script.ScriptedNetwork;
import java.util.List;

/**
 * A model that is a program in TorchScript.
 *
 * @param script that computes it
 */
record ScriptedModel(ScriptedNetwork script) implements Network {
    @Override
    public void declare(Declaration declaration) {
        script.declare(declaration);
    }

    @Override
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        return script.forward(inputs, pass);
    }

    @Override
    public void close() {
        script.close();
    }

    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        throw new ConfigException(
                "a model of family torchscript cannot be written to ONNX here: write it with medley"
                        + " export MODEL --torchscript net.pt, and use torch.onnx in Python");
    }
}
