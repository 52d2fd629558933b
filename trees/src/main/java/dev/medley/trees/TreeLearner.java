package dev.medley.trees;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.model.BlockLoss;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.StepLoss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Learns by growing trees: each round adds some, from the rows of all members of a group. What it
 * exchanges travels in XGBoost's own collective, so it has no accumulators and no parameters of a
 * fixed length.
 *
 * <p>Thread: the training thread; {@link #forward} may run on several while nothing grows.
 */
public final class TreeLearner implements Learner {
    /** The name under which a model file holds the trees. */
    public static final String TREES = "trees";

    private static final ParameterLayout NONE =
            new ParameterLayout(ElementType.FLOAT32, List.of(), List.of());

    /**
     * A thread is of use for so many values: XGBoost's threads meet some hundred times a round, and
     * sleep in between.
     */
    private static final int VALUES_OF_THREAD = 1 << 20;

    private final TreeObjective objective;
    private final List<TreeColumn> columns;
    private final float[] classWeights;
    private final Map<String, String> settings;
    private final Ensemble ensemble;
    private final Map<Integer, KnownBlock> blocks = new HashMap<>();
    private final Apart apart = new Apart();
    private int threads;
    private int ownRows;
    private @Nullable RowMatrix rows;
    private @Nullable TreeGroup group;

    /** Gives batches one after the other. */
    public interface Batches {
        /** Gives all of them; each is valid until the next. */
        void forEach(Consumer<Batch> taker);
    }

    /**
     * How trees are grown here.
     *
     * @param threads of this process
     * @param seed of what is drawn; equal on all members
     * @param classWeights what rows of each class count; empty where all count one
     */
    public record Growing(int threads, long seed, List<Double> classWeights) {
        public Growing {
            classWeights = List.copyOf(classWeights);
        }
    }

    /**
     * No trees yet.
     *
     * @param columns of the samples: dense features, then those that are codes
     */
    public TreeLearner(
            ModelSpec.Trees model, Target target, List<TreeColumn> columns, Growing growing) {
        this.objective = new TreeObjective(model, target);
        this.columns = List.copyOf(columns);
        this.threads = growing.threads();
        this.classWeights = new float[growing.classWeights().size()];
        for (int c = 0; c < classWeights.length; c++) {
            classWeights[c] = growing.classWeights().get(c).floatValue();
        }
        this.settings = objective.settings(columns, growing.threads(), growing.seed());
        this.ensemble = new Ensemble(settings, objective.outputs());
    }

    /** Rounds that were grown. */
    public int rounds() {
        return ensemble.rounds();
    }

    /** These rows are this member's from now on. */
    public void learnFrom(int count, Batches batches) {
        forgetRows();
        rows = matrix(count, batches);
        ownRows = count;
        ensemble.set(TreeObjective.THREADS, threadsOf(count));
        if (objective.target().kind() == TargetKind.GRADE) {
            ensemble.load(ensemble.bytes()); // XGBoost knows groups by the address of their rows.
        }
    }

    /** A round that is under way keeps those that it has. */
    @Override
    public void useThreads(int next) {
        threads = next;
        if (rows != null) {
            ensemble.set(TreeObjective.THREADS, threadsOf(ownRows));
        }
    }

    private String threadsOf(int count) {
        long useful = (long) count * columns.size() / VALUES_OF_THREAD;
        return Long.toString(Math.max(1, Math.min(threads, useful)));
    }

    private RowMatrix matrix(int count, Batches batches) {
        return apart.call(() -> built(count, batches));
    }

    private RowMatrix built(int count, Batches batches) {
        try (RowMatrix.Builder builder =
                new RowMatrix.Builder(columns, objective.target().kind(), classWeights, count)) {
            batches.forEach(builder::add);
            return builder.build();
        }
    }

    private void forgetRows() {
        if (rows != null) {
            rows.close();
            rows = null;
        }
    }

    /**
     * Joins a group whose members grow together; on the thread that grows.
     *
     * @param patienceNs with peers that are silent
     * @param isOver whether the group has ended
     * @throws PeerGoneException if somebody does not come
     */
    public void join(TreeGroup.Door door, int rank, long patienceNs, BooleanSupplier isOver) {
        leave();
        group = TreeGroup.join(door, rank, patienceNs, isOver);
    }

    /** Leaves the group, if there is one. Members that wait for this one fail at once. */
    public void leave() {
        if (group != null) {
            group.close();
            group = null;
        }
    }

    /**
     * Grows a round from the rows of all members.
     *
     * @return what this member's rows lose with it
     * @throws PeerGoneException if a peer is gone; the trees are those of before then
     */
    public StepLoss grow() {
        RowMatrix own = rows;
        if (own == null) {
            throw new IllegalStateException("there are no rows to learn from");
        }
        return grow(ensemble, own);
    }

    private StepLoss grow(Ensemble into, RowMatrix from) {
        RowTargets targets = from.targets();
        if (objective.isForest()) {
            into.grow(from, objective.gradients(targets), objective.curvatures(targets));
        } else {
            into.grow(from);
        }
        float[] outputs = into.margins(from);
        objective.toOutputs(outputs, into.rounds());
        return objective.loss(targets, outputs);
    }

    /** Leaves the first rounds alone. */
    public void cutTo(int rounds) {
        if (rounds < ensemble.rounds()) {
            ensemble.cutTo(rounds);
            blocks.clear(); // Other trees may come in the place of those that are cut off.
        }
    }

    /** The trees, as XGBoost reads them elsewhere, too (UBJSON); empty for none. */
    public byte[] trees() {
        return ensemble.bytes();
    }

    /** What splits on each column brought, in the order of columns; of trees that grow no more. */
    public List<TreeGain> gains() {
        double[][] gains =
                ensemble.gains(columns.stream().map(TreeColumn::type).toArray(String[]::new));
        List<TreeGain> named = new ArrayList<>();
        for (int c = 0; c < gains.length; c++) {
            named.add(new TreeGain(columns.get(c).name(), gains[c][0], (long) gains[c][1]));
        }
        return named;
    }

    /** Takes what {@link #trees} gave. */
    public void load(byte[] trees) {
        ensemble.load(trees);
        blocks.clear();
    }

    /** Takes what {@link #export} gave. */
    public void load(List<NamedSpan> exported) {
        for (NamedSpan span : exported) {
            if (span.name().equals(TREES)) {
                byte[] trees = new byte[Math.toIntExact(span.data().bytes())];
                span.data().buffer().get(trees);
                load(trees);
                return;
            }
        }
        throw new TreeException("no trees among " + exported);
    }

    @Override
    public ParameterLayout layout() {
        return NONE;
    }

    @Override
    public Span parameters() {
        return Span.allocate(0);
    }

    @Override
    public void bindAccumulators(Span memory) {}

    @Override
    public void begin() {}

    /**
     * Grows a round from these rows alone, and forgets it: what a round takes here can be seen by
     * that.
     */
    @Override
    public StepLoss take(Batch batch, long step, long position, ReadyListener ready) {
        return apart.call(
                () -> {
                    try (RowMatrix some = built(batch.samples(), taker -> taker.accept(batch));
                            Ensemble tried = new Ensemble(settings, objective.outputs())) {
                        tried.set(TreeObjective.THREADS, threadsOf(batch.samples()));
                        return grow(tried, some);
                    }
                });
    }

    @Override
    public double squaredNorm(long offsetBytes, long bytes) {
        return 0;
    }

    @Override
    public HostArray forward(Batch batch) {
        return evaluate(batch).outputs();
    }

    @Override
    public BlockLoss evaluate(Batch batch) {
        return evaluated(batch, new KnownBlock());
    }

    /** Only the trees that have come since the block was evaluated last are walked through. */
    @Override
    public BlockLoss evaluate(Batch batch, int block) {
        return evaluated(batch, blocks.computeIfAbsent(block, each -> new KnownBlock()));
    }

    private BlockLoss evaluated(Batch batch, KnownBlock known) {
        int samples = batch.samples();
        int width = columns.size();
        float[] values = new float[samples * width];
        RowReader reader =
                new RowReader(
                        columns,
                        objective.target().kind(),
                        classWeights,
                        samples,
                        (row, column, value) -> values[row * width + column] = value);
        reader.add(batch);
        RowTargets targets = reader.read();
        float[] outputs = apart.callHere(() -> known.margins(ensemble, values, samples));
        objective.toOutputs(outputs, ensemble.rounds());
        StepLoss loss = objective.loss(targets, outputs);
        return new BlockLoss(array(outputs), loss.lossSum(), loss.weight());
    }

    /**
     * Takes features, and codes where there are any. A code that is not that of a known value
     * counts as missing.
     */
    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        ConfigException.check(
                ensemble.rounds() > 0, "a model without trees cannot be written to ONNX");
        List<Value> parts = new ArrayList<>();
        long[] known = columns.stream().mapToLong(TreeColumn::categories).toArray();
        int numbers = (int) Arrays.stream(known).takeWhile(count -> count == 0).count();
        if (numbers > 0) {
            parts.add(inputs.get(0));
        }
        if (numbers < known.length) {
            Value codes = inputs.get(inputs.size() - 1);
            Value limits = graph.wholes(Arrays.copyOfRange(known, numbers, known.length));
            Value isKnown = graph.node("Less", codes, limits);
            Value values = graph.cast(codes, Port.Type.FLOAT);
            parts.add(graph.node("Where", isKnown, values, graph.number(Float.NaN)));
        }
        float[] empty = new float[columns.size()];
        Arrays.fill(empty, Float.NaN);
        float[] margins = apart.callHere(() -> ensemble.margins(empty, 1, 0, null));
        Value rows = graph.joined(parts, 1);
        Value sums = TreeGraph.margins(ensemble.json(), margins, rows, graph);
        return objective.outputs(sums, ensemble.rounds(), graph);
    }

    /** All trees, as other programs take them. */
    public GrownTrees grown() {
        List<GrownTrees.Tree> trees =
                ensemble.rounds() == 0 ? List.of() : GrownTrees.of(ensemble.json());
        float[] empty = new float[columns.size()];
        Arrays.fill(empty, Float.NaN);
        float[] margins = apart.callHere(() -> ensemble.margins(empty, 1, 0, null));
        List<Double> start = new ArrayList<>();
        for (int i = 0; i < margins.length; i++) {
            int output = i;
            double leaves =
                    trees.stream()
                            .filter(tree -> tree.output() == output)
                            .mapToDouble(GrownTrees.Tree::ofEmptyRow)
                            .sum();
            start.add(margins[i] - leaves);
        }
        return new GrownTrees(trees, start);
    }

    private HostArray array(float[] outputs) {
        int width = objective.outputs();
        HostArray array = HostArray.allocate(ElementType.FLOAT32, outputs.length / width, width);
        array.data().buffer().asFloatBuffer().put(outputs);
        return array;
    }

    @Override
    public String parameterHash() {
        return SpanHash.of(List.of(named(trees()).data()));
    }

    @Override
    public List<NamedSpan> export() {
        return List.of(named(trees()));
    }

    /** The trees as an array that a file holds. */
    public static NamedSpan named(byte[] trees) {
        Span span = Span.allocate(trees.length);
        span.buffer().put(trees);
        return new NamedSpan(TREES, ElementType.UINT8, new long[] {trees.length}, span);
    }

    @Override
    public void close() {
        leave();
        forgetRows();
        ensemble.close();
        apart.close();
    }
}
