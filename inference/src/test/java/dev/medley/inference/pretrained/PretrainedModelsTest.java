package dev.medley.inference.pretrained;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.inference.model.GenerateOptions;
import dev.medley.inference.model.LoadedModel;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The expected logits are those of transformers: see make_models.py. */
@Tag("real")
class PretrainedModelsTest {
    private static final Path FIXTURES = Path.of("src/test/resources/pretrained");
    private static final Path GPT2 = FIXTURES.resolve("gpt2");
    private static final Path BERT = FIXTURES.resolve("bert");

    @TempDir Path folder;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void aDecoderShouldSayWhatTransformersSays() throws IOException {
        JsonNode expected = json(GPT2.resolve("expected.json"));
        try (LoadedModel model = LoadedModel.load(GPT2, 1)) {
            JsonNode logits = expected.path("logits").path(0);
            assertLogits(logits(model, expected.path("tokens").path(0)), logits);
            TextEncoding encoding = (TextEncoding) model.encoding();
            String text =
                    model.generate(
                            expected.path("prompt").asString(), new GenerateOptions(12, 0, 1));
            assertThat(text).isEqualTo(encoding.decode(longs(expected.path("continued"))));
        }
    }

    @Test
    void narrowWeightsShouldBeWidened() throws IOException {
        copy(GPT2, folder);
        Files.copy(
                GPT2.resolve("bf16.safetensors"),
                folder.resolve("model.safetensors"),
                StandardCopyOption.REPLACE_EXISTING);
        JsonNode tokens = json(GPT2.resolve("expected.json")).path("tokens").path(0);
        try (LoadedModel model = LoadedModel.load(folder, 1)) {
            float[][] logits = logits(model, tokens);
            JsonNode last = json(GPT2.resolve("bf16.json")).path("last").path(0);
            assertClose(logits[logits.length - 1], last);
        }
    }

    /** The tokens that are filled up behind the sequence change nothing before them. */
    private static float[][] logits(LoadedModel model, JsonNode tokens) {
        int context = model.description().signature().inputs().get(0).shape().get(0);
        HostArray input = HostArray.allocate(ElementType.INT64, 1, context);
        LongBuffer values = input.data().buffer().asLongBuffer();
        values.put(longs(tokens));
        FloatBuffer outputs =
                model.predict(new Batch(List.of(input), input, 1)).data().buffer().asFloatBuffer();
        float[][] logits = new float[tokens.size()][outputs.limit() / context];
        for (float[] row : logits) {
            outputs.get(row);
        }
        return logits;
    }

    private static void assertLogits(float[][] found, JsonNode expected) {
        for (int i = 0; i < found.length; i++) {
            assertClose(found[i], expected.path(i));
        }
    }

    private static void assertClose(float[] found, JsonNode expected) {
        assertThat(found).hasSize(expected.size());
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).isCloseTo((float) expected.path(i).asDouble(), within(1e-4f));
        }
    }

    @Test
    void anEncoderShouldSayWhatTransformersSays() throws IOException {
        JsonNode expected = json(BERT.resolve("expected.json"));
        TransformersFolder found = TransformersFolder.open(BERT);
        ModelSpec spec = ModelSpec.Pretrained.of(BERT.toString()).with(found.found());
        int length = expected.path("tokens").path(0).size();
        Signature signature =
                new Signature(
                        List.of(
                                new Signature.Input(
                                        "text", ElementType.INT64, List.of(length), List.of(300))),
                        new Signature.Target(TargetKind.CLASSES, 3, List.of("a", "b", "c")));
        HostArray tokens = HostArray.allocate(ElementType.INT64, 2, length);
        LongBuffer values = tokens.data().buffer().asLongBuffer();
        for (int i = 0; i < 2; i++) {
            for (int at = 0; at < length; at++) {
                boolean isSeen = expected.path("mask").path(i).path(at).asInt() == 1;
                values.put(isSeen ? expected.path("tokens").path(i).path(at).asLong() : -1);
            }
        }
        try (Replica replica =
                Replica.build(
                        spec,
                        LossSpec.auto(),
                        List.of(),
                        signature,
                        ReplicaOptions.of(1, Precision.FP32))) {
            replica.begin(found.weights());
            FloatBuffer outputs =
                    replica.forward(new Batch(List.of(tokens), tokens, 2))
                            .data()
                            .buffer()
                            .asFloatBuffer();
            for (int i = 0; i < 2; i++) {
                float[] row = new float[3];
                outputs.get(row);
                assertClose(row, expected.path("logits").path(i));
            }
        }
    }

    @Test
    void whatDoesNotFitShouldBeNamed() throws IOException {
        refused("\"n_embd\": 16", "\"n_embd\": 32", "wte.weight has the shape [400, 16]");
        refused("\"n_embd\": 32", "\"n_embd\": 16", null);
        refused("\"n_layer\": 2", "\"n_layer\": 3", "there is no h.2.ln_1.weight of shape [16]");
        refused("\"n_layer\": 3", "\"n_layer\": 1", "h.1.attn.c_attn.bias, which no part");
        refused("\"n_layer\": 1", "\"n_layer\": 2000000000", "layers=2000000000");
        refused("2000000000", "2", null);
        refused("\"gpt2\"", "\"llama\"", "model_type is \"llama\": Medley reads gpt2 and bert");
        refused("\"llama\"", "\"gpt2\"", null);
        refused("gelu_new", "relu", "activation_function is \"relu\"");
        refused("\"relu\"", "\"gelu_new\"", null);
        refused("\"n_positions\": 24,", "", "n_positions is missing");
    }

    @Test
    void aTokenizerOfAnotherModelShouldBeRefused() throws IOException {
        copy(GPT2, folder);
        Files.copy(
                BERT.resolve("tokenizer.json"),
                folder.resolve("tokenizer.json"),
                StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> TransformersFolder.open(folder))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("236 tokens of word pieces")
                .hasMessageContaining("are of 400")
                .hasMessageContaining("tokenizer of another model");
    }

    /** With one more change to the config of this test's folder; {@code why} null for none. */
    private void refused(String from, String to, String why) throws IOException {
        Path config = folder.resolve("config.json");
        if (!Files.exists(config)) {
            copy(GPT2, folder);
        }
        String text = Files.readString(config);
        assertThat(text).contains(from);
        Files.writeString(config, text.replace(from, to));
        if (why == null) {
            assertThat(TransformersFolder.open(folder).weights()).hasSize(28);
        } else {
            assertThatThrownBy(() -> TransformersFolder.open(folder))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(why);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (String name : List.of("config.json", "model.safetensors", "tokenizer.json")) {
            Files.copy(from.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static JsonNode json(Path file) throws IOException {
        return Objects.requireNonNull(Json.parse(Files.readString(file), JsonNode.class));
    }

    private static long[] longs(JsonNode values) {
        return values.valueStream().mapToLong(JsonNode::asLong).toArray();
    }
}
