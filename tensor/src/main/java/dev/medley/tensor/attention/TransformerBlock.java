package dev.medley.tensor.attention;

import dev.medley.base.model.LanguageModelSpec.Gelu;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.LayerNorm;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import java.util.stream.IntStream;

/**
 * Applies attention and a feed-forward network with GELU, each added to the residual stream. The
 * norms lie before both (Radford et al. 2019) or behind the sums (Vaswani et al. 2017).
 */
public final class TransformerBlock implements Layer {
    private final BlockForm form;
    private final LayerNorm ofAttention;
    private final SelfAttention attention;
    private final LayerNorm ofFeedForward;
    private final Layer up;
    private final Layer down;
    private final Dropout dropout;

    /** Blocks one above the other. */
    public static Sequential stack(int layers, BlockForm form) {
        return Sequential.of(
                IntStream.range(0, layers).mapToObj(i -> new TransformerBlock(form)).toList());
    }

    private TransformerBlock(BlockForm form) {
        this.form = form;
        ofAttention = new LayerNorm(form.width(), form.epsilon());
        attention = new SelfAttention(form);
        ofFeedForward = new LayerNorm(form.width(), form.epsilon());
        up = form.linear("up", form.width(), form.inner());
        down = form.linear("down", form.inner(), form.width());
        dropout = new Dropout(form.dropout());
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("n1", ofAttention);
        attention.declare(declaration);
        declaration.layer("n2", ofFeedForward);
        declaration.layer("up", up);
        declaration.layer("down", down);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        if (form.isNormedBefore()) {
            Tensor seen = attention.forward(ofAttention.forward(x, pass), pass);
            Tensor y = x.plus(dropout.forward(seen, pass));
            return y.plus(feedForward(ofFeedForward.forward(y, pass), pass));
        }
        Tensor seen = dropout.forward(attention.forward(x, pass), pass);
        Tensor y = ofAttention.forward(x.plus(seen), pass);
        return ofFeedForward.forward(y.plus(feedForward(y, pass)), pass);
    }

    private Tensor feedForward(Tensor x, Pass pass) {
        Tensor wide = up.forward(x, pass);
        Tensor inner =
                form.gelu() == Gelu.EXACT ? Functional.gelu(wide) : Functional.geluByTanh(wide);
        return dropout.forward(down.forward(inner, pass), pass);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        if (form.isNormedBefore()) {
            Value seen = attention.graph(ofAttention.graph(x, graph), graph);
            Value y = graph.node("Add", x, seen);
            return graph.node("Add", y, feedForward(ofFeedForward.graph(y, graph), graph));
        }
        Value seen = graph.node("Add", x, attention.graph(x, graph));
        Value y = ofAttention.graph(seen, graph);
        return ofFeedForward.graph(graph.node("Add", y, feedForward(y, graph)), graph);
    }

    private Value feedForward(Value x, Graph graph) {
        Value wide = up.graph(x, graph);
        Value inner =
                form.gelu() == Gelu.EXACT
                        ? Activation.GELU.graph(wide, graph)
                        : geluByTanh(wide, graph);
        return down.graph(inner, graph);
    }

    /** {@code x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))}, as PyTorch has it. */
    private static Value geluByTanh(Value x, Graph graph) {
        Value cube = graph.node("Mul", graph.node("Mul", x, x), x);
        Value sum = graph.node("Add", x, graph.node("Mul", cube, graph.number(0.044715)));
        Value scaled = graph.node("Mul", sum, graph.number(Math.sqrt(2 / Math.PI)));
        Value gate = graph.node("Add", graph.node("Tanh", scaled), graph.number(1));
        return graph.node("Mul", graph.node("Mul", x, graph.number(0.5)), gate);
    }
}
