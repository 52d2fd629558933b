package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layer.Sequential;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.loss.LossFunction;
import dev.medley.tensor.loss.LossFunctions;
import dev.medley.tensor.optimizer.Optimizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TrainingModesTest {
    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** A user's layer: each feature times a learned factor. */
    private static final class Scale implements Layer {
        private final Parameter factor;

        Scale(int width) {
            factor = Parameter.of(Initializer.constant(3), width);
        }

        @Override
        public void declare(Declaration declaration) {
            declaration.parameter("factor", factor);
        }

        @Override
        public Tensor forward(Tensor x, Pass pass) {
            return x.times(factor.value());
        }
    }

    /** A user's model, named by its class in a job. */
    static final class Scaled implements Architecture {
        private final int width;

        Scaled(Map<String, String> options) {
            width = Integer.parseInt(options.getOrDefault("width", "4"));
        }

        @Override
        public Network build(Signature signature) {
            int features = signature.inputs().get(0).shape().get(0);
            return Network.of(
                    Sequential.of(
                            new Scale(features),
                            new Linear(features, width),
                            new Linear(width, signature.target().outputs())));
        }
    }

    /** A user's loss. */
    static final class AbsoluteError implements LossFunction {
        @Override
        public Tensor sum(Tensor outputs, Tensor target) {
            Tensor difference = outputs.reshape(-1).minus(target);
            return difference.times(difference).plus(1e-12).sum();
        }
    }

    @Test
    void shouldTrainAUsersArchitectureAndLossByName() {
        ModelSpec model =
                new ModelSpec.Custom(new ClassSpec(Scaled.class.getName(), Map.of("width", "6")));
        LossSpec loss = new LossSpec(LossKind.CUSTOM, ClassSpec.of(AbsoluteError.class));
        Signature signature = Shapes.rows(20, TargetKind.VALUE);
        ReplicaOptions options = ReplicaOptions.of(1, Precision.FP32);
        try (Replica replica = Replica.build(model, loss, List.of(), signature, options);
                Optimizer adam =
                        replica.optimizer(
                                OptimizerSpec.defaults(Kind.ADAM).withLearningRate(0.01))) {
            assertThat(replica.layout().slots().get(0).name()).isEqualTo("0.factor");
            assertThat(replica.layout().slots().get(1).shape()).containsExactly(6L, 20L);
            assertThat(ReplicaTest.floats(replica.parameters())[0]).isEqualTo(3);
            Batch batch = Formula.batch(Formula.floats(1, 16, 20), Formula.floats(2, 16));
            double first = step(replica, adam, batch, 1);
            double last = first;
            for (int step = 2; step <= 200; step++) {
                last = step(replica, adam, batch, step);
            }
            assertThat(last).isLessThan(0.2 * first);
            assertThat(ReplicaTest.floats(replica.parameters())[0]).isNotEqualTo(3);
        }
    }

    @Test
    void shouldNameAUsersClassThatCannotBeUsed() {
        ClassSpec missing = new ClassSpec("org.example.Missing", Map.of());
        assertThatThrownBy(() -> build(new ModelSpec.Custom(missing)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("org.example.Missing");
        assertThatThrownBy(() -> build(new ModelSpec.Custom(ClassSpec.of(String.class))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Architecture");
    }

    private static Replica build(ModelSpec model) {
        return ReplicaTest.replica(model, Shapes.rows(20, 3), List.of(), Precision.FP32);
    }

    @Test
    void shouldDropByStepAndPosition() {
        ModelSpec model = new ModelSpec.Mlp(List.of(64), ModelSpec.Activation.RELU, 0.5);
        Batch batch = ReplicaTest.rows(1, 16);
        try (Replica replica = build(model)) {
            replica.zeroGradients();
            double loss = loss(replica, batch, 1, 0);
            assertThat(loss(replica, batch, 1, 0)).isEqualTo(loss);
            assertThat(loss(replica, batch, 2, 0)).isNotEqualTo(loss);
            assertThat(loss(replica, batch, 1, 16)).isNotEqualTo(loss);
            assertThat(replica.evaluate(batch).lossSum())
                    .isEqualTo(replica.evaluate(batch).lossSum());
        }
    }

    private static double weight(Batch batch) {
        return batch.target().count();
    }

    private static double loss(Replica replica, Batch batch, long step, long position) {
        return replica.forwardBackward(batch, step, position, ReadyListener.NONE).lossSum();
    }

    @Test
    void shouldKeepTheMeanWhenDropping() {
        ModelSpec model = new ModelSpec.Mlp(List.of(256), ModelSpec.Activation.RELU, 0.3);
        Batch batch = ReplicaTest.rows(1, 64);
        try (Replica replica = build(model)) {
            replica.zeroGradients();
            double sum = 0;
            for (int step = 1; step <= 50; step++) {
                sum += loss(replica, batch, step, 0) / 50;
            }
            assertThat(sum / replica.evaluate(batch).lossSum()).isCloseTo(1, within(0.05));
        }
    }

    @Test
    void shouldLearnInBf16WithParametersInFloat() {
        for (ModelSpec model :
                List.of(
                        new ModelSpec.Transformer(2, 32, 2, 0),
                        new ModelSpec.Cnn(List.of(8), 3, List.of(16), true, 0))) {
            boolean isText = model instanceof ModelSpec.Transformer;
            Signature signature = isText ? Shapes.text(11, 8) : Shapes.images(1, 8, 3);
            Batch batch =
                    isText
                            ? Formula.batch(
                                    Formula.indices(1, 11, 4, 8), Formula.indices(2, 11, 4, 8))
                            : Formula.batch(
                                    Formula.floats(1, 16, 1, 8, 8), Formula.indices(2, 3, 16));
            try (Replica replica =
                            ReplicaTest.replica(model, signature, List.of(), Precision.BF16);
                    Optimizer adam =
                            replica.optimizer(
                                    OptimizerSpec.defaults(Kind.ADAM).withLearningRate(0.01))) {
                replica.zeroGradients();
                double bf16 = loss(replica, batch, 1, 0) / weight(batch);
                replica.setPrecision(Precision.FP32);
                double fp32 = loss(replica, batch, 1, 0) / weight(batch);
                assertThat(bf16).isNotEqualTo(fp32).isCloseTo(fp32, within(0.05));
                replica.setPrecision(Precision.BF16);
                double last = fp32;
                for (int step = 3; step <= 150; step++) {
                    last = step(replica, adam, batch, step);
                }
                assertThat(last).isLessThan(0.3 * fp32);
                assertThat(replica.layout().type()).isEqualTo(ElementType.FLOAT32);
                assertThatThrownBy(() -> replica.setPrecision(Precision.FP64))
                        .isInstanceOf(ConfigException.class);
            }
        }
    }

    @Test
    void shouldRememberStatisticsInBuffersAndUseThemInEvaluation() {
        ModelSpec model = new ModelSpec.Cnn(List.of(4), 3, List.of(), true, 0);
        Batch batch = Formula.batch(Formula.floats(1, 16, 1, 8, 8), Formula.indices(2, 3, 16));
        try (Replica replica =
                ReplicaTest.replica(model, Shapes.images(1, 8, 3), List.of(), Precision.FP32)) {
            assertThat(replica.layout().statistics())
                    .extracting(Slot::name)
                    .containsExactly("1.running_mean", "1.running_var");
            float[] before = ReplicaTest.floats(replica.buffers());
            assertThat(before[0]).isZero();
            assertThat(before[16]).isEqualTo(1);
            double untrained = replica.evaluate(batch).lossSum();
            replica.zeroGradients();
            replica.forwardBackward(batch, 1, ReadyListener.NONE);
            assertThat(ReplicaTest.floats(replica.buffers())).isNotEqualTo(before);
            assertThat(replica.evaluate(batch).lossSum()).isNotEqualTo(untrained);
            replica.buffers().buffer().asFloatBuffer().put(0, before);
            assertThat(replica.evaluate(batch).lossSum()).isEqualTo(untrained);
        }
    }

    @Test
    void shouldEmbedCategoriesBesideNumbers() {
        Signature signature =
                new Signature(
                        List.of(
                                new Input("numbers", ElementType.FLOAT32, List.of(3), List.of()),
                                new Input(
                                        "categories",
                                        ElementType.INT64,
                                        List.of(2),
                                        List.of(200, 7))),
                        new Target(TargetKind.BINARY, 1, List.of()));
        try (Replica replica =
                        ReplicaTest.replica(
                                ModelSpec.Mlp.plain(), signature, List.of(), Precision.FP32);
                Optimizer adam = replica.optimizer(OptimizerSpec.defaults(Kind.ADAM))) {
            assertThat(replica.layout().slots().get(0).shape()).containsExactly(200L, 50L);
            assertThat(replica.layout().slots().get(1).shape()).containsExactly(7L, 4L);
            assertThat(replica.layout().slots().get(2).shape()).containsExactly(256L, 57L);
            Batch batch =
                    new Batch(
                            List.of(Formula.floats(1, 32, 3), Formula.indices(2, 7, 32, 2)),
                            Formula.labels(3, 32),
                            32);
            double first = step(replica, adam, batch, 1);
            double last = first;
            for (int step = 2; step <= 100; step++) {
                last = step(replica, adam, batch, step);
            }
            assertThat(last).isLessThan(0.3 * first);
            assertThat(replica.forward(batch).shape()).containsExactly(32, 1);
        }
    }

    @Test
    void shouldScaleBytesOfImagesAndTakeBytesOfTextAsTokens() {
        Signature bytes =
                new Signature(
                        List.of(new Input("image", ElementType.UINT8, List.of(1, 8, 8), List.of())),
                        new Target(TargetKind.CLASSES, 3, List.of()));
        HostArray raw = HostArray.allocate(ElementType.UINT8, 4, 1, 8, 8);
        HostArray scaled = HostArray.allocate(ElementType.FLOAT32, 4, 1, 8, 8);
        for (int i = 0; i < 256; i++) {
            raw.data().buffer().put(i, (byte) i);
            scaled.data().buffer().putFloat(4 * i, i / 255f);
        }
        ModelSpec cnn = new ModelSpec.Cnn(List.of(4), 3, List.of(), false, 0);
        HostArray target = Formula.indices(1, 3, 4);
        try (Replica fromBytes = ReplicaTest.replica(cnn, bytes, List.of(), Precision.FP32);
                Replica fromFloats =
                        ReplicaTest.replica(
                                cnn, Shapes.images(1, 8, 3), List.of(), Precision.FP32)) {
            assertThat(fromBytes.evaluate(Formula.batch(raw, target)).lossSum())
                    .isEqualTo(fromFloats.evaluate(Formula.batch(scaled, target)).lossSum());
        }
        Signature text =
                new Signature(
                        List.of(new Input("text", ElementType.UINT8, List.of(8), List.of(256))),
                        new Target(TargetKind.TOKENS, 256, List.of()));
        HostArray window = HostArray.allocate(ElementType.UINT8, 2, 8);
        window.data().buffer().put(3, (byte) 200);
        try (Replica replica =
                ReplicaTest.replica(
                        new ModelSpec.Transformer(1, 16, 2, 0), text, List.of(), Precision.FP32)) {
            Batch batch = Formula.batch(window, Formula.indices(1, 256, 2, 8));
            assertThat(replica.forward(batch).shape()).containsExactly(2, 8, 256);
            assertThat(replica.evaluate(batch).weight()).isEqualTo(16);
        }
    }

    @Test
    void shouldGiveItsArraysAndTakeThemBack() {
        ModelSpec model = new ModelSpec.Cnn(List.of(4), 3, List.of(8), true, 0);
        Signature signature = Shapes.images(3, 8, 3);
        Batch batch = Formula.batch(Formula.floats(1, 4, 3, 8, 8), Formula.indices(2, 3, 4));
        try (Replica from = ReplicaTest.replica(model, signature, List.of(), Precision.FP32);
                Replica to =
                        Replica.build(
                                model,
                                LossSpec.auto(),
                                List.of(),
                                signature,
                                ReplicaOptions.of(77, Precision.FP32)
                                        .withImageOrder(Slot.MemoryOrder.ROW_MAJOR))) {
            to.load(from.export());
            assertThat(to.evaluate(batch).lossSum())
                    .isCloseTo(from.evaluate(batch).lossSum(), within(1e-5));
            List<NamedSpan> lacking = new ArrayList<>(from.export());
            String name = lacking.remove(2).name();
            assertThatThrownBy(() -> to.load(lacking))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void shouldAnswerSeveralThreadsAtOnce() throws Exception {
        Batch batch = ReplicaTest.rows(1, 64);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (Replica replica = build(ModelSpec.Mlp.defaults())) {
            float[] expected = ReplicaTest.floats(replica.forward(batch).data());
            List<Future<float[]>> answers = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                answers.add(
                        threads.submit(() -> ReplicaTest.floats(replica.forward(batch).data())));
            }
            for (Future<float[]> answer : answers) {
                assertThat(answer.get()).isEqualTo(expected);
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void shouldKeepParametersInTheirPlace() {
        Linear layer = new Linear(20, 3);
        try (Replica replica =
                Replica.of(
                        Network.of(layer),
                        LossFunctions.crossEntropy(),
                        Shapes.rows(20, 3),
                        ReplicaOptions.of(1, Precision.FP32))) {
            replica.requireFlat();
            replica.zeroGradients();
            replica.forwardBackward(ReplicaTest.rows(1, 8), 1, ReadyListener.NONE);
            replica.requireFlat();
        }
    }

    private static double step(Replica replica, Optimizer optimizer, Batch batch, long step) {
        replica.zeroGradients();
        StepLoss loss = replica.forwardBackward(batch, step, ReadyListener.NONE);
        optimizer.apply(1, loss.weight(), 1);
        return loss.lossSum() / loss.weight();
    }
}
