package dev.medley.tensor.language;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.model.LanguageModelSpec;
import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.attention.BlockForm;
import dev.medley.tensor.attention.TransformerBlock;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.LayerNorm;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says the class of token sequences with an encoder in which every position sees all. A token of -1
 * is none: nobody sees it.
 *
 * <p>A pretrained one answers by a pooler of its first token (Devlin et al. 2019); one that is
 * drawn anew by the mean over its positions.
 */
public final class TextClassifier implements Layer {
    /** What scores lose where nobody sees a position: their exponentials become 0. */
    private static final double HIDDEN = 1e9;

    private final boolean isFixed;
    private final Embedding tokens;
    private final Embedding positions;
    private final LayerNorm norm;
    private final Dropout dropout;
    private final Sequential blocks;
    private final @Nullable Linear pooler;
    private final Linear head;

    /** Drawn anew, for sequences of at most {@code context} tokens. */
    public TextClassifier(ModelSpec.Transformer spec, int vocabulary, int context, int outputs) {
        isFixed = false;
        int width = spec.width();
        tokens = new Embedding(vocabulary, width);
        positions = new Embedding(context, width);
        dropout = new Dropout(spec.dropout());
        BlockForm form = BlockForm.full(width, spec.heads(), spec.dropout());
        blocks = TransformerBlock.stack(spec.layers(), form);
        norm = new LayerNorm(width);
        pooler = null;
        head = new Linear(width, outputs);
    }

    /** A pretrained one with a head of {@code outputs}. */
    public TextClassifier(ModelSpec.Pretrained spec, int outputs) {
        LanguageModelSpec found = spec.architecture();
        isFixed = spec.lora() != null;
        tokens = new Embedding(found.vocabulary(), found.width());
        positions = new Embedding(found.positions(), found.width());
        dropout = new Dropout(spec.dropout());
        BlockForm form = BlockForm.of(found, spec.dropout(), spec.lora());
        blocks = TransformerBlock.stack(found.layers(), form);
        norm = new LayerNorm(found.width(), found.epsilon());
        pooler = new Linear(found.width(), found.width());
        head = new Linear(found.width(), outputs);
    }

    @Override
    public void declare(Declaration declaration) {
        Declaration own = isFixed ? declaration.fixed() : declaration;
        own.layer("tok", tokens);
        own.layer("pos", positions);
        own.layer("norm", norm);
        own.layer("blocks", blocks);
        if (pooler != null) {
            own.layer("pooler", pooler);
        }
        declaration.layer("head", head);
    }

    /** Logits [samples, outputs] of token indices [samples, positions]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor seen = x.differsFrom(-1);
        Pass among = pass.seeing(seen.view(x.size(0), 1, 1, x.size(1)));
        Tensor where = positions.rows().narrow(0, 0, x.size(1));
        Tensor stream = tokens.forward(x.atLeast(0), pass).plus(where);
        Tensor answer = pooler == null ? mean(stream, seen, among) : first(stream, pooler, among);
        return head.forward(dropout.forward(answer, pass), pass);
    }

    private Tensor first(Tensor stream, Linear through, Pass pass) {
        Tensor begun = dropout.forward(norm.forward(stream, pass), pass);
        Tensor first = blocks.forward(begun, pass).select(1, 0);
        return Functional.tanh(through.forward(first, pass));
    }

    private Tensor mean(Tensor stream, Tensor seen, Pass pass) {
        Tensor all = norm.forward(blocks.forward(dropout.forward(stream, pass), pass), pass);
        Tensor weights = seen.to(all.type());
        Tensor sum = all.times(weights.view(all.size(0), all.size(1), 1)).sum(1);
        return sum.divide(weights.sum(1).view(all.size(0), 1));
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value seen = graph.areTokens(x);
        Value hidden = graph.node("Sub", seen, graph.number(1));
        Value added = graph.node("Mul", hidden, graph.number(HIDDEN));
        Value where =
                graph.node(
                        "Slice",
                        positions.rows(graph),
                        graph.wholes(0),
                        graph.length(x, 1),
                        graph.wholes(0));
        Value known = graph.node("Max", x, graph.index(0));
        Value stream = graph.node("Add", tokens.graph(known, graph), where);
        graph.see(graph.node("Unsqueeze", added, graph.wholes(1, 2)));
        Value read = blocks.graph(pooler == null ? stream : norm.graph(stream, graph), graph);
        graph.see(null);
        return head.graph(
                pooler == null ? mean(read, seen, graph) : first(read, pooler, graph), graph);
    }

    private static Value first(Value read, Linear through, Graph graph) {
        Value first = graph.node("Gather", List.of(read, graph.index(0)), Attribute.of("axis", 1));
        return graph.node("Tanh", through.graph(first, graph));
    }

    private Value mean(Value read, Value seen, Graph graph) {
        Value weights = graph.node("Unsqueeze", seen, graph.wholes(2));
        Value weighed = graph.node("Mul", norm.graph(read, graph), weights);
        Attribute flat = Attribute.of("keepdims", 0);
        Value sum = graph.node("ReduceSum", List.of(weighed, graph.wholes(1)), flat);
        return graph.node(
                "Div", sum, graph.node("ReduceSum", List.of(weights, graph.wholes(1)), flat));
    }
}
