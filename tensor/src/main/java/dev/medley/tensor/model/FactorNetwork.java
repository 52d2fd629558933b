package dev.medley.tensor.model;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.model.FactorSpec;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Embedding;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.table.FactorRows;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Predicts by a factorisation machine of degree 2 (Rendle 2010, equations 1 and 5):
 *
 * <pre>w0 + sum_i w_i x_i + 1/2 sum_f ((sum_i v_if x_i)^2 - sum_i v_if^2 x_i^2)</pre>
 *
 * where x_i is 1 for the codes of a sample, and its numbers. Of a user and an item that is the bias
 * of all, of the user and of the item, and the product of their factors. What training has not seen
 * has the weight 0 and the factors 0.
 */
public final class FactorNetwork implements Network {
    /** Name of the array of biases, [rows, 1]. */
    public static final String WEIGHTS = "weights.weight";

    /** Name of the array of factors, [rows, rank]. */
    public static final String FACTORS = "factors.weight";

    /** Deviation of factors at the beginning. */
    private static final double DEVIATION = 0.1;

    private final FactorRows rows;
    private final Parameter bias = Parameter.of(Initializer.constant(0), 1);
    private final Embedding weights;
    private final Embedding factors;

    private FactorNetwork(FactorRows rows, int rank) {
        this.rows = rows;
        weights = new Embedding(rows.count(), 1, Initializer.constant(0));
        factors = new Embedding(rows.count(), rank, seen(rows, rank));
    }

    /**
     * A network for a table.
     *
     * @throws dev.medley.base.ConfigException if it cannot be factorised
     */
    public static FactorNetwork of(FactorSpec spec, Signature signature) {
        return new FactorNetwork(FactorRows.of(spec, signature), spec.rank());
    }

    /** Draws element by element, row by row, and leaves rows of unseen values at 0. */
    private static Initializer seen(FactorRows rows, int rank) {
        return new Initializer() {
            private final Initializer drawn = Initializer.normal(DEVIATION);
            private long element;

            @Override
            public double draw(RandomGenerator random) {
                double value = drawn.draw(random);
                int row = (int) (element++ / rank);
                return rows.isUnseen(row) ? 0 : value;
            }
        };
    }

    @Override
    public void declare(Declaration declaration) {
        declaration.parameter("bias", bias);
        declaration.layer("weights", weights);
        declaration.layer("factors", factors);
    }

    @Override
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        Tensor linear = null;
        Tensor sums = null;
        Tensor squares = null;
        for (int i = 0; i < inputs.size(); i++) {
            boolean isCodes = rows.categories() > 0 && i == inputs.size() - 1;
            Tensor x = inputs.get(i);
            Tensor w;
            Tensor v;
            Tensor v2;
            if (isCodes) {
                Tensor codes = x.plus(Tensor.aliasOf(first()));
                Tensor each = factors.forward(codes, pass);
                w = weights.forward(codes, pass).sum(1);
                v = each.sum(1);
                v2 = each.times(each).sum(1);
            } else {
                Tensor ofNumbers = factors.rows().narrow(0, rows.firstNumber(), rows.numbers());
                w = x.matmul(weights.rows().narrow(0, rows.firstNumber(), rows.numbers()));
                v = x.matmul(ofNumbers);
                v2 = x.times(x).matmul(ofNumbers.times(ofNumbers));
            }
            linear = linear == null ? w : linear.plus(w);
            sums = sums == null ? v : sums.plus(v);
            squares = squares == null ? v2 : squares.plus(v2);
        }
        if (linear == null || sums == null || squares == null) {
            throw new IllegalStateException("a table has inputs");
        }
        Tensor pairs = sums.times(sums).minus(squares).sum(1).reshape(-1, 1).times(0.5);
        return linear.plus(pairs).plus(bias.value());
    }

    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        List<Value> linear = new ArrayList<>();
        List<Value> sums = new ArrayList<>();
        List<Value> squares = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            Value x = inputs.get(i);
            if (rows.categories() > 0 && i == inputs.size() - 1) {
                Value codes = graph.node("Add", x, graph.constant(first()));
                Value each = factors.graph(codes, graph);
                linear.add(sum(weights.graph(codes, graph), graph));
                sums.add(sum(each, graph));
                squares.add(sum(graph.node("Mul", each, each), graph));
            } else {
                Value ofNumbers = ofNumbers(factors, graph);
                linear.add(graph.node("MatMul", x, ofNumbers(weights, graph)));
                sums.add(graph.node("MatMul", x, ofNumbers));
                Value square = graph.node("Mul", ofNumbers, ofNumbers);
                squares.add(graph.node("MatMul", graph.node("Mul", x, x), square));
            }
        }
        Value all = graph.node("Sum", sums);
        Value away = graph.node("Sub", graph.node("Mul", all, all), graph.node("Sum", squares));
        Value pairs = graph.node("Unsqueeze", sum(away, graph), graph.wholes(1));
        Value half = graph.node("Mul", pairs, graph.number(0.5));
        linear.add(half);
        return graph.node("Add", graph.node("Sum", linear), graph.parameter(bias));
    }

    private Value ofNumbers(Embedding of, Graph graph) {
        return graph.node(
                "Slice",
                of.rows(graph),
                graph.wholes(rows.firstNumber()),
                graph.wholes(rows.firstNumber() + rows.numbers()),
                graph.wholes(0));
    }

    /** Over the second dimension. */
    private static Value sum(Value x, Graph graph) {
        return graph.node("ReduceSum", List.of(x, graph.wholes(1)), Attribute.of("keepdims", 0));
    }

    private HostArray first() {
        HostArray offsets = HostArray.allocate(ElementType.INT64, 1, rows.categories());
        for (int c = 0; c < rows.categories(); c++) {
            offsets.data().buffer().asLongBuffer().put(c, rows.first().get(c));
        }
        return offsets;
    }
}
