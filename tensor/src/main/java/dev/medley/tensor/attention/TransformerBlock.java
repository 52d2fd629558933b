package dev.medley.tensor.attention;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.LayerNorm;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;

/**
 * Applies attention and a feed-forward network of four times the width with GELU. Each is
 * normalised before and added to the residual stream (Radford et al. 2019).
 */
public final class TransformerBlock implements Layer {
    private final LayerNorm beforeAttention;
    private final SelfAttention attention;
    private final LayerNorm beforeFeedForward;
    private final Linear up;
    private final Linear down;
    private final Dropout dropout;

    /**
     * A position sees what came before it; {@code heads} divides {@code width}, and {@code dropout}
     * is applied to both additions.
     */
    public static TransformerBlock causal(int width, int heads, double dropout) {
        return new TransformerBlock(SelfAttention.causal(width, heads), width, dropout);
    }

    /** The same where every position sees all. */
    public static TransformerBlock full(int width, int heads, double dropout) {
        return new TransformerBlock(SelfAttention.full(width, heads), width, dropout);
    }

    private TransformerBlock(SelfAttention attention, int width, double dropout) {
        beforeAttention = new LayerNorm(width);
        this.attention = attention;
        beforeFeedForward = new LayerNorm(width);
        up = new Linear(width, 4L * width);
        down = new Linear(4L * width, width);
        this.dropout = new Dropout(dropout);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("n1", beforeAttention);
        attention.declare(declaration);
        declaration.layer("n2", beforeFeedForward);
        declaration.layer("up", up);
        declaration.layer("down", down);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor seen = attention.forward(beforeAttention.forward(x, pass), pass);
        Tensor y = x.plus(dropout.forward(seen, pass));
        Tensor inner = Functional.gelu(up.forward(beforeFeedForward.forward(y, pass), pass));
        return y.plus(dropout.forward(down.forward(inner, pass), pass));
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value y = graph.node("Add", x, attention.graph(beforeAttention.graph(x, graph), graph));
        Value inner = up.graph(beforeFeedForward.graph(y, graph), graph);
        Value added = down.graph(Activation.GELU.graph(inner, graph), graph);
        return graph.node("Add", y, added);
    }
}
