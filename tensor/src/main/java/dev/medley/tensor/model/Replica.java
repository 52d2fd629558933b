package dev.medley.tensor.model;

import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.ParameterGroupSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Autograd;
import dev.medley.tensor.Functional;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.RandomStream;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.Torch;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Value;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Pass.Mode;
import dev.medley.tensor.layer.RunningMoments;
import dev.medley.tensor.layout.ParameterGroups;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.loss.LossFunction;
import dev.medley.tensor.loss.LossFunctions;
import dev.medley.tensor.loss.SampleWeights;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.GradientNorm;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.tensor.optimizer.ParameterShard;
import java.lang.ref.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Trains and evaluates one worker's copy of a model: a {@link Learner} by gradients. All parameters
 * lie in one flat buffer and all gradients in another; both are spans for the rest of Medley, so
 * that a bucket is a slice and a checkpoint is one write.
 *
 * <p>A step is {@link #zeroGradients()}, {@link #forwardBackward} for each micro-batch, the sum
 * over workers, and the optimizer. Learning belongs to one thread; {@link #forward} and {@link
 * #evaluate} may run on several while nothing learns.
 */
public final class Replica implements Learner {
    /** Logarithms of rates beyond it have none in FLOAT32. */
    private static final double FARTHEST_LOG = 30;

    private final Network network;
    private final LossFunction loss;
    private final LossFunction trainingLoss;
    private final ReplicaOptions options;
    private final FlatModel model;
    private final InputConversion conversion;
    private final Target target;
    private final RandomStream random = new RandomStream();
    private Precision precision;

    private Replica(
            Network network,
            LossFunction loss,
            LossFunction trainingLoss,
            ParameterGroups groups,
            Signature signature,
            ReplicaOptions options) {
        this.network = network;
        this.loss = loss;
        this.trainingLoss = trainingLoss;
        this.options = options;
        precision = options.precision();
        model = FlatModel.of(network, groups, options);
        target = signature.target();
        if (signature.weighted()) {
            SampleWeights.require(loss);
        }
        conversion = new InputConversion(signature, model.layout().type(), options.imageOrder());
    }

    /**
     * A model with its initial parameters, which are a function of the seed and their names.
     *
     * @throws dev.medley.base.ConfigException if model, loss, groups and signature do not fit
     */
    public static Replica build(
            ModelSpec model,
            LossSpec loss,
            List<ParameterGroupSpec> groups,
            Signature signature,
            ReplicaOptions options) {
        return new Replica(
                Networks.build(model, signature),
                LossFunctions.of(loss, signature.target()),
                LossFunctions.training(loss, signature.target()),
                new ParameterGroups(groups),
                signature,
                options);
    }

    /** A model of given layers and loss, for those who have them as objects. */
    public static Replica of(
            Network network, LossFunction loss, Signature signature, ReplicaOptions options) {
        return new Replica(network, loss, loss, new ParameterGroups(List.of()), signature, options);
    }

    /** Where each parameter lies. */
    @Override
    public ParameterLayout layout() {
        return model.layout();
    }

    /** The flat parameters; changed between steps only. */
    @Override
    public Span parameters() {
        return model.parameters().span();
    }

    /** The flat statistics that layers remember, such as those of batch normalisation. */
    @Override
    public Span buffers() {
        return model.statistics().span();
    }

    /** Those of them that are means and variances of normalisations. */
    @Override
    public List<RunningMoments> moments() {
        return model.moments();
    }

    /** The flat gradients, where {@link #bindGradients} put them, or in memory of the model's. */
    public Span gradients() {
        return model.gradients().span();
    }

    /** Gradients lie in {@code memory} from now on; it is {@code layout().gradientBytes()} long. */
    public void bindGradients(Span memory) {
        model.bindGradients(memory);
    }

    @Override
    public void bindAccumulators(Span memory) {
        bindGradients(memory);
    }

    /**
     * Parameters and statistics by name as arrays in row-major order, copies: what a model file
     * holds.
     */
    @Override
    public List<NamedSpan> export() {
        return model.export();
    }

    /**
     * Takes parameters and statistics over by name from row-major arrays.
     *
     * @throws dev.medley.base.ConfigException if one is missing or has another shape
     */
    public void load(List<NamedSpan> arrays) {
        model.load(arrays);
    }

    /**
     * Begins with arrays of a model that was trained elsewhere; adapters, and a head for which it
     * has none of the shape, stay as they were drawn.
     *
     * @throws dev.medley.base.ConfigException if another one is missing, or one has another shape
     */
    public void begin(List<NamedSpan> arrays) {
        model.load(arrays, network::isNew);
    }

    /** Arithmetic of the next passes: between FP32, BF16 and AUTO (bf16 where it is fast). */
    @Override
    public void setPrecision(Precision next) {
        options.requireSwitchTo(next);
        precision = next;
    }

    /**
     * Begins the gradients of a step: what is in their memory does not count. It is overwritten by
     * the next {@link #forwardBackward}, which also clears what takes no part; an empty batch
     * clears everything. Until then the memory is undefined.
     */
    public void zeroGradients() {
        model.collector().markStale();
        model.moments().forEach(RunningMoments::begin);
    }

    @Override
    public void begin() {
        zeroGradients();
    }

    /** As below, for the samples that begin the step's batch. */
    public StepLoss forwardBackward(Batch batch, long step, ReadyListener ready) {
        return forwardBackward(batch, step, 0, ready);
    }

    /**
     * Forward and backward of one micro-batch; adds the gradient of the loss sum to the gradients.
     * An empty batch adds zero and weighs 0.
     *
     * @param step from 1
     * @param position of the first sample within the step's batch of all workers: dropout is a
     *     function of (seed, step, position)
     * @param ready hears of each complete gradient; {@link ReadyListener#NONE} unless it is the
     *     step's last micro-batch
     */
    public StepLoss forwardBackward(Batch batch, long step, long position, ReadyListener ready) {
        GradientCollector collector = model.collector();
        collector.begin(ready);
        if (batch.samples() == 0) {
            collector.finish();
            return StepLoss.NONE;
        }
        random.restart(Seeds.of(options.seed(), step, position));
        try (MemoryScope scope = MemoryScope.open()) {
            Tensor truth = conversion.target(batch);
            Tensor weights = conversion.weights(batch);
            Tensor sum = trainingLoss(trainingOutputs(batch), truth, weights);
            sum.backward();
            collector.finish();
            return new StepLoss(sum.item(), SampleWeights.weight(loss, truth, weights));
        } catch (RuntimeException e) {
            collector.abandon();
            throw Torch.translate(e);
        } finally {
            Reference.reachabilityFence(batch);
        }
    }

    @Override
    public StepLoss take(Batch batch, long step, long position, ReadyListener ready) {
        return forwardBackward(batch, step, position, ready);
    }

    /**
     * The weight of samples, as {@link #forwardBackward} will return it; reads only their targets
     * and weights.
     */
    @Override
    public double weight(Batch batch) {
        if (batch.samples() == 0 || countsSamples()) {
            return batch.samples();
        }
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            return SampleWeights.weight(loss, conversion.target(batch), conversion.weights(batch));
        } finally {
            Reference.reachabilityFence(batch);
        }
    }

    /** Whether a batch weighs as much as it has samples, whatever these are. */
    @Override
    public boolean countsSamples() {
        return loss.countsSamples() && !conversion.signature().weighted();
    }

    /** The weight of a sample that counts in full: its tokens, or one. */
    @Override
    public double usualWeight() {
        return target.kind() == TargetKind.TOKENS ? conversion.elements() : 1;
    }

    /** Of a network of several members the mean over them: each learns from each sample. */
    private Tensor trainingLoss(Tensor outputs, Tensor truth, @Nullable Tensor weights) {
        int members = network.members();
        if (members == 1) {
            return SampleWeights.sum(trainingLoss, outputs, truth, weights);
        }
        return SampleWeights.sum(
                        trainingLoss,
                        outputs.reshape(-1, outputs.size(-1)),
                        truth.repeated(members),
                        weights == null ? null : weights.repeated(members))
                .times(1.0 / members);
    }

    private Tensor trainingOutputs(Batch batch) {
        List<Tensor> inputs = conversion.inputs(batch);
        if (!isBf16()) {
            Pass.Products direct = model.collector().linear();
            return inUnits(network.forward(inputs, new Pass(Mode.TRAINING, random, direct)));
        }
        Pass pass = new Pass(Mode.TRAINING, random, Pass.Products.PLAIN);
        try (Autograd.Switch bf16 = Autograd.bf16()) {
            return inUnits(network.forward(inputs, pass).to(ElementType.FLOAT32));
        }
    }

    /** A network gives numbers of the size of 1; the outputs are in the target's own units. */
    private Tensor inUnits(Tensor outputs) {
        if (target.isRate()) {
            Tensor bounded = Functional.clamp(outputs, -FARTHEST_LOG, FARTHEST_LOG);
            return Functional.exp(bounded).times(target.mean());
        }
        boolean isNumber = target.kind() == TargetKind.VALUE;
        return isNumber && (target.mean() != 0 || target.deviation() != 1)
                ? outputs.times(target.deviation()).plus(target.mean())
                : outputs;
    }

    private boolean isBf16() {
        return precision == Precision.BF16 || (precision == Precision.AUTO && Torch.isBf16Fast());
    }

    /** The outputs of the model, FLOAT32 with the samples first; in full precision. */
    public HostArray forward(Batch batch) {
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            return inUnits(evaluationOutputs(batch)).toHostArray(ElementType.FLOAT32);
        } catch (RuntimeException e) {
            throw Torch.translate(e);
        } finally {
            Reference.reachabilityFence(batch);
        }
    }

    @Override
    public Value graph(List<Value> inputs, Graph graph) {
        Declaration declaration = new Declaration();
        network.declare(declaration);
        graph.declare(declaration.parameters());
        graph.declare(declaration.statistics());
        Value outputs = network.graph(inputs, graph);
        if (target.isRate()) {
            Value bounded =
                    graph.node(
                            "Clip",
                            outputs,
                            graph.number(-FARTHEST_LOG),
                            graph.number(FARTHEST_LOG));
            return graph.node("Mul", graph.node("Exp", bounded), graph.number(target.mean()));
        }
        if (target.kind() != TargetKind.VALUE) {
            return outputs;
        }
        Value scaled = graph.node("Mul", outputs, graph.number(target.deviation()));
        return graph.node("Add", scaled, graph.number(target.mean()));
    }

    /** Whether the model goes on with sequences of tokens: {@link #decoding}. */
    public boolean goesOn() {
        return network.goesOn();
    }

    /**
     * A sequence of at most {@code context} tokens to go on with, token by token; it is closed
     * before the replica.
     */
    public Decoding decoding(int context) {
        return new Decoding(network, context);
    }

    /** The outputs of the model for samples and its loss there; in full precision. */
    @Override
    public BlockLoss evaluate(Batch batch) {
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            Tensor outputs = inUnits(evaluationOutputs(batch));
            Tensor truth = conversion.target(batch);
            Tensor weights = conversion.weights(batch);
            return new BlockLoss(
                    outputs.toHostArray(ElementType.FLOAT32),
                    SampleWeights.sum(loss, outputs, truth, weights).item(),
                    SampleWeights.weight(loss, truth, weights));
        } catch (RuntimeException e) {
            throw Torch.translate(e);
        } finally {
            Reference.reachabilityFence(batch);
        }
    }

    /**
     * Sum of the losses in evaluation mode, computed in bf16: what {@link #evaluate} finds in fp32.
     */
    @Override
    public double lossInBf16(Batch batch) {
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient();
                Autograd.Switch bf16 = Autograd.bf16()) {
            Tensor outputs = inUnits(evaluationOutputs(batch).to(ElementType.FLOAT32));
            Tensor truth = conversion.target(batch);
            return SampleWeights.sum(loss, outputs, truth, conversion.weights(batch)).item();
        } catch (RuntimeException e) {
            throw Torch.translate(e);
        } finally {
            Reference.reachabilityFence(batch);
        }
    }

    /** Whether the next passes compute in bf16. */
    @Override
    public boolean computesInBf16() {
        return isBf16();
    }

    private Tensor evaluationOutputs(Batch batch) {
        return network.forward(
                conversion.inputs(batch),
                new Pass(Mode.EVALUATION, RandomStream.NONE, Pass.Products.PLAIN));
    }

    /**
     * Squared length of the flat gradients as they are; not finite if one of them is not, or if
     * they are longer than 1e19.
     */
    public double gradientSquaredNorm(Arithmetic arithmetic) {
        model.collector().clearStale();
        return GradientNorm.squared(model.gradients(), arithmetic);
    }

    @Override
    public double squaredNorm(long offsetBytes, long bytes) {
        int element = model.layout().type().bytes();
        return GradientNorm.squared(
                model.gradients(), offsetBytes / element, bytes / element, Arithmetic.LIBTORCH);
    }

    /** A rule with zero moments for this replica's parameters; close it before the replica. */
    public Optimizer optimizer(OptimizerSpec spec) {
        return model.optimizer(spec);
    }

    /** The same for a rule that knows no parameter groups: what is trained moves at one rate. */
    public Optimizer uniformOptimizer(OptimizerSpec spec) {
        return model.uniformOptimizer(spec);
    }

    /** A part of the parameters from an element to before another, with a rule of its own. */
    public ParameterShard shard(OptimizerSpec spec, long from, long to) {
        return model.shard(spec, from, to);
    }

    /**
     * Checks that every parameter's memory still lies in its place of the flat buffer.
     *
     * @throws IllegalStateException if a layer re-pointed one
     */
    public void requireFlat() {
        model.requireFlat();
    }

    /** Frees native memory; spans that were handed out must not be used any more. */
    @Override
    public void close() {
        model.close();
        network.close();
        random.release();
    }
}
