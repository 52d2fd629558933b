package dev.medley.tensor.table;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import java.util.List;

/**
 * Embeds each number x by sines and cosines of learned frequencies c, then a linear layer of its
 * own and ReLU: the PLR of Gorishniy, Rubachev and Babenko 2022 (arXiv 2203.05556, section 3.3).
 *
 * <pre>
 *     relu(W [sin(2 pi c x), cos(2 pi c x)] + b)
 * </pre>
 */
final class PeriodicNumbers implements NumericLayer {
    private static final int FREQUENCIES = 16;
    private static final int WIDTH = 8;

    /** Of the frequencies at the beginning; scaled numbers are about as large as 1. */
    private static final double DEVIATION = 0.3;

    private final int columns;
    private final Parameter frequency;
    private final Parameter weight;
    private final Parameter bias;

    PeriodicNumbers(int columns) {
        this.columns = columns;
        long waves = 2L * FREQUENCIES;
        frequency = Parameter.of(Initializer.normal(DEVIATION), columns, 1, FREQUENCIES);
        weight = Parameter.of(Initializer.byFanIn(waves), columns, waves, WIDTH);
        bias = Parameter.of(Initializer.byFanIn(waves), columns, 1, WIDTH);
    }

    @Override
    public long width() {
        return (long) columns * WIDTH;
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("frequency", frequency);
        declaration.parameter("weight", weight);
        declaration.parameter("bias", bias);
    }

    @Override
    public Tensor forward(Tensor x, Pass pass) {
        Tensor byColumn = x.transpose(0, 1).reshape(columns, x.size(0), 1);
        Tensor angles = byColumn.times(frequency.value().times(2 * Math.PI));
        Tensor waves =
                Tensor.concatenate(List.of(Functional.sin(angles), Functional.cos(angles)), 2);
        Tensor embedded = Functional.relu(waves.matmul(weight.value()).plus(bias.value()));
        return embedded.permute(1, 0, 2).reshape(x.size(0), width());
    }

    @Override
    public Value graph(Value x, Graph graph) {
        Value byColumn = graph.node("Unsqueeze", graph.permuted(x, 1, 0), graph.wholes(2));
        Value turns = graph.node("Mul", graph.parameter(frequency), graph.number(2 * Math.PI));
        Value angles = graph.node("Mul", byColumn, turns);
        Value waves =
                graph.joined(List.of(graph.node("Sin", angles), graph.node("Cos", angles)), 2);
        Value product = graph.node("MatMul", waves, graph.parameter(weight));
        Value embedded = graph.node("Relu", graph.node("Add", product, graph.parameter(bias)));
        return graph.flattened(graph.permuted(embedded, 1, 0, 2), 1);
    }
}
