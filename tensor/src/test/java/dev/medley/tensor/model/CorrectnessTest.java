package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the losses of 20 steps with those that PyTorch gave for the same initial parameters and
 * batches; src/test/python/record_pytorch.py recorded them, and says how.
 */
@Tag("property")
class CorrectnessTest {
    private static final List<String> MODELS =
            List.of(
                    "linear",
                    "logistic",
                    "regression",
                    "mlp",
                    "cnn",
                    "cnn-batch-norm",
                    "transformer",
                    "resnet",
                    "gru",
                    "lstm",
                    "factors",
                    "adult-mlp",
                    "fashion-cnn",
                    "shakespeare-gpt");

    record Recording(String torch, String model, List<Run> runs) {}

    record Run(
            String optimizer, List<Double> fp64, List<Double> fp32, List<Double> fp32TwoThreads) {}

    record Case(ModelSpec model, Signature signature, LongFunction<Batch> batchOfStep) {}

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** Those of the small models: what is not the optimizer's is the same. */
    static Stream<Arguments> smallRuns() throws IOException {
        List<String> large = MODELS.subList(MODELS.indexOf("adult-mlp"), MODELS.size());
        return runs().filter(run -> !large.contains((String) run.get()[0]));
    }

    static Stream<Arguments> runs() throws IOException {
        List<Arguments> runs = new ArrayList<>();
        for (String model : MODELS) {
            String file = "/pytorch/" + model + ".json";
            try (InputStream in = CorrectnessTest.class.getResourceAsStream(file)) {
                Json.parse(Objects.requireNonNull(in, file).readAllBytes(), Recording.class)
                        .runs()
                        .forEach(run -> runs.add(Arguments.of(model, run.optimizer(), run)));
            }
        }
        return runs.stream();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("runs")
    void shouldLoseWhatPyTorchLosesInDouble(String model, String optimizer, Run run) {
        List<Double> losses = losses(model, optimizer, Precision.FP64, Arithmetic.LIBTORCH);
        assertThat(losses).hasSameSizeAs(run.fp64()).hasSize(20);
        for (int step = 0; step < 20; step++) {
            assertClose(losses, run.fp64(), step, 1e-9);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("smallRuns")
    void shouldLoseWhatPyTorchLosesWithStrictUpdates(String model, String optimizer, Run run) {
        List<Double> losses = losses(model, optimizer, Precision.FP64, Arithmetic.STRICT);
        for (int step = 0; step < 20; step++) {
            assertClose(losses, run.fp64(), step, 1e-9);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("runs")
    void shouldLoseWhatPyTorchLosesInFloat(String model, String optimizer, Run run) {
        List<Double> losses = losses(model, optimizer, Precision.FP32, Arithmetic.LIBTORCH);
        double spread = 1e-5;
        for (int step = 0; step < 20; step++) {
            double one = run.fp32().get(step);
            spread = Math.max(spread, Math.abs(one - run.fp32TwoThreads().get(step)) / one);
            assertClose(losses, run.fp32(), step, step < 3 ? 1e-5 : spread);
        }
    }

    private static void assertClose(
            List<Double> actual, List<Double> expected, int step, double tolerance) {
        double difference = Math.abs(actual.get(step) - expected.get(step)) / expected.get(step);
        assertThat(difference)
                .as("step %d: %s, PyTorch %s", step + 1, actual.get(step), expected.get(step))
                .isLessThanOrEqualTo(tolerance);
    }

    private static List<Double> losses(
            String name, String optimizer, Precision precision, Arithmetic arithmetic) {
        Case run = model(name);
        List<Double> losses = new ArrayList<>();
        ReplicaOptions options =
                ReplicaOptions.of(1, precision).withImageOrder(MemoryOrder.ROW_MAJOR);
        try (Replica replica =
                        Replica.build(
                                run.model(), LossSpec.auto(), List.of(), run.signature(), options);
                Optimizer rule = replica.optimizer(optimizer(optimizer))) {
            replica.load(initial(replica));
            rule.setArithmetic(arithmetic);
            for (long step = 1; step <= 20; step++) {
                replica.zeroGradients();
                StepLoss loss =
                        replica.forwardBackward(
                                run.batchOfStep().apply(1000 * step), step, ReadyListener.NONE);
                rule.apply(1, loss.weight(), 1);
                losses.add(loss.lossSum() / loss.weight());
            }
            replica.requireFlat();
        }
        return losses;
    }

    /** The parameters of the recordings; statistics as they are. */
    static List<NamedSpan> initial(Replica replica) {
        List<NamedSpan> arrays = new ArrayList<>(replica.export());
        List<Slot> slots = replica.layout().slots();
        for (int k = 0; k < slots.size(); k++) {
            Slot slot = slots.get(k);
            HostArray values = HostArray.allocate(ElementType.FLOAT64, slot.dimensions());
            ByteBuffer bytes = values.data().buffer();
            boolean isMatrix = slot.shape().size() >= 2;
            boolean isNorm = !isMatrix && slot.name().endsWith("weight");
            double fanIn = slot.count() / (double) slot.shape().get(0);
            for (long i = 0; i < slot.count(); i++) {
                double value = Formula.signed(i, k + 1L);
                value = isMatrix ? value / Math.sqrt(fanIn) : 0.1 * value + (isNorm ? 1 : 0);
                bytes.putDouble(value);
            }
            arrays.set(
                    k,
                    new NamedSpan(
                            slot.name(), ElementType.FLOAT64, slot.dimensions(), values.data()));
        }
        return arrays;
    }

    private static OptimizerSpec optimizer(String name) {
        OptimizerSpec sgd = OptimizerSpec.defaults(Kind.SGD);
        OptimizerSpec adam = OptimizerSpec.defaults(Kind.ADAM);
        OptimizerSpec adamw = OptimizerSpec.defaults(Kind.ADAMW);
        return switch (name) {
            case "sgd" -> sgd.withLearningRate(0.05);
            case "sgd-decay" -> sgd.withLearningRate(0.05).withWeightDecay(0.01);
            case "momentum" -> new OptimizerSpec(Kind.SGD, 0.02, 0.9, false, 0.9, 0.999, 1e-8, 0);
            case "nesterov" -> new OptimizerSpec(Kind.SGD, 0.02, 0.9, true, 0.9, 0.999, 1e-8, 0);
            case "adam" -> adam;
            case "adam-decay" -> adam.withWeightDecay(0.01);
            case "adamw" -> adamw;
            case "adamw-gpt" ->
                    new OptimizerSpec(Kind.ADAMW, 1e-3, 0, false, 0.9, 0.99, 1e-8, 0.01);
            case "rmsprop" -> OptimizerSpec.defaults(Kind.RMSPROP).withLearningRate(1e-3);
            case "rmsprop-momentum" ->
                    new OptimizerSpec(Kind.RMSPROP, 1e-3, 0.9, false, 0.9, 0.99, 1e-8, 0);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Case model(String name) {
        ModelSpec.Activation relu = ModelSpec.Activation.RELU;
        ModelSpec.Mlp narrow = new ModelSpec.Mlp(List.of(16), relu, 0);
        return switch (name) {
            case "linear" -> classes(new ModelSpec.Linear(), 20, 16);
            case "logistic" -> binary(new ModelSpec.Linear(), 20, 16);
            case "regression" ->
                    new Case(
                            narrow,
                            Shapes.rows(20, TargetKind.VALUE),
                            s ->
                                    Formula.batch(
                                            Formula.floats(s, 16, 20),
                                            Formula.floats(s + 500, 16)));
            case "mlp" -> classes(new ModelSpec.Mlp(List.of(16, 8), relu, 0), 20, 16);
            case "cnn" -> images(smallCnn(false), 12, 5, 16);
            case "cnn-batch-norm" -> images(smallCnn(true), 12, 5, 16);
            case "transformer" ->
                    new Case(
                            new ModelSpec.Transformer(2, 16, 2, 0),
                            Shapes.text(11, 8),
                            s ->
                                    Formula.batch(
                                            Formula.indices(s, 11, 4, 8),
                                            shiftedDown(Formula.indices(s + 500, 12, 4, 8))));
            case "resnet" ->
                    new Case(
                            TestNetworks.spec(name),
                            Shapes.images(3, 8, 3),
                            s ->
                                    Formula.batch(
                                            Formula.floats(s, 8, 3, 8, 8),
                                            Formula.indices(s + 500, 3, 8)));
            case "gru" -> sequences(new ModelSpec.Gru(2, 8, 0));
            case "lstm" -> sequences(new ModelSpec.Lstm(2, 8, 0));
            case "factors" ->
                    new Case(
                            TestNetworks.spec(name),
                            new Signature(
                                    List.of(
                                            new Signature.Input(
                                                    "pair",
                                                    ElementType.INT64,
                                                    List.of(2),
                                                    List.of(30, 20))),
                                    new Signature.Target(TargetKind.VALUE, 1, List.of())),
                            s ->
                                    Formula.batch(
                                            Formula.indices(s, 20, 64, 2),
                                            Formula.floats(s + 500, 64)));
            case "adult-mlp" -> binary(ModelSpec.Mlp.plain(), 108, 64);
            case "fashion-cnn" -> images(ModelSpec.Cnn.defaults(), 28, 10, 32);
            case "shakespeare-gpt" ->
                    new Case(
                            ModelSpec.Transformer.defaults(),
                            Shapes.text(65, 128),
                            s ->
                                    Formula.batch(
                                            Formula.indices(s, 65, 4, 128),
                                            Formula.indices(s + 500, 65, 4, 128)));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static ModelSpec smallCnn(boolean batchNorm) {
        return new ModelSpec.Cnn(List.of(4, 8), 3, List.of(16), batchNorm, 0);
    }

    private static Case sequences(ModelSpec model) {
        return new Case(
                model,
                Shapes.windows(5, 6, 3),
                s -> Formula.batch(Formula.floats(s, 8, 5, 6), Formula.indices(s + 500, 3, 8)));
    }

    private static Case classes(ModelSpec model, int features, int samples) {
        return new Case(
                model,
                Shapes.rows(features, 3),
                s ->
                        Formula.batch(
                                Formula.floats(s, samples, features),
                                Formula.indices(s + 500, 3, samples)));
    }

    private static Case binary(ModelSpec model, int features, int samples) {
        return new Case(
                model,
                Shapes.rows(features, TargetKind.BINARY),
                s ->
                        Formula.batch(
                                Formula.floats(s, samples, features),
                                Formula.labels(s + 500, samples)));
    }

    private static Case images(ModelSpec model, int side, int classes, int samples) {
        return new Case(
                model,
                Shapes.images(1, side, classes),
                s ->
                        Formula.batch(
                                Formula.floats(s, samples, 1, side, side),
                                Formula.indices(s + 500, classes, samples)));
    }

    /** Token targets with some that are not asked for. */
    private static HostArray shiftedDown(HostArray indices) {
        ByteBuffer bytes = indices.data().buffer();
        for (int i = 0; i < indices.count(); i++) {
            bytes.putLong(8 * i, bytes.getLong(8 * i) - 1);
        }
        return indices;
    }
}
