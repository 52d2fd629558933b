package dev.medley.tensor.kmeans;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.kmeans.KMeansState.Array;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.StepLoss;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Holds k centres in double precision, and tells the nearest of each sample and the distance to it.
 * What a step sums is one array of doubles, whose meaning follows from {@link KMeansState.Phase}.
 *
 * <p>Learning belongs to one thread; {@link #evaluate} may run on several while nothing learns.
 */
public final class KMeansLearner implements Learner {
    /** Names of what a model file holds: centres [k, features], and samples of each. */
    public static final String CENTRES = "centres";

    /** See {@link #CENTRES}. */
    public static final String SIZES = "sizes";

    /** Numbers of an output: the cluster from 0, and the distance to its centre. */
    public static final int OUTPUTS = 2;

    private final KMeansShape shape;
    private final KMeansState state;
    private final ParameterLayout layout;
    private final ParameterLayout accumulatorLayout;
    private final Span parameters;
    private Span accumulators;

    /**
     * Whether a fit of that size is possible.
     *
     * @throws dev.medley.base.ConfigException if it would remember too much
     */
    public static void require(int k, int features, int restarts) {
        KMeansShape unused = new KMeansShape(k, features, restarts);
    }

    /**
     * Without centres yet.
     *
     * @param features of a sample
     * @param restarts fits that a training makes
     */
    public KMeansLearner(int k, int features, int restarts) {
        shape = new KMeansShape(k, features, restarts);
        state = new KMeansState(shape);
        layout = layout(CENTRES, List.of((long) k, (long) features));
        accumulatorLayout = layout("gathered", List.of((long) shape.gathered()));
        parameters = Span.allocate(layout.gradientBytes());
        accumulators = Span.allocate(accumulatorLayout.gradientBytes());
    }

    private static ParameterLayout layout(String name, List<Long> dimensions) {
        Slot slot = new Slot(name, dimensions, MemoryOrder.ROW_MAJOR, 0, true);
        return new ParameterLayout(ElementType.FLOAT64, List.of(slot), List.of());
    }

    KMeansShape shape() {
        return shape;
    }

    KMeansState fit() {
        return state;
    }

    @Override
    public ParameterLayout layout() {
        return layout;
    }

    @Override
    public ParameterLayout accumulatorLayout() {
        return accumulatorLayout;
    }

    @Override
    public Span parameters() {
        return parameters;
    }

    @Override
    public void bindAccumulators(Span memory) {
        accumulators = memory;
    }

    @Override
    public void begin() {
        accumulators.clear();
    }

    /** These are what this worker adds to the step. */
    void gather(double[] own) {
        accumulators.buffer().asDoubleBuffer().put(0, own);
    }

    /** What all workers gathered, where it is summed. */
    double[] gathered() {
        double[] sums = new double[shape.gathered()];
        accumulators.buffer().asDoubleBuffer().get(0, sums);
        return sums;
    }

    /** Centres are these from now on, as they are after the shift was taken off. */
    void centres(double[] shifted) {
        double[] shift = state.get(Array.SHIFT);
        DoubleBuffer into = parameters.buffer().asDoubleBuffer();
        for (int i = 0; i < shifted.length; i++) {
            into.put(i, shifted[i] + shift[i % shift.length]);
        }
    }

    /** Adds the samples of each centre, their numbers and their squared lengths. */
    @Override
    public StepLoss take(Batch batch, long step, long position, ReadyListener ready) {
        double[] centres = state.get(Array.CENTRES);
        SampleSums sums = new SampleSums(shape, state);
        BatchPass pass = new BatchPass(centres, shape.k(), state.get(Array.SHIFT));
        pass.over(batch, sums);
        DoubleBuffer into = accumulators.buffer().asDoubleBuffer();
        double[] own = sums.all();
        for (int i = 0; i < own.length; i++) {
            into.put(i, into.get(i) + own[i]);
        }
        ready.ready(0);
        return new StepLoss(sums.inertia(), batch.samples());
    }

    @Override
    public double squaredNorm(long offsetBytes, long bytes) {
        DoubleBuffer sums = accumulators.slice(offsetBytes, bytes).buffer().asDoubleBuffer();
        double sum = 0;
        while (sums.hasRemaining()) {
            double value = sums.get();
            sum += value * value;
        }
        return sum;
    }

    /** The loss is the sum of squared distances. */
    @Override
    public BlockLoss evaluate(Batch batch) {
        double[] centres = new double[shape.centres()];
        parameters.buffer().asDoubleBuffer().get(0, centres);
        double[] middle = new double[shape.features()];
        for (int i = 0; i < centres.length; i++) {
            middle[i % middle.length] += centres[i] / shape.k();
        }
        for (int i = 0; i < centres.length; i++) {
            centres[i] -= middle[i % middle.length];
        }
        HostArray outputs = HostArray.allocate(ElementType.FLOAT32, batch.samples(), OUTPUTS);
        FloatBuffer into = outputs.data().buffer().asFloatBuffer();
        double[] inertia = new double[1];
        new BatchPass(centres, shape.k(), middle)
                .over(
                        batch,
                        (samples, at, nearest, squared) -> {
                            into.put(nearest);
                            into.put((float) Math.sqrt(squared));
                            inertia[0] += squared;
                        });
        return new BlockLoss(outputs, inertia[0], batch.samples());
    }

    /**
     * The nearest centre is that of the least c^2 - 2xc, in double precision; then its distance.
     */
    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        double[] all = new double[shape.centres()];
        parameters.buffer().asDoubleBuffer().get(0, all);
        Value samples = graph.cast(inputs.get(0), Port.Type.DOUBLE);
        Value centres = graph.constant(array(all, shape.k(), shape.features()));
        Value products = graph.node("MatMul", samples, graph.permuted(centres, 1, 0));
        Value lengths =
                graph.node(
                        "ReduceSumSquare",
                        List.of(centres),
                        Attribute.list("axes", 1),
                        Attribute.of("keepdims", 0));
        Value scores = graph.node("Sub", lengths, graph.node("Mul", graph.exact(2), products));
        Value nearest = graph.node("ArgMin", List.of(scores), Attribute.of("axis", 1));
        Value centre =
                graph.node("Gather", centres, graph.node("Squeeze", nearest, graph.wholes(1)));
        Value distance =
                graph.node(
                        "ReduceL2",
                        List.of(graph.node("Sub", samples, centre)),
                        Attribute.list("axes", 1));
        return graph.joined(
                List.of(
                        graph.cast(nearest, Port.Type.FLOAT),
                        graph.cast(distance, Port.Type.FLOAT)),
                1);
    }

    private static HostArray array(double[] values, int rows, int columns) {
        HostArray array = HostArray.allocate(ElementType.FLOAT64, rows, columns);
        array.data().buffer().asDoubleBuffer().put(values);
        return array;
    }

    @Override
    public List<NamedSpan> export() {
        Span centres = Span.allocate((long) shape.centres() * Double.BYTES);
        centres.copyFrom(parameters.slice(0, centres.bytes()));
        Span sizes = Span.allocate((long) shape.k() * Double.BYTES);
        sizes.buffer().asDoubleBuffer().put(state.get(Array.SIZES));
        long[] ofCentres = {shape.k(), shape.features()};
        return List.of(
                new NamedSpan(CENTRES, ElementType.FLOAT64, ofCentres, centres),
                new NamedSpan(SIZES, ElementType.FLOAT64, new long[] {shape.k()}, sizes));
    }

    /** Takes what {@link #export} gave. */
    public void load(List<NamedSpan> exported) {
        for (NamedSpan span : exported) {
            DoubleBuffer from = span.data().buffer().asDoubleBuffer();
            if (span.name().equals(CENTRES)) {
                parameters.buffer().asDoubleBuffer().put(0, from, 0, shape.centres());
            } else if (span.name().equals(SIZES)) {
                double[] sizes = new double[shape.k()];
                from.get(sizes);
                state.set(Array.SIZES, sizes);
            }
        }
    }

    @Override
    public void close() {
        // Spans free themselves.
    }
}
