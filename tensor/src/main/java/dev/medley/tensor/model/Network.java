package dev.medley.tensor.model;

import dev.medley.base.ConfigException;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.KeyValueCache;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Pass;
import java.util.List;

/** A whole model: all arrays of a batch in, one prediction out. */
public interface Network {
    /** Declares parameters, statistics and layers, in the order of their use. */
    void declare(Declaration declaration);

    /**
     * The outputs, [samples, outputs], or [samples, context, outputs] for tokens.
     *
     * @param inputs in the order of the signature; images and numbers as floats, indices as INT64
     */
    Tensor forward(List<Tensor> inputs, Pass pass);

    /**
     * Networks that it consists of. Where they are several, training outputs have their number as a
     * second dimension; those of an evaluation are what all predict together.
     */
    default int members() {
        return 1;
    }

    /**
     * Adds to {@code graph} what {@link #forward} computes in evaluation; see {@link Layer#graph}.
     *
     * @throws ConfigException where the network cannot be written so
     */
    default Value graph(List<Value> inputs, Graph graph) {
        throw new ConfigException(
                getClass().getName()
                        + ": cannot be written to ONNX: the class has no method graph(List, Graph),"
                        + " which tells it in ONNX's operators");
    }

    /** Whether a pass with a {@link KeyValueCache} goes on with a sequence of tokens. */
    default boolean goesOn() {
        return false;
    }

    /** Frees what it holds beside parameters and statistics: most hold nothing. */
    default void close() {}

    /** Whether a parameter is no part of the pretrained model that the network begins with. */
    default boolean isNew(String parameter) {
        return false;
    }

    /** A network of one input. */
    static Network of(Layer layer) {
        return new Network() {
            @Override
            public void declare(Declaration declaration) {
                layer.declare(declaration);
            }

            @Override
            public Tensor forward(List<Tensor> inputs, Pass pass) {
                return layer.forward(inputs.get(0), pass);
            }

            @Override
            public Value graph(List<Value> inputs, Graph graph) {
                return layer.graph(inputs.get(0), graph);
            }
        };
    }
}
