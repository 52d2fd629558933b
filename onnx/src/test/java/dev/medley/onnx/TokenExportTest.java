package dev.medley.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.token.TokenizerFile;
import dev.medley.data.token.Tokens;
import dev.medley.inference.model.LoadedModel;
import dev.medley.inference.pretrained.TransformersFolder;
import dev.medley.onnx.given.GivenModel;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens in, answers of a prediction out, and their tokenizer beside the file. */
@Tag("real")
class TokenExportTest {
    private static final Path BERT = Path.of("../inference/src/test/resources/pretrained/bert");
    private static final int SAMPLES = 6;
    private static final int CONTEXT = 7;

    @TempDir private Path folder;

    static Stream<ModelSpec> classifiers() {
        return Stream.of(
                new ModelSpec.Transformer(2, 8, 2, 0).ofPatches(4, 2),
                new ModelSpec.Lstm(2, 8, 0),
                new ModelSpec.Gru(1, 8, 0));
    }

    /** Some end before the context does. */
    @ParameterizedTest
    @MethodSource("classifiers")
    void textsShouldGetTheirClasses(ModelSpec model) throws Exception {
        LabelEncoding label = LabelEncoding.ofClasses("mood", List.of("good", "bad", "none"));
        Encoding texts =
                new LabelledTextEncoding("note", CONTEXT, pieces(), label, List.of(""), null);
        Batch batch = GivenModel.drawn(texts.signature(), SAMPLES);
        var tokens = batch.inputs().get(0).data().buffer().asLongBuffer();
        for (int i = 0; i < SAMPLES * CONTEXT; i++) {
            if (i % CONTEXT > i / CONTEXT % 4 + 2) {
                tokens.put(i, -1);
            }
        }
        requireSame(model, texts, batch, pieces());
    }

    /** Its pooler reads the first token. */
    @Test
    void textsShouldGetTheClassesOfAPretrainedModel() throws Exception {
        TransformersFolder found = TransformersFolder.open(BERT);
        ModelSpec model = ModelSpec.Pretrained.of(BERT.toString()).with(found.found());
        Tokens tokens = TokenizerFile.read(BERT.resolve("tokenizer.json")).filledUpTo(300);
        LabelEncoding label = LabelEncoding.ofClasses("mood", List.of("good", "bad", "none"));
        Encoding texts = new LabelledTextEncoding("note", CONTEXT, tokens, label, List.of(), null);
        Batch batch = GivenModel.drawn(texts.signature(), SAMPLES);
        batch.inputs().get(0).data().buffer().asLongBuffer().put(CONTEXT - 1, -1);
        requireSame(model, texts, batch, tokens);
    }

    @Test
    void tokensShouldGetTheProbabilitiesOfTheNext() throws Exception {
        TextEncoding text = TextEncoding.of(pieces(), CONTEXT);
        Batch batch = GivenModel.drawn(text.signature(), SAMPLES);
        requireSame(new ModelSpec.Transformer(1, 8, 2, 0), text, batch, pieces());
    }

    private static Tokens pieces() {
        return new Tokens(
                Tokens.Kind.WORD_PIECES,
                List.of("[UNK]", "[CLS]", "[SEP]", "a", "##b", "cd", "e"),
                List.of(),
                List.of("[CLS]", "[SEP]"),
                List.of(1),
                List.of(2),
                true);
    }

    private void requireSame(ModelSpec model, Encoding encoding, Batch batch, Tokens known)
            throws Exception {
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("m"), model, encoding, batch);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            assertThat(TokenizerFile.read(folder.resolve("model.tokenizer.json"))).isEqualTo(known);
            long[][] tokens = new long[SAMPLES][CONTEXT];
            var given = batch.inputs().get(0).data().buffer().asLongBuffer();
            for (long[] row : tokens) {
                given.get(row);
            }
            float[] said = session.with("tokens", tokens).floats("probability");
            HostArray outputs = loaded.predict(batch);
            float[] expected = new float[said.length];
            outputs.data().buffer().asFloatBuffer().get(expected);
            int classes = (int) outputs.shape()[outputs.shape().length - 1];
            for (int i = 0; i < said.length; i++) {
                double sum = 0;
                for (int c = 0; c < classes; c++) {
                    sum += Math.exp(expected[i / classes * classes + c]);
                }
                assertThat((double) said[i]).isCloseTo(Math.exp(expected[i]) / sum, within(1e-4));
            }
        }
    }
}
