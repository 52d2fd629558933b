package dev.medley.store.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.store.file.PythonWithSafetensors;
import dev.medley.store.file.SmallDisk;
import dev.medley.store.file.Spans;
import dev.medley.store.file.WriteFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ModelFolderTest {
    @TempDir Path folder;

    @Test
    @Tag("unit")
    void shouldReadWhatWasWritten() throws Exception {
        Path model = folder.resolve("runs/adult/model");
        List<NamedSpan> weights = Spans.ofEveryType(1);
        ModelFolder.write(
                model, description(Json.tree(Map.of("columns", List.of("age")))), weights);
        StoredModel read = ModelFolder.read(model);
        assertThat(read.description().model()).isEqualTo(ModelSpec.Mlp.defaults());
        assertThat(read.description().loss()).isEqualTo(LossSpec.auto());
        assertThat(read.description().signature()).isEqualTo(signature());
        assertThat(Json.line(read.description().encoding())).isEqualTo("{\"columns\":[\"age\"]}");
        assertThat(read.description().metrics()).containsEntry("auc", 0.91).containsKey("loss");
        assertThat(read.description().metrics().get("loss")).isNaN();
        assertThat(read.description().provenance().versions()).containsEntry("java", "17");
        assertThat(Spans.describe(read.weights())).isEqualTo(Spans.describe(weights));
        assertThat(read.weightsSha256()).hasSize(64);
        Files.delete(model.resolve("weights.safetensors"));
        assertThat(ModelFolder.said(model).orElseThrow().provenance().step()).isEqualTo(7);
        assertThat(ModelFolder.said(folder)).isEmpty();
    }

    @Test
    @Tag("unit")
    void shouldReplaceAnOlderModelButNothingElse() throws Exception {
        Path model = folder.resolve("model");
        ModelFolder.write(model, description(Json.tree(null)), Spans.ofEveryType(1));
        ModelFolder.write(model, description(Json.tree(null)), Spans.ofEveryType(2));
        StoredModel read = ModelFolder.read(model);
        assertThat(Spans.describe(read.weights())).isEqualTo(Spans.describe(Spans.ofEveryType(2)));
        assertThat(read.description().encoding().isNull()).isTrue();

        Path home = Files.createDirectory(folder.resolve("home"));
        Path letter = Files.writeString(home.resolve("letter.txt"), "dear");
        assertThatThrownBy(() -> write(home))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        home + ": holds [letter.txt] besides a model: choose a folder of its own");
        assertThat(letter).hasContent("dear");
        assertThatThrownBy(() -> write(letter))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("letter.txt: is a file");
    }

    @Test
    @Tag("unit")
    void shouldSayWhatIsMissing() throws Exception {
        Path model = folder.resolve("model");
        assertRefused(model, model + ": there is no such model folder: name one that holds");
        write(model);
        Files.delete(model.resolve("weights.safetensors"));
        assertRefused(model, model + ": weights.safetensors is missing: not a model folder");
        Files.delete(model.resolve("model.json"));
        assertRefused(model, model + ": model.json is missing: not a model folder");
    }

    @Test
    @Tag("unit")
    void shouldSayThatAnotherVersionWroteIt() throws Exception {
        Path model = folder.resolve("model");
        write(model);
        Path json = model.resolve("model.json");
        Files.writeString(
                json,
                Files.readString(json).replace("\"formatVersion\" : 1", "\"formatVersion\" : 2"));
        assertRefused(
                model,
                json
                        + ": a model of format version 2, this Medley reads version 1: use the"
                        + " Medley that wrote it, or train the model again");
    }

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldRefuseAnyFlippedByteAndAnyCut(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        Path model = folder.resolve("model");
        write(model);
        for (String name : List.of("model.json", "weights.safetensors")) {
            Path file = model.resolve(name);
            byte[] whole = Files.readAllBytes(file);
            for (int i = 0; i < 25; i++) {
                byte[] flipped = whole.clone();
                flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, flipped);
                assertRefused(model, file.toString());
                Files.write(file, Arrays.copyOf(whole, random.nextInt(whole.length)));
                assertRefused(model, file + ": damaged or edited: ");
            }
            Files.write(file, whole);
            ModelFolder.read(model);
        }
    }

    @Test
    @Tag("real")
    void shouldKeepTheOlderModelWhenTheDiskIsFull() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 2)) {
            Path model = disk.root().resolve("model");
            write(model);
            NamedSpan big = Spans.random(1, "big", ElementType.FLOAT32, 1 << 20);
            assertThatThrownBy(
                            () -> ModelFolder.write(model, description(Json.tree(1)), List.of(big)))
                    .isInstanceOfSatisfying(
                            WriteFailure.class,
                            f -> assertThat(f.reason()).isEqualTo(WriteFailure.Reason.NO_SPACE))
                    .hasMessageContaining(model + ": no space left on the device: 41");
            assertThat(ModelFolder.read(model).weights()).hasSize(6);
        }
    }

    @Test
    @Tag("real")
    void shouldLoadInPython() throws Exception {
        Path model = folder.resolve("model");
        NamedSpan weight = Spans.random(3, "fc.weight", ElementType.FLOAT32, 2, 2);
        weight.data().buffer().asFloatBuffer().put(new float[] {1, 2, 3, 4});
        ModelFolder.write(model, description(Json.tree(1)), List.of(weight));
        String seen =
                PythonWithSafetensors.run(
                        """
                        import sys, json, hashlib
                        from safetensors.numpy import load_file
                        print(load_file(sys.argv[1] + "/weights.safetensors")["fc.weight"].tolist())
                        sha = hashlib.sha256(open(sys.argv[1] + "/weights.safetensors", "rb").read())
                        model = json.load(open(sys.argv[1] + "/model.json"))
                        print(model["weights"]["sha256"] == sha.hexdigest(), model["model"]["family"])
                        """,
                        model);
        assertThat(seen.lines()).containsExactly("[[1.0, 2.0], [3.0, 4.0]]", "True mlp");
    }

    private static void write(Path model) throws WriteFailure {
        JsonNode encoding = Json.tree(Map.of("mean", List.of(0.1, 1e10)));
        ModelFolder.write(model, description(encoding), Spans.ofEveryType(1));
    }

    private static void assertRefused(Path model, String message) {
        assertThatThrownBy(() -> ModelFolder.read(model))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    private static Signature signature() {
        return new Signature(
                List.of(new Signature.Input("numeric", ElementType.FLOAT32, List.of(6), List.of())),
                new Signature.Target(Signature.TargetKind.BINARY, 1, List.of("<=50K", ">50K")));
    }

    private static ModelDescription description(JsonNode encoding) {
        return new ModelDescription(
                ModelSpec.Mlp.defaults(),
                LossSpec.auto(),
                signature(),
                encoding,
                Map.of("auc", 0.91, "loss", Double.NaN),
                new Provenance(
                        "adult-1",
                        "2026-11-21T03:00:00Z",
                        "0123456789abcdef",
                        1,
                        Json.tree(Map.of("name", "adult")),
                        Map.of("medley", "0.1.0", "java", "17"),
                        7));
    }
}
