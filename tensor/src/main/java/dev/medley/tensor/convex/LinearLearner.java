package dev.medley.tensor.convex;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.StepLoss;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Learns a linear model in double precision: scores are W x + b. It gathers the gradient of the sum
 * of losses, the sum itself, and where it is asked the second derivatives, each as a sum of terms
 * on a {@link Grid}: so workers with any shares come to the same bits.
 *
 * <p>Parameters have the names and shapes of the network of family {@code linear}, and begin at 0.
 * Only features that are not 0 cost time; those of terms come behind the plain ones. Belongs to one
 * thread but for {@link #evaluate}.
 */
public final class LinearLearner implements Learner {
    /** Coefficients up to which second derivatives are gathered; they are 1 MiB then. */
    public static final int MOST_WITH_CURVATURE = 512;

    private final ConvexLoss loss;
    private final Target target;
    private final List<Double> classWeights;
    private final boolean isNumber;

    /** Added to scores: of rates the logarithm of their mean. */
    private final double offset;

    private final int plain;
    private final int features;
    private final int outputs;
    private final ParameterLayout layout;
    private final ParameterLayout accumulatorLayout;
    private final Span parameters;
    private final Span standardErrors;
    private Span accumulators;
    private boolean gathersCurvature;

    /**
     * For tables of numbers.
     *
     * @param curvature whether second derivatives are of use: none are gathered where the loss is
     *     no likelihood, or of more coefficients than {@link #MOST_WITH_CURVATURE}
     * @throws dev.medley.base.ConfigException if loss or data do not fit
     */
    public LinearLearner(LossSpec spec, Signature signature, boolean curvature) {
        target = signature.target();
        loss = ConvexLoss.of(spec, target);
        isNumber = target.kind() == TargetKind.VALUE && !target.isRate();
        offset = target.isRate() ? Math.log(target.mean()) : 0;
        classWeights = spec.weights().values();
        require(signature.inputs());
        plain = plain(signature.inputs());
        features = plain + terms(signature.inputs());
        outputs = target.outputs();
        Slot weight = slot("0.weight", List.of((long) outputs, (long) features), 0);
        Slot bias = slot("0.bias", List.of((long) outputs), aligned(weight.end()));
        layout = new ParameterLayout(ElementType.FLOAT64, List.of(weight, bias), List.of());
        List<Slot> gathered = new ArrayList<>(layout.slots());
        gathered.add(slot("loss", List.of(1L), layout.elements()));
        long coefficients = features + 1L;
        if (curvature && loss.isLikelihood() && coefficients <= MOST_WITH_CURVATURE) {
            long from = aligned(gathered.get(2).end());
            gathered.add(slot("curvature", List.of(coefficients * (coefficients + 1) / 2), from));
        }
        accumulatorLayout = new ParameterLayout(ElementType.FLOAT64, gathered, List.of());
        parameters = Span.allocate(layout.gradientBytes());
        accumulators = Span.allocate(accumulatorLayout.gradientBytes());
        standardErrors = Span.allocate(layout.gradientBytes());
    }

    /**
     * Whether loss and data fit.
     *
     * @throws dev.medley.base.ConfigException as the constructor does
     */
    public static void require(LossSpec spec, Signature signature) {
        ConvexLoss unused = ConvexLoss.of(spec, signature.target());
        require(signature.inputs());
    }

    private static void require(List<Signature.Input> inputs) {
        boolean isRow =
                !inputs.isEmpty()
                        && inputs.stream()
                                .allMatch(in -> in.isTerms() || in.cardinalities().isEmpty())
                        && inputs.stream().allMatch(in -> in.type() == ElementType.FLOAT32);
        check(
                isRow,
                "train.optimizer=lbfgs takes a table of numbers and one-hot categories, but the"
                        + " data gives %s: set data.table.max_categories to"
                        + " data.table.one_hot_limit, or raise that, or name columns in"
                        + " data.table.hashed, so that none is embedded; or take adamw",
                inputs.stream().map(Signature.Input::name).toList());
    }

    private static int plain(List<Signature.Input> inputs) {
        return inputs.get(0).isTerms()
                ? 0
                : inputs.get(0).shape().stream().reduce(1, (a, b) -> a * b);
    }

    private static int terms(List<Signature.Input> inputs) {
        Signature.Input last = inputs.get(inputs.size() - 1);
        return last.isTerms() ? last.cardinalities().get(0) : 0;
    }

    private static Slot slot(String name, List<Long> shape, long offset) {
        return new Slot(name, shape, MemoryOrder.ROW_MAJOR, offset, true);
    }

    private static long aligned(long element) {
        return (element + 7) / 8 * 8;
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

    /** Elements from the first that are weights, which penalties count; biases come behind. */
    public int penalised() {
        return outputs * features;
    }

    /** Whether it can gather second derivatives. */
    public boolean canGatherCurvature() {
        return accumulatorLayout.slots().size() == 4;
    }

    /** Whether the next steps gather second derivatives. */
    void gatherCurvature(boolean wanted) {
        gathersCurvature = wanted && canGatherCurvature();
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
        double[] gradient = new double[(int) layout.elements()];
        double[] curvature = gathersCurvature ? new double[curvatureElements()] : new double[0];
        double[] sum = new double[2];
        Rows rows = new Rows(batch);
        for (int s = 0; s < batch.samples(); s++) {
            rows.read(s);
            double weight = rows.weight();
            sum[0] += Grid.round(weight * rows.loss());
            sum[1] += weight;
            rows.addGradient(gradient, weight);
            if (gathersCurvature) {
                rows.addCurvature(curvature, weight);
            }
        }
        DoubleBuffer into = accumulators.buffer().asDoubleBuffer();
        add(into, 0, gradient);
        add(into, (int) accumulatorLayout.slots().get(2).offset(), new double[] {sum[0]});
        if (gathersCurvature) {
            add(into, (int) accumulatorLayout.slots().get(3).offset(), curvature);
        }
        for (int slot = accumulatorLayout.slots().size() - 1; slot >= 0; slot--) {
            ready.ready(slot);
        }
        return new StepLoss(sum[0], sum[1]);
    }

    private static void add(DoubleBuffer into, int from, double[] values) {
        for (int i = 0; i < values.length; i++) {
            into.put(from + i, into.get(from + i) + values[i]);
        }
    }

    private int curvatureElements() {
        return (int) accumulatorLayout.slots().get(3).count();
    }

    /** Sum of the losses, where the accumulators are summed. */
    double lossSum() {
        return at(2, 1)[0];
    }

    /** Sum of the gradients, where the accumulators are summed; as the parameters lie. */
    double[] gradientSum() {
        double[] gradient = new double[(int) layout.elements()];
        accumulators.buffer().asDoubleBuffer().get(0, gradient);
        return gradient;
    }

    /** The summed second derivatives, a lower triangle: weights in order, then the bias. */
    double[] curvature() {
        return at(3, curvatureElements());
    }

    /** Bytes of these. */
    long curvatureBytes() {
        return (long) curvatureElements() * Double.BYTES;
    }

    private double[] at(int slot, int count) {
        double[] values = new double[count];
        int offset = (int) accumulatorLayout.slots().get(slot).offset();
        accumulators.buffer().asDoubleBuffer().get(offset, values);
        return values;
    }

    /** The place among the parameters of a row of the second derivatives. */
    int place(int row) {
        return row < features ? row : (int) layout.slots().get(1).offset();
    }

    /** Standard errors, as the parameters lie; NaN for what cannot be told apart. */
    Span errors() {
        return standardErrors;
    }

    /** Rows of the second derivatives. */
    int coefficients() {
        return features + 1;
    }

    /**
     * By what the inverse of the second derivatives is multiplied for variances. Of squares it
     * follows from what is left of them (the inverse is that of twice the products).
     *
     * @param weight of all samples
     * @param free coefficients that were fitted
     */
    double dispersion(double weight, int free) {
        return loss == ConvexLoss.SQUARES ? 2 * lossSum() / Math.max(1, weight - free) : 1;
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
    public double weight(Batch batch) {
        Rows rows = new Rows(batch);
        return IntStream.range(0, batch.samples()).mapToDouble(rows::weightOf).sum();
    }

    @Override
    public boolean countsSamples() {
        return false;
    }

    @Override
    public BlockLoss evaluate(Batch batch) {
        HostArray scores = HostArray.allocate(ElementType.FLOAT32, batch.samples(), outputs);
        FloatBuffer into = scores.data().buffer().asFloatBuffer();
        Rows rows = new Rows(batch);
        double lossSum = 0;
        double weights = 0;
        for (int s = 0; s < batch.samples(); s++) {
            rows.read(s);
            lossSum += rows.weight() * rows.loss();
            weights += rows.weight();
            for (double score : rows.scores) {
                into.put((float) inUnits(score));
            }
        }
        return new BlockLoss(scores, lossSum, weights);
    }

    private double inUnits(double score) {
        return isNumber
                ? score * target.deviation() + target.mean()
                : target.isRate() ? ConvexLoss.rate(score) : score;
    }

    @Override
    public List<NamedSpan> export() {
        List<NamedSpan> arrays = new ArrayList<>();
        for (Slot slot : layout.slots()) {
            arrays.add(copy(slot.name(), slot, parameters.buffer().asDoubleBuffer()));
        }
        if (hasErrors()) {
            for (Slot slot : layout.slots()) {
                String name = slot.name() + ".standard_error";
                arrays.add(copy(name, slot, standardErrors.buffer().asDoubleBuffer()));
            }
        }
        return arrays;
    }

    private boolean hasErrors() {
        DoubleBuffer errors = standardErrors.buffer().asDoubleBuffer();
        return IntStream.range(0, errors.limit()).anyMatch(i -> errors.get(i) != 0);
    }

    private static NamedSpan copy(String name, Slot slot, DoubleBuffer from) {
        Span copy = Span.allocate(slot.count() * Double.BYTES);
        copy.buffer().asDoubleBuffer().put(from.slice((int) slot.offset(), (int) slot.count()));
        return new NamedSpan(name, ElementType.FLOAT64, slot.dimensions(), copy);
    }

    @Override
    public void close() {
        // Spans free themselves.
    }

    /** Reads the samples of a batch one by one. */
    private final class Rows {
        private final Batch batch;
        private final @Nullable FloatBuffer inputs;
        private final @Nullable FloatBuffer terms;
        private final int slots;
        private final @Nullable FloatBuffer weights;
        private final float[] row = new float[features];
        private final int[] present = new int[features];
        private final double[] coefficients = new double[(int) layout.elements()];
        private final int biasAt = (int) layout.slots().get(1).offset();
        private final double[] scores = new double[outputs];
        private final double[] slopes = new double[outputs];
        private int count;
        private int sample;
        private double lossOfRow;

        Rows(Batch batch) {
            this.batch = batch;
            HostArray last = batch.inputs().get(batch.inputs().size() - 1);
            inputs = plain > 0 ? floats(batch.inputs().get(0)) : null;
            terms = features > plain ? floats(last) : null;
            slots = terms == null ? 0 : (int) last.shape()[1];
            HostArray given = batch.weights();
            weights = given == null ? null : given.data().buffer().asFloatBuffer();
            parameters.buffer().asDoubleBuffer().get(0, coefficients);
        }

        private static FloatBuffer floats(HostArray array) {
            return array.data().buffer().asFloatBuffer();
        }

        /** Finds the features that are not 0, in their order. */
        private void find(int s) {
            count = 0;
            if (inputs != null) {
                inputs.get(s * plain, row, 0, plain);
                for (int i = 0; i < plain; i++) {
                    if (row[i] != 0) {
                        present[count++] = i;
                    }
                }
            }
            for (int i = 0; terms != null && i < slots; i++) {
                int at = 2 * (s * slots + i);
                if (terms.get(at + 1) != 0) {
                    int feature = plain + (int) terms.get(at);
                    row[feature] = terms.get(at + 1);
                    present[count++] = feature;
                }
            }
        }

        void read(int s) {
            sample = s;
            find(s);
            for (int output = 0; output < outputs; output++) {
                double score = coefficients[biasAt + output] + offset;
                int from = output * features;
                for (int n = 0; n < count; n++) {
                    score += coefficients[from + present[n]] * row[present[n]];
                }
                scores[output] = score;
            }
            double truth = truth(s);
            double scaled = isNumber ? (truth - target.mean()) / target.deviation() : truth;
            lossOfRow = loss.of(scores, scaled, slopes);
        }

        private double truth(int s) {
            HostArray truths = batch.target();
            return truths.type() == ElementType.INT64
                    ? truths.data().buffer().asLongBuffer().get(s)
                    : truths.data().buffer().asFloatBuffer().get(s);
        }

        double loss() {
            return lossOfRow;
        }

        double weight() {
            return weightOf(sample);
        }

        double weightOf(int s) {
            double own = weights == null ? 1 : weights.get(s);
            return classWeights.isEmpty() ? own : own * classWeights.get((int) truth(s));
        }

        void addGradient(double[] gradient, double weight) {
            for (int output = 0; output < outputs; output++) {
                double slope = weight * slopes[output];
                int from = output * features;
                for (int n = 0; n < count; n++) {
                    gradient[from + present[n]] += Grid.round(slope * row[present[n]]);
                }
                gradient[biasAt + output] += Grid.round(slope);
            }
        }

        /** Of the lower triangle, of which the bias is the last row. */
        void addCurvature(double[] packed, double weight) {
            double bend = weight * loss.curvature(scores[0], truth(sample));
            int last = features * (features + 1) / 2;
            for (int n = 0; n < count; n++) {
                int i = present[n];
                double bent = bend * row[i];
                int from = i * (i + 1) / 2;
                for (int m = 0; m <= n; m++) {
                    packed[from + present[m]] += Grid.round(bent * row[present[m]]);
                }
                packed[last + i] += Grid.round(bent);
            }
            packed[last + features] += Grid.round(bend);
        }
    }
}
