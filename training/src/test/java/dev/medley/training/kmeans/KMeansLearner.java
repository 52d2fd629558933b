package dev.medley.training.kmeans;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.LearningRule;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Update;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * Learns k centres by Lloyd's algorithm (IEEE Trans. Inf. Theory 28, 1982). A step over the samples
 * of all workers sums those nearest to each centre and counts them; the next centres are the means.
 *
 * <p>Sums are exact, so that they are equal to the bit however samples lie on workers: each
 * coordinate counts in whole units of 2^-20, and a double holds whole numbers below 2^53 exactly.
 *
 * <p>It is its own rule, which remembers nothing. Nothing is native memory.
 */
class KMeansLearner implements Learner, LearningRule {
    /** Of a coordinate. */
    static final double UNITS = 1 << 20;

    private final int count;
    private final int dimensions;
    private final ParameterLayout layout;
    private final ParameterLayout accumulatorLayout;
    private final Span parameters;
    private final DoubleBuffer centres;
    private Span accumulators;
    private long samples;

    /** Centres to begin with. */
    KMeansLearner(double[][] start) {
        count = start.length;
        dimensions = start[0].length;
        Slot ofCentres = slot("centres", List.of((long) count, (long) dimensions), 0);
        layout = new ParameterLayout(ElementType.FLOAT64, List.of(ofCentres), List.of());
        Slot counts = slot("counts", List.of((long) count), layout.elements());
        accumulatorLayout =
                new ParameterLayout(ElementType.FLOAT64, List.of(ofCentres, counts), List.of());
        parameters = Span.allocate(layout.gradientBytes());
        centres = parameters.buffer().asDoubleBuffer();
        for (int c = 0; c < count; c++) {
            centres.put(c * dimensions, start[c]);
        }
        accumulators = Span.allocate(accumulatorLayout.gradientBytes());
    }

    private static Slot slot(String name, List<Long> shape, long offset) {
        return new Slot(name, shape, MemoryOrder.ROW_MAJOR, offset, true);
    }

    /** Samples that the last applied step took, over all workers. */
    long samples() {
        return samples;
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

    @Override
    public StepLoss take(Batch batch, long step, long position, ReadyListener ready) {
        DoubleBuffer sums = accumulators.buffer().asDoubleBuffer();
        int counts = (int) layout.elements();
        double inertia =
                inertia(
                        batch,
                        (sample, nearest) -> {
                            for (int d = 0; d < dimensions; d++) {
                                int at = nearest * dimensions + d;
                                sums.put(at, sums.get(at) + Math.rint(sample[d] * UNITS));
                            }
                            sums.put(counts + nearest, sums.get(counts + nearest) + 1);
                        });
        for (int slot = accumulatorLayout.slots().size() - 1; slot >= 0; slot--) {
            ready.ready(slot);
        }
        return new StepLoss(inertia, batch.samples());
    }

    /** Sum of squared distances to the nearest centres, each of which is told. */
    private double inertia(Batch batch, ObjIntConsumer<float[]> told) {
        float[] sample = new float[dimensions];
        FloatBuffer values = batch.inputs().get(0).data().buffer().asFloatBuffer();
        double inertia = 0;
        for (int s = 0; s < batch.samples(); s++) {
            values.get(s * dimensions, sample);
            int nearest = nearest(sample);
            inertia += squaredDistance(sample, nearest);
            told.accept(sample, nearest);
        }
        return inertia;
    }

    private int nearest(float[] sample) {
        int nearest = 0;
        for (int c = 1; c < count; c++) {
            if (squaredDistance(sample, c) < squaredDistance(sample, nearest)) {
                nearest = c;
            }
        }
        return nearest;
    }

    private double squaredDistance(float[] sample, int centre) {
        double sum = 0;
        for (int d = 0; d < dimensions; d++) {
            double apart = sample[d] - centres.get(centre * dimensions + d);
            sum += apart * apart;
        }
        return sum;
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

    @Override
    public KMeansLearner learner() {
        return this;
    }

    @Override
    public Update update(Part part, Tail tail) {
        return new Update() {
            @Override
            public void run() {
                move();
            }

            @Override
            public double learningRateFactor() {
                return 1;
            }

            @Override
            public double gradientNorm() {
                return Double.NaN;
            }
        };
    }

    /** A centre to which no sample is nearest stays. */
    private void move() {
        DoubleBuffer sums = accumulators.buffer().asDoubleBuffer();
        samples = 0;
        for (int c = 0; c < count; c++) {
            double of = sums.get((int) layout.elements() + c);
            samples += (long) of;
            for (int at = c * dimensions; of > 0 && at < (c + 1) * dimensions; at++) {
                centres.put(at, sums.get(at) / UNITS / of);
            }
        }
    }

    /** Not asked here: what a k-means is judged by comes with its family. */
    @Override
    public BlockLoss evaluate(Batch batch) {
        throw new UnsupportedOperationException("no validation samples");
    }

    @Override
    public List<NamedSpan> export() {
        Span copy = Span.allocate((long) count * dimensions * Double.BYTES);
        copy.copyFrom(parameters.slice(0, copy.bytes()));
        return List.of(
                new NamedSpan(
                        "centres", ElementType.FLOAT64, new long[] {count, dimensions}, copy));
    }

    @Override
    public List<NamedSpan> state() {
        return List.of();
    }

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public void close() {}
}
