package dev.medley.tensor.factor;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.model.FactorSpec;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layout.InitialValues;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.FactorNetwork;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.Networks;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.table.FactorRows;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Learns a factorisation by the rows that samples touch. Its parameters have the names, places and
 * initial values of the network of the family, and its predictions follow the same equation; it
 * computes in plain Java.
 *
 * <p>A worker gathers the gradient of its own samples for all rows that the step's samples touch;
 * what travels is up to its strategy, and its own accumulators are empty. Belongs to one thread but
 * for {@link #evaluate} and {@link #forward}.
 */
public final class FactorLearner implements Learner {
    private static final ParameterLayout NOTHING =
            new ParameterLayout(ElementType.FLOAT32, List.of(), List.of());

    /** What is told at once by all who solve rows. */
    private static final int SOLVED_BYTES = 4 << 20;

    private final FactorSpec spec;
    private final FactorRows rows;
    private final FactorSides sides;
    private final Target target;
    private final boolean isWeighted;
    private final long seed;
    private final int batch;
    private final ParameterLayout layout;
    private final SpanSource memory;
    private final Span parameters;
    private final FactorTable table;
    private final BatchReader reader;
    private final @Nullable RatingSource source;
    private @Nullable Seen seen;
    private final FactorNetwork network;
    private Span exchange = Span.allocate(0);
    private long exchangeOffset;

    /**
     * With its initial parameters.
     *
     * @param sides which categories are users and items
     * @param batch most samples of a step over all workers
     * @param source of the training samples, from which it finds what users have; null where that
     *     comes with {@link #load}, or there are no users
     * @param memory for the parameters, and for copies of them
     * @throws dev.medley.base.ConfigException if the data does not fit
     */
    public FactorLearner(
            ModelSpec.Factorization model,
            Signature signature,
            FactorSides sides,
            long seed,
            int batch,
            @Nullable RatingSource source,
            SpanSource memory) {
        this.source = source;
        this.memory = memory;
        this.spec = model.factors();
        this.rows = FactorRows.of(spec, signature);
        this.sides = sides;
        this.target = signature.target();
        this.isWeighted = signature.weighted();
        this.seed = seed;
        this.batch = batch;
        layout = Networks.layout(model, List.of(), signature);
        parameters = memory.allocate(layout.gradientBytes());
        table = new FactorTable(parameters, layout);
        reader = reader();
        network = FactorNetwork.of(spec, signature);
        initialise();
    }

    private BatchReader reader() {
        return new BatchReader(rows, spec, sides, target, seed);
    }

    private void initialise() {
        Declaration declaration = new Declaration();
        network.declare(declaration);
        for (Slot slot : layout.slots()) {
            Span array = array(slot);
            List<FloatBuffer> pieces =
                    array.buffers().stream().map(piece -> piece.asFloatBuffer()).toList();
            int[] at = {0};
            InitialValues.draw(
                    Objects.requireNonNull(declaration.parameters().get(slot.name())),
                    slot,
                    seed,
                    value -> {
                        at[0] += pieces.get(at[0]).hasRemaining() ? 0 : 1;
                        pieces.get(at[0]).put((float) value);
                    });
        }
    }

    private Span array(Slot slot) {
        return parameters.slice(slot.offset() * Float.BYTES, slot.count() * Float.BYTES);
    }

    /** What a step of so many samples a rank sums. */
    public RowExchange exchange(List<Integer> shares) {
        return new RowExchange(this, shares);
    }

    /** Takes what {@link #export} gave. */
    public void load(List<NamedSpan> arrays) {
        for (Slot slot : layout.slots()) {
            NamedSpan found =
                    arrays.stream()
                            .filter(array -> array.name().equals(slot.name()))
                            .filter(array -> array.data().bytes() == array(slot).bytes())
                            .findFirst()
                            .orElse(null);
            check(
                    found != null,
                    "the model has no array \"%s\" of shape %s: it has %s",
                    slot.name(),
                    slot.shape(),
                    arrays);
            array(slot).copyFrom(Objects.requireNonNull(found).data());
        }
        seen = Seen.of(arrays).orElse(seen);
    }

    /**
     * Orders items for users, by the parameters as they are now.
     *
     * @throws dev.medley.base.ConfigException if there are no users and items, or other columns
     *     beside them, or it is not known what users have
     */
    public ItemScores scores() {
        check(
                spec.hasUsers() && !spec.sides(),
                "items are recommended by a model that has model.user and model.item, and no other"
                        + " columns: this one has %s",
                spec.hasUsers() ? "other columns" : "no users");
        return new ItemScores(this, seen());
    }

    private synchronized Seen seen() {
        if (seen == null) {
            RatingSource ratings = source;
            check(
                    ratings != null,
                    "the model does not say what its users have: train it with model.rows=touched");
            int codes = rows.codes().get(sides.user()) - 1;
            int categories = rows.categories();
            seen =
                    Seen.of(
                            SideRatings.of(
                                    Objects.requireNonNull(ratings),
                                    categories,
                                    sides.user(),
                                    sides.item(),
                                    SideRatings.counts(
                                            Objects.requireNonNull(ratings),
                                            categories,
                                            sides.user(),
                                            codes),
                                    new SideRatings.Range(0, codes)));
        }
        return Objects.requireNonNull(seen);
    }

    @Override
    public ParameterLayout layout() {
        return layout;
    }

    @Override
    public ParameterLayout accumulatorLayout() {
        return NOTHING;
    }

    @Override
    public Span parameters() {
        return parameters;
    }

    @Override
    public void bindAccumulators(Span memory) {}

    @Override
    public long ownBytes(int ranks) {
        if (ranks == 1) {
            return 0;
        }
        if (spec.isDealt()) {
            return (long) ranks * ranks * Double.BYTES;
        }
        return spec.alternates()
                ? (long) ranks * solvedAtOnce(ranks) * stride() * Float.BYTES
                : RowExchange.bytes(this, batch, ranks);
    }

    @Override
    public void bindOwn(Span memory, long offsetBytes) {
        exchange = memory;
        exchangeOffset = offsetBytes;
    }

    /** Where ranks sum by themselves. */
    public Span exchange() {
        return exchange;
    }

    /** Where that begins in the group's memory. */
    public long exchangeOffset() {
        return exchangeOffset;
    }

    /** Rows that each of so many ranks solves before all tell each other. */
    public int solvedAtOnce(int ranks) {
        return Math.max(1, SOLVED_BYTES / (ranks * stride() * Float.BYTES));
    }

    /** Memory of the kind that the parameters lie in. */
    public Span scratch(long bytes) {
        return memory.allocate(bytes);
    }

    /** Copies a row's weight and factors. */
    void read(int row, float[] into) {
        read(row, into, 0);
    }

    /** Copies a row's weight and factors to {@code at} on. */
    public void read(int row, float[] into, int at) {
        table.read(row, into, at);
    }

    /** What an output is in the units of the label; of implicit feedback itself. */
    double inUnits(double output) {
        return spec.isImplicit() ? output : output * target.deviation() + target.mean();
    }

    /** Sets a row's weight and factors, which lie from {@code at} on. */
    public void write(int row, float[] values, int at) {
        table.write(row, values, at);
    }

    FactorSpec spec() {
        return spec;
    }

    FactorRows rows() {
        return rows;
    }

    FactorSides sides() {
        return sides;
    }

    Target target() {
        return target;
    }

    /** Numbers of a row: its weight and its factors. */
    public int stride() {
        return table.stride();
    }

    /** Most rows that so many samples touch, the bias among them. */
    int mostTouched(int samples) {
        return samples == 0 ? 0 : (int) mostTouchedBy(samples, 1);
    }

    /** The same where samples are dealt out, of all ranks' rows together. */
    long mostTouchedBy(int samples, int ranks) {
        long codes = spec.isImplicit() ? 1 + reader.times() : rows.categories();
        return Math.min(
                ranks * (rows.count() + 1L), samples * codes + ranks * (rows.numbers() + 1L));
    }

    @Override
    public void begin() {}

    /** The rows that a share of a step touches, with its samples. */
    public TouchedBatch touched(Batch share, long step, long position) {
        return reader.read(share, step, position);
    }

    /**
     * The gradient of a share.
     *
     * @param gradients of its rows, one behind the other, to which it is added
     */
    public StepLoss gradient(TouchedBatch share, float[] gradients) {
        StepLoss loss = machine().learn(share, values(share.rows()), gradients);
        for (float slope : gradients) {
            if (!Float.isFinite(slope)) {
                return new StepLoss(Double.NaN, loss.weight());
            }
        }
        return loss;
    }

    private PairMachine machine() {
        boolean isLogistic = spec.isImplicit() || target.kind() == TargetKind.BINARY;
        return new PairMachine(stride(), rows.categories(), isLogistic);
    }

    private float[] values(int[] of) {
        float[] values = new float[of.length * stride()];
        for (int i = 0; i < of.length; i++) {
            table.read(of[i], values, i * stride());
        }
        return values;
    }

    /** What a share takes here: the gradient is forgotten. */
    @Override
    public StepLoss take(Batch share, long step, long position, ReadyListener ready) {
        TouchedBatch touched = touched(share, step, position);
        return gradient(touched, new float[touched.rows().length * stride()]);
    }

    @Override
    public double squaredNorm(long offsetBytes, long bytes) {
        return 0;
    }

    /** Of implicit feedback a sample weighs as much as it and what is drawn beside it. */
    @Override
    public double weight(Batch share) {
        return reader().read(share, 0, 0).weight();
    }

    @Override
    public boolean countsSamples() {
        return !isWeighted && !spec.isImplicit();
    }

    @Override
    public double usualWeight() {
        return reader.times();
    }

    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        Declaration declaration = new Declaration();
        network.declare(declaration);
        graph.declare(declaration.parameters());
        Value outputs = network.graph(inputs, graph);
        Value scaled = graph.node("Mul", outputs, graph.number(target.deviation()));
        return graph.node("Add", scaled, graph.number(target.mean()));
    }

    @Override
    public BlockLoss evaluate(Batch samples) {
        return evaluate(samples, 0);
    }

    @Override
    public BlockLoss evaluate(Batch samples, int number) {
        return judged(samples, number, spec.isImplicit());
    }

    private BlockLoss judged(Batch samples, int number, boolean places) {
        TouchedBatch touched = reader().read(samples, 0, (long) number << Integer.SIZE);
        float[] values = values(touched.rows());
        PairMachine machine = machine();
        float[] squares = machine.squares(values, touched.rows().length);
        float[] outputs = new float[samples.samples()];
        double lossSum = 0;
        for (int s = 0; s < touched.samples(); s++) {
            double output = machine.output(touched, s, values, squares);
            lossSum += touched.weights()[s] * machine.loss(output, touched.targets()[s]);
            if (s % reader.times() == 0) {
                outputs[s / reader.times()] = (float) inUnits(output);
            }
        }
        HostArray all = places ? placed(samples, outputs) : array(outputs, 1);
        return new BlockLoss(all, lossSum, touched.weight());
    }

    private static HostArray array(float[] values, int width) {
        HostArray array = HostArray.allocate(ElementType.FLOAT32, values.length / width, width);
        array.data().buffer().asFloatBuffer().put(values);
        return array;
    }

    /**
     * Of each sample the output, the code of the user, and how many items that the user has not in
     * training come before the sample's; -1 where that is among them.
     */
    private HostArray placed(Batch samples, float[] outputs) {
        LongBuffer codes = samples.inputs().get(0).data().buffer().asLongBuffer();
        ItemScores scores = scores();
        float[] all = new float[3 * outputs.length];
        Integer[] byUser = new Integer[outputs.length];
        Arrays.setAll(byUser, i -> i);
        Arrays.sort(byUser, Comparator.comparing(s -> codes.get(2 * s + sides.user())));
        for (int s : byUser) {
            int user = (int) codes.get(2 * s + sides.user());
            all[3 * s] = outputs[s];
            all[3 * s + 1] = user;
            all[3 * s + 2] = scores.before(user, (int) codes.get(2 * s + sides.item()));
        }
        return array(all, 3);
    }

    @Override
    public HostArray forward(Batch samples) {
        return judged(samples, 0, false).outputs();
    }

    @Override
    public List<NamedSpan> export() {
        List<NamedSpan> arrays = new ArrayList<>();
        for (Slot slot : layout.slots()) {
            Span copy = memory.allocate(array(slot).bytes());
            copy.copyFrom(array(slot));
            arrays.add(new NamedSpan(slot.name(), ElementType.FLOAT32, slot.dimensions(), copy));
        }
        if (spec.hasUsers() && (source != null || seen != null)) {
            arrays.addAll(seen().arrays());
        }
        return arrays;
    }

    @Override
    public void close() {}
}
