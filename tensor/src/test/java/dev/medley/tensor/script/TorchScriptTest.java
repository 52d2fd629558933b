package dev.medley.tensor.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.model.Networks;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.optimizer.Optimizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that Python wrote (src/test/python/make_torchscript.py) train here, and go back. */
@Tag("real")
class TorchScriptTest {
    private static final int SAMPLES = 8;
    private static final Signature ROWS = signature(List.of(4));
    private static final Signature IMAGES = signature(List.of(1, 8, 8));

    @TempDir private Path folder;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static Signature signature(List<Integer> shape) {
        return new Signature(
                List.of(new Input("features", ElementType.FLOAT32, shape, List.of())),
                new Target(TargetKind.CLASSES, 3, List.of("a", "b", "c")));
    }

    @Test
    void shouldTrainToPythonsVeryLoss() throws Exception {
        List<Double> losses =
                new String(bytes("dense-losses.txt"), StandardCharsets.UTF_8)
                        .lines()
                        .map(Double::valueOf)
                        .toList();
        try (Replica replica = replica("dense", ROWS)) {
            List<Double> ours = train(replica, ROWS, losses.size());
            for (int step = 0; step < losses.size(); step++) {
                assertThat(ours.get(step)).isCloseTo(losses.get(step), within(2e-6));
            }
            replica.requireFlat();
        }
    }

    /** With dropout and batch normalisation: what is drawn and remembered is the same, too. */
    @Test
    void shouldGiveTheSameBitsAgain() throws Exception {
        try (Replica one = replica("image", IMAGES);
                Replica other = replica("image", IMAGES)) {
            assertThat(train(one, IMAGES, 4)).isEqualTo(train(other, IMAGES, 4));
            assertThat(one.parameterHash()).isEqualTo(other.parameterHash());
            assertThat(one.layout().statistics())
                    .extracting(Slot::name)
                    .containsExactly("1.running_mean", "1.running_var");
            float[] before = floats(one.forward(batch(IMAGES)));
            assertThat(floats(one.forward(batch(IMAGES)))).isEqualTo(before);
            try (Replica fresh = replica("image", IMAGES)) {
                fresh.load(one.export());
                assertThat(floats(fresh.forward(batch(IMAGES)))).isEqualTo(before);
            }
        }
    }

    @Test
    void shouldGoBackAsAFileThatIsItsOwnBeginning() throws Exception {
        ModelSpec.TorchScript spec = spec("image");
        Path back = folder.resolve("back.pt");
        try (Replica replica = replica("image", IMAGES)) {
            train(replica, IMAGES, 3);
            ScriptedNetwork.write(spec, replica.export(), back);
            ModelSpec.TorchScript trained = ofFile(back);
            try (Replica again = replica(trained, IMAGES)) {
                assertThat(floats(again.forward(batch(IMAGES))))
                        .isEqualTo(floats(replica.forward(batch(IMAGES))));
                assertThat(again.export()).hasSameSizeAs(replica.export());
            }
        }
    }

    @Test
    void anArrayInTwoPlacesShouldBeOneAndWhatDoesNotLearnShouldStay() throws Exception {
        try (Replica replica = replica("tied", ROWS)) {
            assertThat(replica.layout().slots())
                    .extracting(Slot::name)
                    .containsExactly("into.weight", "head.weight", "head.bias");
            List<Double> losses = train(replica, ROWS, 5);
            assertThat(losses.get(4)).isLessThan(losses.get(0));
            Path back = folder.resolve("back.pt");
            List<NamedSpan> trained = replica.export();
            ScriptedNetwork.write(spec("tied"), trained, back);
            try (Replica again = replica(ofFile(back), ROWS)) {
                assertThat(again.layout()).isEqualTo(replica.layout());
                assertThat(floats(again.forward(batch(ROWS))))
                        .isEqualTo(floats(replica.forward(batch(ROWS))));
            }
        }
    }

    @Test
    void shouldTrainInOtherPrecisions() throws Exception {
        for (Precision precision : List.of(Precision.FP64, Precision.BF16)) {
            try (Replica replica = replica(spec("tied"), ROWS, precision)) {
                List<Double> losses = train(replica, ROWS, 10);
                assertThat(losses.get(9)).as("%s", precision).isLessThan(losses.get(0));
            }
        }
    }

