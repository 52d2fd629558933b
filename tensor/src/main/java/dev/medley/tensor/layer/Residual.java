package dev.medley.tensor.layer;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;

/**
 * Adds two paths (He et al. 2016): a body, and a shortcut that is the input itself where the shapes
 * agree.
 */
public final class Residual implements Layer {
    private final Layer body;
    private final Layer shortcut;

    private Residual(Layer body, Layer shortcut) {
        this.body = body;
        this.shortcut = shortcut;
    }

    /** x + body(x). */
    public static Residual around(Layer body) {
        return new Residual(body, Sequential.of());
    }

    /** shortcut(x) + body(x), where the body changes the shape. */
    public static Residual around(Layer body, Layer shortcut) {
        return new Residual(body, shortcut);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("body", body);
        declaration.layer("shortcut", shortcut);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        return body.forward(x, pass).plus(shortcut.forward(x, pass));
    }

    @Override
    public Value graph(Value x, Graph graph) {
        return graph.node("Add", body.graph(x, graph), shortcut.graph(x, graph));
    }
}
