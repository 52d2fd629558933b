package dev.medley.tensor.recurrent;

import dev.medley.base.job.ModelSpec;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Dropout;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a sequence with a recurrence and answers from its last output. Where the next token is
 * asked for at every position, it answers from all of them. Tokens are embedded in the width first.
 */
public final class RecurrentModel implements Layer {
    private final @Nullable Embedding tokens;
    private final Recurrence recurrence;
    private final Dropout dropout;
    private final Linear head;
    private final boolean answersEach;

    private RecurrentModel(
            ModelSpec.Recurrent spec,
            @Nullable Embedding tokens,
            int features,
            int outputs,
            boolean answersEach) {
        this.tokens = tokens;
        recurrence =
                spec instanceof ModelSpec.Gru
                        ? Recurrence.gru(features, spec.width(), spec.layers())
                        : Recurrence.lstm(features, spec.width(), spec.layers());
        dropout = new Dropout(spec.dropout());
        head = new Linear(spec.width(), outputs);
        this.answersEach = answersEach;
    }

    /** Of rows of numbers [samples, rows, features]: [samples, outputs]. */
    public static RecurrentModel ofRows(ModelSpec.Recurrent spec, int features, int outputs) {
        return new RecurrentModel(spec, null, features, outputs, false);
    }

    /**
     * Of token indices [samples, positions], -1 behind the end of a sequence: [samples, outputs].
     */
    public static RecurrentModel ofTokens(ModelSpec.Recurrent spec, int vocabulary, int outputs) {
        Embedding tokens = new Embedding(vocabulary, spec.width());
        return new RecurrentModel(spec, tokens, spec.width(), outputs, false);
    }

    /** Of token indices [samples, positions]: what comes next, [samples, positions, outputs]. */
    public static RecurrentModel ofText(ModelSpec.Recurrent spec, int vocabulary, int outputs) {
        Embedding tokens = new Embedding(vocabulary, spec.width());
        return new RecurrentModel(spec, tokens, spec.width(), outputs, true);
    }

    @Override
    public void declare(Declaration declaration) {
        if (tokens != null) {
            declaration.layer("tok", tokens);
        }
        declaration.layer("rnn", recurrence);
        declaration.layer("head", head);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        boolean mayEnd = tokens != null && !answersEach;
        Tensor rows = tokens == null ? x : tokens.forward(mayEnd ? x.atLeast(0) : x, pass);
        Tensor read = recurrence.forward(rows, pass);
        Tensor answers = answersEach ? read : mayEnd ? atEnd(read, x) : read.select(1, -1);
        return head.forward(dropout.forward(answers, pass), pass);
    }

    /** What was read at the last token of each sequence; those behind it are -1, which is none. */
    private static Tensor atEnd(Tensor read, Tensor x) {
        long samples = x.size(0);
        Tensor isToken = x.differsFrom(-1).to(read.type());
        Tensor behind = isToken.narrow(1, 1, x.size(1) - 1);
        Tensor none = isToken.narrow(1, 0, 1).times(0.0);
        Tensor isLast = isToken.minus(Tensor.concatenate(List.of(behind, none), 1));
        return read.times(isLast.view(samples, x.size(1), 1)).sum(1);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        boolean mayEnd = tokens != null && !answersEach;
        Value known = mayEnd ? graph.node("Max", x, graph.index(0)) : x;
        Value read = recurrence.graph(tokens == null ? x : tokens.graph(known, graph), graph);
        Attribute ofRows = Attribute.of("axis", 1);
        Value answers =
                answersEach
                        ? read
                        : mayEnd
                                ? atEnd(read, x, graph)
                                : graph.node("Gather", List.of(read, graph.index(-1)), ofRows);
        return head.graph(answers, graph);
    }

    private static Value atEnd(Value read, Value x, Graph graph) {
        Value isToken = graph.areTokens(x);
        Value axis = graph.wholes(1);
        Value first = graph.node("Slice", isToken, graph.wholes(0), graph.wholes(1), axis);
        Value behind =
                graph.node("Slice", isToken, graph.wholes(1), graph.wholes(Long.MAX_VALUE), axis);
        Value none = graph.node("Mul", first, graph.number(0));
        Value next = graph.joined(List.of(behind, none), 1);
        Value isLast = graph.node("Unsqueeze", graph.node("Sub", isToken, next), graph.wholes(2));
        return graph.node(
                "ReduceSum",
                List.of(graph.node("Mul", read, isLast), axis),
                Attribute.of("keepdims", 0));
    }
}