    @Test
    void shouldRefuseWhatCannotBeTrainedWithOneSentence() throws Exception {
        refused(spec("nothing-to-learn"), ROWS, "has no parameters that learn");
        refused(spec("reading"), ROWS, "reaches beyond its arrays", "'from_file' in reading/code/");
        for (String hidden :
                List.of(
                        "t = torch\n t.save(x, 'f')",
                        "torch.\\\n from_file('f')",
                        "getattr(torch, \"from\\x5ffile\")('f')",
                        "getattr(torch, 'save')(x, 'f')",
                        "__torch__.torch.classes.c10d.Store")) {
            refused(rewritten("code/__torch__", hidden), ROWS, "reaches beyond its arrays");
        }
        refused(
                spec("dense"),
                signature(List.of(5)),
                "does not take what the data gives",
                "[2, 5]");
        Signature two =
                new Signature(ROWS.inputs(), new Target(TargetKind.CLASSES, 4, List.of("a", "b")));
        refused(spec("dense"), two, "outputs of shape [2, 3]", "asks for [2, 4]");
        Signature both =
                new Signature(List.of(ROWS.inputs().get(0), ROWS.inputs().get(0)), ROWS.target());
        refused(spec("dense"), both, "does not take what the data gives");
        refused(
                ofFile(Files.writeString(folder.resolve("text.pt"), "no zip")),
                ROWS,
                "is no TorchScript file");
        byte[] whole = bytes("dense.pt");
        byte[] half = java.util.Arrays.copyOf(whole, whole.length / 2);
        refused(ofFile(Files.write(folder.resolve("half.pt"), half)), ROWS, "no TorchScript file");
        refused(rewritten("version", "99\n"), ROWS, "cannot be read by this LibTorch", "99");
        refused(rewritten("code", null), ROWS, "holds no program");
        ModelSpec.TorchScript aFolder =
                new ModelSpec.TorchScript(folder.toString(), "0".repeat(64));
        refused(aFolder, ROWS, "is a folder, not a TorchScript file");
        refused(rewritten("data.pkl", "nonsense"), ROWS, "cannot be read by this LibTorch");
        ModelSpec.TorchScript other = spec("dense");
        Files.write(Path.of(other.file()), bytes("tied.pt"));
        refused(other, ROWS, "is not the file that it was");
        ModelSpec.TorchScript gone =
                new ModelSpec.TorchScript(folder.resolve("gone.pt").toString(), "0".repeat(64));
        refused(gone, ROWS, "there is no ", "torch.jit.script(net).save");
    }

    private static void refused(ModelSpec spec, Signature signature, String... words) {
        assertThatThrownBy(() -> Networks.layout(spec, List.of(), signature))
                .isInstanceOf(ConfigException.class)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
                .hasMessageStartingWith("model.file: ")
                .hasMessageContainingAll(words);
    }

    /** The file dense.pt with other bytes in an entry, or without it. */
    private ModelSpec.TorchScript rewritten(String entry, @Nullable String content)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipFile in = new ZipFile(spec("dense").file());
                ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (ZipEntry each : in.stream().toList()) {
                boolean isAsked = each.getName().startsWith("dense/" + entry);
                if (!isAsked || content != null) {
                    out.putNextEntry(new ZipEntry(each.getName()));
                    out.write(
                            isAsked
                                    ? content.getBytes(StandardCharsets.UTF_8)
                                    : in.getInputStream(each).readAllBytes());
                }
            }
        }
        return ofFile(Files.write(folder.resolve("rewritten.pt"), bytes.toByteArray()));
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = TorchScriptTest.class.getResourceAsStream("/torchscript/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private ModelSpec.TorchScript spec(String name) throws IOException {
        return ofFile(Files.write(folder.resolve(name + ".pt"), bytes(name + ".pt")));
    }

    private static ModelSpec.TorchScript ofFile(Path file) {
        return new ModelSpec.TorchScript(file.toString(), ScriptFile.sha256(file));
    }

    private Replica replica(String name, Signature signature) throws IOException {
        return replica(spec(name), signature);
    }

    private static Replica replica(ModelSpec spec, Signature signature) {
        return replica(spec, signature, Precision.FP32);
    }

    private static Replica replica(ModelSpec spec, Signature signature, Precision precision) {
        ReplicaOptions options = ReplicaOptions.of(5, precision);
        return Replica.build(spec, LossSpec.auto(), List.of(), signature, options);
    }

    private static List<Double> train(Replica replica, Signature signature, int steps) {
        List<Double> losses = new ArrayList<>();
        OptimizerSpec adam = OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM).withLearningRate(0.01);
        try (Optimizer optimizer = replica.optimizer(adam)) {
            for (int step = 1; step <= steps; step++) {
                replica.zeroGradients();
                losses.add(
                        replica.forwardBackward(batch(signature), step, ReadyListener.NONE)
                                .lossSum());
                optimizer.apply(1, SAMPLES, 1);
            }
        }
        return losses;
    }

    private static Batch batch(Signature signature) {
        List<Integer> shape = signature.inputs().get(0).shape();
        long[] all = new long[1 + shape.size()];
        all[0] = SAMPLES;
        for (int i = 0; i < shape.size(); i++) {
            all[i + 1] = shape.get(i);
        }
        HostArray x = HostArray.allocate(ElementType.FLOAT32, all);
        var numbers = x.data().buffer().asFloatBuffer();
        for (int i = 0; numbers.hasRemaining(); i++) {
            numbers.put((float) Math.sin((float) i));
        }
        HostArray y = HostArray.allocate(ElementType.INT64, SAMPLES);
        for (int i = 0; i < SAMPLES; i++) {
            y.data().buffer().asLongBuffer().put(i, i % 3);
        }
        return new Batch(List.of(x), y, SAMPLES);
    }

    private static float[] floats(HostArray array) {
        float[] values = new float[(int) array.count()];
        array.data().buffer().asFloatBuffer().get(values);
        return values;
    }
}
