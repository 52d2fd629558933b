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
import tools.jackson.databind.node.ObjectNode;

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
        assertRefused("\"type\": \"BPE\"", "\"typ\": \"BPE\"", "model.type is missing");
        assertRefused("\"merges\": [", "\"merges\": [\"zz qq\",", "has no \"zz\"");
        assertThatThrownBy(() -> TokenizerFile.read(folder.resolve("none.json")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no such tokenizer");
    }

    @Test
    void whatIsWrittenShouldBeReadAsTheSameTokens() throws IOException {
        for (String form : List.of("pairs", "words")) {
            Tokens tokens = TokenizerFile.read(FIXTURES.resolve(form + ".json"));
            Path file = folder.resolve(form + "-again.json");
            assertThat(TokenizerFile.read(Files.write(file, TokenizerText.of(tokens))))
                    .isEqualTo(tokens);
        }
    }

    /** Expected are the tokens of tokenizers 0.23 with the same file. */
    @Test
    void wordPiecesShouldMeanWhatBertsNormalizerMeans() throws IOException {
        Tokenizer tokenizer = words("null", "").tokenizer();
        assertThat(encoded(tokenizer, "ΟΔΟΣ οδος")).containsExactly(1, 2);
        for (String control : List.of("\u000b", "\f", "\u001d", "\u0085")) {
            assertThat(encoded(tokenizer, "a" + control + "b")).containsExactly(5);
        }
        for (String white : List.of("\t", "\n", "\u2028", "\u00a0")) {
            assertThat(encoded(tokenizer, "a" + white + "b")).containsExactly(3, 4);
        }
    }

    @Test
    void whatStandsAroundTextsShouldBeWhatTheFileSays() throws IOException {
        assertThat(words("null", "").before()).isEmpty();
        Tokens bert =
                words(
                        "{'type':'BertProcessing','sep':['b',4],'cls':['a',3]}".replace('\'', '"'),
                        "");
        assertThat(bert.before()).containsExactly(3);
        assertThat(bert.after()).containsExactly(4);
        String template =
                "{'type':'TemplateProcessing','single':[{'SpecialToken':{'id':'a'}},{'Sequence':{'id':'A'}},"
                    + "{'SpecialToken':{'id':'b'}},{'SpecialToken':{'id':'ab'}}]}";
        Tokens other = words(template.replace('\'', '"'), "");
        assertThat(other.before()).containsExactly(3);
        assertThat(other.after()).containsExactly(4, 5);
        assertWordsRefused(template.replace("'ab'", "'[SEP]'"), "", "\"[SEP]\" around texts");
        assertWordsRefused("{'type':'ByteLevel'}", "", "post_processor.type is ByteLevel");
        assertWordsRefused("null", "'lstrip':true", "added_tokens \"[UNK]\".lstrip is true");
        assertWordsRefused("null", "'normalized':true", ".normalized is true");
    }

    /** Expected are the tokens of tokenizers with the same files, for an empty text. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "{'type':'ByteLevel'}; ; ",
                "{'type':'RobertaProcessing','sep':['!',1],'cls':['<|endoftext|>',0]}; 0; 1",
                "{'type':'Sequence','processors':[{'type':'ByteLevel'},"
                        + "{'type':'TemplateProcessing','single':"
                        + "[{'SpecialToken':{'id':'!'}},{'Sequence':{'id':'A'}}]}]};"
                        + " 1; "
            },
            delimiter = ';')
    void bytePairsShouldHaveWhatTheirFilePutsAround(String after, Integer first, Integer last)
            throws IOException {
        Tokens tokens = pairs(after);
        assertThat(tokens.before()).isEqualTo(first == null ? List.of() : List.of(first));
        assertThat(tokens.after()).isEqualTo(last == null ? List.of() : List.of(last));
    }

    @Test
    void bytePairsWithOtherProcessorsShouldBeRefused() {
        String bert = "{'type':'BertProcessing','sep':['!',1],'cls':['!',1]}";
        assertThatThrownBy(
                        () ->
                                pairs(
                                        "{'type':'Sequence','processors':[%s,%s]}"
                                                .formatted(bert, bert)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("processors in post_processor is 2");
        assertThatThrownBy(() -> pairs("{'type':'Other'}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("post_processor.type is Other");
    }

    private Tokens pairs(String after) throws IOException {
        JsonNode json =
                Json.parse(Files.readString(FIXTURES.resolve("pairs.json")), JsonNode.class);
        ((ObjectNode) json)
                .set("post_processor", Json.parse(after.replace('\'', '"'), JsonNode.class));
        Path file = folder.resolve("tokenizer.json");
        Files.writeString(file, Json.line(json));
        return TokenizerFile.read(file);
    }

    private void assertWordsRefused(String after, String flag, String why) {
        assertThatThrownBy(() -> words(after.replace('\'', '"'), flag.replace('\'', '"')))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(why);
    }

    private Tokens words(String after, String flag) throws IOException {
        Path file = folder.resolve("tokenizer.json");
        Files.writeString(
                file,
                """
                {"added_tokens":[{"id":0,"content":"[UNK]"%s}],
                 "normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,
                  "strip_accents":null,"lowercase":true},
                 "pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":%s,
                 "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",
                  "vocab":{"[UNK]":0,"οδοσ":1,"οδος":2,"a":3,"b":4,"ab":5,"##b":6}}}
                """
                        .formatted(flag.isEmpty() ? "" : "," + flag, after));
        return TokenizerFile.read(file);
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
