package dev.medley.tensor.model;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.attention.TransformerBlock;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.KeyValueCache;
import dev.medley.tensor.layer.LayerNorm;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A decoder-only language model (Vaswani et al. 2017; Radford et al. 2019): token and position
 * embeddings, pre-norm blocks, a norm, and a head that is not tied to the embedding.
 */
public final class TransformerModel implements Network {
    private final int context;
    private final Embedding tokens;
    private final Embedding positions;
    private final Dropout dropout;
    private final Sequential blocks;
    private final LayerNorm norm;
    private final Linear head;

    /** For sequences of at most {@code context} tokens. */
    public TransformerModel(ModelSpec.Transformer spec, int vocabulary, int context, int outputs) {
        this.context = context;
        int width = spec.width();
        tokens = new Embedding(vocabulary, width);
        positions = new Embedding(context, width);
        dropout = new Dropout(spec.dropout());
        blocks =
                Sequential.of(
                        IntStream.range(0, spec.layers())
                                .mapToObj(
                                        i ->
                                                TransformerBlock.causal(
                                                        width, spec.heads(), spec.dropout()))
                                .toList());
        norm = new LayerNorm(width);
        head = new Linear(width, outputs);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("tok", tokens);
        declaration.layer("pos", positions);
        declaration.layer("blocks", blocks);
        declaration.layer("norm", norm);
        declaration.layer("head", head);
    }

    /**
     * Logits [samples, positions, outputs] of token indices [samples, positions]; of the last
     * position alone where a cache goes on with a sequence.
     */
    @Override
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        Tensor x = inputs.get(0);
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
        return head.forward(norm.forward(asked, pass), pass);
    }

    @Override
    public boolean goesOn() {
        return true;
    }

    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        Value x = inputs.get(0);
        Value where =
                graph.node(
                        "Slice",
                        positions.rows(graph),
                        graph.wholes(0),
                        graph.length(x, 1),
                        graph.wholes(0));
        Value stream = graph.node("Add", tokens.graph(x, graph), where);
        return head.graph(norm.graph(blocks.graph(stream, graph), graph), graph);
    }
}
