package dev.medley.tensor.attention;

import dev.medley.base.model.LanguageModelSpec.Gelu;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
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
}
