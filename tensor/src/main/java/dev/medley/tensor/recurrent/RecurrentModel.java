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

    /** Of token indices [samples, positions]: [samples, outputs]. */
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
        Tensor rows = tokens == null ? x : tokens.forward(x, pass);
        Tensor read = recurrence.forward(rows, pass);
        Tensor answers = answersEach ? read : read.select(1, -1);
        return head.forward(dropout.forward(answers, pass), pass);
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value read = recurrence.graph(tokens == null ? x : tokens.graph(x, graph), graph);
        Value answers =
                answersEach
                        ? read
                        : graph.node(
                                "Gather", List.of(read, graph.index(-1)), Attribute.of("axis", 1));
        return head.graph(answers, graph);
    }
}
