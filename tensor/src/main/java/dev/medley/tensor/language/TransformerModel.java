package dev.medley.tensor.language;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.model.LanguageModelSpec;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.attention.BlockForm;
import dev.medley.tensor.attention.TransformerBlock;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.KeyValueCache;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.LayerNorm;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import org.jspecify.annotations.Nullable;

/**
 * A decoder-only language model (Vaswani et al. 2017; Radford et al. 2019): token and position
 * embeddings, pre-norm blocks, a norm, and a head. The head of a pretrained one is its token
 * embedding.
 */
public final class TransformerModel implements Layer {
    private final int context;
    private final boolean isFixed;
    private final Embedding tokens;
    private final Embedding positions;
    private final Dropout dropout;
    private final Sequential blocks;
    private final LayerNorm norm;
    private final @Nullable Linear head;

    /** For sequences of at most {@code context} tokens. */
    public TransformerModel(ModelSpec.Transformer spec, int vocabulary, int context, int outputs) {
        this.context = context;
        isFixed = false;
        int width = spec.width();
        tokens = new Embedding(vocabulary, width);
        positions = new Embedding(context, width);
        dropout = new Dropout(spec.dropout());
        BlockForm form = BlockForm.causal(width, spec.heads(), spec.dropout());
        blocks = TransformerBlock.stack(spec.layers(), form);
        norm = new LayerNorm(width);
        head = new Linear(width, outputs);
    }

    /** A pretrained one, for sequences as long as it has positions. */
    public TransformerModel(ModelSpec.Pretrained spec) {
        LanguageModelSpec found = spec.architecture();
        context = found.positions();
        isFixed = spec.lora() != null;
        tokens = new Embedding(found.vocabulary(), found.width());
        positions = new Embedding(found.positions(), found.width());
        dropout = new Dropout(spec.dropout());
        BlockForm form = BlockForm.of(found, spec.dropout(), spec.lora());
        blocks = TransformerBlock.stack(found.layers(), form);
        norm = new LayerNorm(found.width(), found.epsilon());
        head = null;
    }

    @Override
    public void declare(Declaration declaration) {
        Declaration own = isFixed ? declaration.fixed() : declaration;
        own.layer("tok", tokens);
        own.layer("pos", positions);
        own.layer("blocks", blocks);
        own.layer("norm", norm);
        if (head != null) {
            own.layer("head", head);
        }
    }

    /**
     * Logits [samples, positions, outputs] of token indices [samples, positions]; of the last
     * position alone where a cache goes on with a sequence.
     */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        KeyValueCache cache = pass.cache();
        long before = cache == null ? 0 : cache.length();
        long length = x.size(1);
        ConfigException.check(
                before + length <= context,
                "a sequence of %d tokens is longer than the model's context of %d",
                before + length,
                context);
        Tensor where = positions.rows().narrow(0, before, length);
        Tensor stream = dropout.forward(tokens.forward(x, pass).plus(where), pass);
        Tensor seen = blocks.forward(stream, pass);
        Tensor asked = cache == null ? seen : seen.narrow(1, length - 1, 1);
        Tensor normed = norm.forward(asked, pass);
        return head == null
                ? Functional.linear(normed, tokens.rows(), null)
                : head.forward(normed, pass);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value where =
                graph.node(
                        "Slice",
                        positions.rows(graph),
                        graph.wholes(0),
                        graph.length(x, 1),
                        graph.wholes(0));
        Value stream = graph.node("Add", tokens.graph(x, graph), where);
        Value normed = norm.graph(blocks.graph(stream, graph), graph);
        return head == null
                ? graph.node("MatMul", normed, graph.permuted(tokens.rows(graph), 1, 0))
                : head.graph(normed, graph);
    }
}
