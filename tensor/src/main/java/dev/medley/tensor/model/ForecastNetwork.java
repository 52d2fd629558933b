package dev.medley.tensor.model;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Activation;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import java.util.List;

/**
 * Forecasts windows with columns that are known ahead: a regression on those columns, the same for
 * all rows, explains a part of every row, and the body forecasts what it leaves unexplained
 * (regression with forecast errors; Hyndman, Athanasopoulos 2021, chapter 10).
 *
 * @param body from [samples, look-back, channels] to [samples, horizon * channels]
 * @param effect from the known columns of rows to channels
 */
record ForecastNetwork(Layer body, Layer effect) implements Network {
    private static final int HIDDEN = 32;

    /** The body alone where nothing is known ahead; the regression of a linear model is linear. */
    static Network of(ModelSpec spec, Layer body, Signature signature) {
        if (signature.inputs().size() == 1) {
            return Network.of(body);
        }
        int channels = signature.inputs().get(0).shape().get(1);
        int known = signature.inputs().get(1).shape().get(1);
        Layer effect =
                spec instanceof ModelSpec.Linear
                        ? new Linear(known, channels)
                        : Sequential.of(
                                List.of(
                                        new Linear(known, HIDDEN),
                                        Activation.GELU,
                                        new Linear(HIDDEN, channels)));
        return new ForecastNetwork(body, effect);
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.layer("body", body);
        declaration.layer("known", effect);
    }

    @Override
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        Tensor past = inputs.get(0);
        Tensor known = inputs.get(1);
        long samples = known.size(0);
        long rows = known.size(1);
        Tensor explained =
                effect.forward(known.reshape(samples * rows, known.size(2)), pass)
                        .view(samples, rows, past.size(2));
        long seen = past.size(1);
        Tensor rest = past.minus(explained.narrow(1, 0, seen));
        Tensor ahead = explained.narrow(1, seen, rows - seen).reshape(samples, -1);
        return body.forward(rest, pass).plus(ahead);
    }

    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        Value past = inputs.get(0);
        Value explained = effect.graph(inputs.get(1), graph);
        Value seen = graph.length(past, 1);
        Value start = graph.wholes(0);
        Value end = graph.wholes(Integer.MAX_VALUE);
        Value axis = graph.wholes(1);
        Value before = graph.node("Slice", explained, start, seen, axis);
        Value ahead = graph.node("Slice", explained, seen, end, axis);
        Value rest = body.graph(graph.node("Sub", past, before), graph);
        return graph.node("Add", rest, graph.flattened(ahead, 1));
    }
}
