package dev.medley.tensor.model;

import dev.medley.base.ConfigException;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.RunningMoments;
import dev.medley.tensor.layout.ParameterLayout;
import java.util.List;

/**
 * Learns from batches: keeps parameters that are equal on all workers, and gathers from a worker's
 * own samples what all workers sum. A {@link Replica} gathers gradients, and a k-means sums and
 * counts. How the sums move the parameters is up to the rule that it is trained by.
 *
 * <p>A step is {@link #begin}, {@link #take} for each micro-batch, the sum of the accumulators over
 * workers, and the rule. An accumulator is a sum over samples: it does not matter on which worker a
 * sample is, and a worker without samples adds zeros.
 *
 * <p>Learning belongs to one thread; {@link #evaluate} may run on several while nothing learns.
 */
public interface Learner extends AutoCloseable {
    /** Where each parameter lies; its type is that of accumulators and statistics, too. */
    ParameterLayout layout();

    /** Where each accumulator lies: as the parameters do, unless a learner says otherwise. */
    default ParameterLayout accumulatorLayout() {
        return layout();
    }

    /** The flat parameters; changed between steps only. */
    Span parameters();

    /** The flat statistics that are remembered beside the parameters; empty for most learners. */
    default Span buffers() {
        return Span.allocate(0);
    }

    /** Those of them that are means and variances of normalisations. */
    default List<RunningMoments> moments() {
        return List.of();
    }

    /**
     * Accumulators lie in {@code memory} from now on, where all workers' are summed; it is {@code
     * accumulatorLayout().gradientBytes()} long.
     */
    void bindAccumulators(Span memory);

    /** Exchange memory in which its strategy sums by itself; none for most. */
    default long ownBytes(int ranks) {
        return 0;
    }

    /** That memory, and where in the group's it begins. */
    default void bindOwn(Span memory, long offsetBytes) {}

    /** Begins the accumulators of a step: what is in their memory does not count. */
    void begin();

    /**
     * Adds one micro-batch to the accumulators; an empty one adds zeros, and weighs 0.
     *
     * @param step from 1
     * @param position of the first sample within the step's samples of all workers
     * @param ready hears of each accumulator that is complete, once for every slot of {@link
     *     #accumulatorLayout}; {@link ReadyListener#NONE} unless it is the step's last micro-batch
     * @return what the samples lost, with the parameters before the step
     */
    StepLoss take(Batch batch, long step, long position, ReadyListener ready);

    /**
     * Squared length of {@code bytes} bytes of the accumulators from {@code offsetBytes}, all of
     * them complete; not finite if one of them is not.
     */
    double squaredNorm(long offsetBytes, long bytes);

    /** The weight of samples, as {@link #take} will return it. */
    default double weight(Batch batch) {
        return batch.samples();
    }

    /** Whether a batch weighs as much as it has samples, whatever these are. */
    default boolean countsSamples() {
        return true;
    }

    /** The weight of a sample that counts in full. */
    default double usualWeight() {
        return 1;
    }

    /** The outputs for samples and their loss; in full precision. */
    BlockLoss evaluate(Batch batch);

    /**
     * The same of a block that is evaluated again and again.
     *
     * @param block its number: the same samples whenever it is the same
     */
    default BlockLoss evaluate(Batch batch, int block) {
        return evaluate(batch);
    }

    /** The outputs alone, for samples whose targets mean nothing: FLOAT32, samples first. */
    default HostArray forward(Batch batch) {
        return evaluate(batch).outputs();
    }

    /**
     * Adds to {@code graph} what {@link #forward} computes. Names of parameters are those of {@link
     * #export}.
     *
     * @param inputs the arrays of the signature: numbers FLOAT, indices INT64
     * @throws ConfigException where it cannot be written to ONNX
     */
    default Value graph(List<Value> inputs, Graph graph) {
        throw new ConfigException("a model of this family cannot be written to ONNX");
    }

    /** Hash of parameters and statistics: equal on two members exactly if they agree bit by bit. */
    default String parameterHash() {
        return SpanHash.of(List.of(parameters(), buffers()));
    }

    /** Whether {@link #take} computes in bf16. */
    default boolean computesInBf16() {
        return false;
    }

    /** Sum of the losses computed in bf16: what {@link #evaluate} finds in full precision. */
    default double lossInBf16(Batch batch) {
        return evaluate(batch).lossSum();
    }

    /** Threads from now on, of a learner that has some of its own beside LibTorch's. */
    default void useThreads(int threads) {}

    /** Arithmetic of the next passes; nothing changes where there is but one. */
    default void setPrecision(Precision next) {}

    /** Parameters and statistics by name, copies: what a model file holds. */
    List<NamedSpan> export();

    /** Frees native memory; spans that were handed out must not be used any more. */
    @Override
    void close();
}
