package dev.medley.tensor.forecast;

import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Pass;
import java.util.List;

/**
 * Brings each channel of each window to mean 0 and deviation 1, and its forecast back: reversible
 * instance normalisation (Kim et al. 2022), without a learnt scale and shift.
 *
 * @param body from [samples, look-back, channels] to [samples, horizon * channels]
 */
public record NormalisedForecast(Layer body) implements Layer {
    private static final double EPSILON = 1e-5;

    @Override
    public void declare(Declaration declaration) {
        body.declare(declaration);
    }

    /** [samples, horizon * channels] of windows [samples, look-back, channels]. */
    @Override
    public Tensor forward(Tensor x, Pass pass) {
        long samples = x.size(0);
        long channels = x.size(2);
        Tensor mean = mean(x);
        Tensor away = x.minus(mean);
        Tensor deviation = mean(away.times(away)).plus(EPSILON).sqrt();
        Tensor next = body.forward(away.divide(deviation), pass).view(samples, -1, channels);
        return next.times(deviation).plus(mean).reshape(samples, -1);
    }

    /** Over the rows, [samples, 1, channels]. */
    private static Tensor mean(Tensor x) {
        return x.sum(1).times(1.0 / x.size(1)).view(x.size(0), 1, x.size(2));
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value mean = mean(x, graph);
        Value away = graph.node("Sub", x, mean);
        Value squares = mean(graph.node("Mul", away, away), graph);
        Value deviation = graph.node("Sqrt", graph.node("Add", squares, graph.number(EPSILON)));
        Value next = body.graph(graph.node("Div", away, deviation), graph);
        Value rows = graph.reshaped(next, graph.length(x, 0), graph.wholes(-1), graph.length(x, 2));
        Value back = graph.node("Add", graph.node("Mul", rows, deviation), mean);
        return graph.flattened(back, 1);
    }

    private static Value mean(Value x, Graph graph) {
        return graph.node("ReduceMean", List.of(x), Attribute.list("axes", 1));
    }
}
