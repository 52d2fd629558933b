package dev.medley.data.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The expected tokens are those of Hugging Face's tokenizers: see make_tokens.py. */
@Tag("unit")
class TokensTest {
    private static final Path FIXTURES = Path.of("src/test/resources/tokens");

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({"pairs", "words"})
    void shouldCutAsHuggingFaceDoes(String form) throws IOException {
        Tokenizer tokenizer = TokenizerFile.read(FIXTURES.resolve(form + ".json")).tokenizer();
        String expected = Files.readString(FIXTURES.resolve("expected.json"));
        for (JsonNode each : Json.parse(expected, JsonNode.class)) {
            String text = each.path("text").asString();
            assertThat(encoded(tokenizer, text))
                    .as(text)
                    .containsExactlyElementsOf(
                            each.path(form).valueStream().map(JsonNode::asInt).toList());
        }
    }

    @Test
    void shouldLearnThePairsThatHuggingFaceLearns() throws IOException {
        BytePairTrainer trainer = new BytePairTrainer();
        trainer.add(Files.readString(FIXTURES.resolve("corpus.txt")));
        Tokens learnt = trainer.learn(400);
        Tokens theirs = TokenizerFile.read(FIXTURES.resolve("learnt.json"));
        assertThat(learnt.merges()).isEqualTo(theirs.merges());
        assertThat(learnt.vocabulary()).isEqualTo(theirs.vocabulary());
        assertThat(Json.parse(Json.line(learnt), Tokens.class)).isEqualTo(learnt);
    }

    @Test
    void shouldGiveEveryTextBack() throws IOException {
        Tokenizer tokenizer = TokenizerFile.read(FIXTURES.resolve("pairs.json")).tokenizer();
        RandomGenerator random = Seeds.generator(3);
        for (int i = 0; i < 50; i++) {
            StringBuilder text = new StringBuilder();
            for (int at = 0; at < 40; at++) {
                int c = random.nextInt(random.nextBoolean() ? 0x80 : 0x3000);
                text.appendCodePoint(c);
            }
            long[] tokens =
                    encoded(tokenizer, text.toString()).stream().mapToLong(t -> t).toArray();
            assertThat(tokenizer.decode(tokens)).isEqualTo(text.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"pairs", "words"})
    void aCutWhereItIsSettledShouldChangeNothing(String form) throws IOException {
        Tokenizer tokenizer = TokenizerFile.read(FIXTURES.resolve(form + ".json")).tokenizer();
        String text = Files.readString(FIXTURES.resolve("corpus.txt")) + "<|endoftext|>  x";
        List<Integer> whole = encoded(tokenizer, text);
        int found = 0;
        for (int length = 20; length < text.length(); length += 7) {
            int at = tokenizer.settled(text.substring(0, length));
            found += at > 0 ? 1 : 0;
            List<Integer> parts = new ArrayList<>(encoded(tokenizer, text.substring(0, at)));
            parts.addAll(encoded(tokenizer, text.substring(at)));
            assertThat(parts).as("cut at %d of %d", at, length).isEqualTo(whole);
        }
        assertThat(found).isGreaterThan(50);
    }

    @Test
    void shouldRefuseByNameWhatItWouldReadOtherwise() throws IOException {
        assertRefused("\"use_regex\": true", "\"use_regex\": false", "use_regex is false");
        assertRefused("\"type\": \"BPE\"", "\"type\": \"Unigram\"", "model.type is Unigram");
        assertRefused("\"normalizer\": null", "\"normalizer\": {\"type\": \"NFC\"}", "is NFC");
        assertRefused("\"id\": 0", "\"id\": 7", "have the same index 7");
        assertRefused("{", "[", "no JSON of a tokenizer");
        assertThatThrownBy(() -> TokenizerFile.read(folder.resolve("none.json")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no such tokenizer");
    }

    private void assertRefused(String from, String to, String why) throws IOException {
        String json = Files.readString(FIXTURES.resolve("pairs.json"));
        assertThat(json).contains(from);
        Path file = folder.resolve("tokenizer.json");
        Files.writeString(file, json.replaceFirst(Pattern.quote(from), to));
        assertThatThrownBy(() -> TokenizerFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("tokenizer.json");
    }

    private static List<Integer> encoded(Tokenizer tokenizer, String text) {
        LongStream.Builder found = LongStream.builder();
        tokenizer.encode(text, found::add);
        return found.build().mapToObj(t -> (int) t).toList();
    }
}
