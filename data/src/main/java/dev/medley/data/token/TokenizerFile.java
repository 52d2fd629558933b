package dev.medley.data.token;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.NamedFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/**
 * Reads a {@code tokenizer.json} of Hugging Face's tokenizers, in two forms: byte-level byte pairs
 * as GPT-2 has them, and word pieces as BERT has them. Whatever else such a file may ask for is
 * refused by name, since other tokens than a model was trained on would be read as nonsense.
 */
public final class TokenizerFile {
    private static final int LARGEST_BYTES = 64 << 20;
    private static final int MOST_TOKENS = 1 << 20;

    private final Path file;
    private final JsonNode root;

    private TokenizerFile(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    /**
     * The tokens of a file.
     *
     * @throws ConfigException if it is not there, is damaged, or cuts texts in another way
     */
    public static Tokens read(Path file) {
        try {
            byte[] json = NamedFile.bytes(file, LARGEST_BYTES);
            Tokens tokens = new TokenizerFile(file, Json.parse(json, JsonNode.class)).tokens();
            requireWhole(file, tokens);
            return tokens;
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    file
                            + ": there is no such tokenizer: save it beside the weights, as"
                            + " transformers' save_pretrained does",
                    e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e, e);
        } catch (JacksonException e) {
            throw new ConfigException(
                    file + ": is no JSON of a tokenizer: " + e.getOriginalMessage(), e);
        }
    }

    /** What its vocabulary lacks is found when it is made. */
    private static void requireWhole(Path file, Tokens tokens) {
        try {
            tokens.tokenizer();
        } catch (ConfigException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    private Tokens tokens() {
        JsonNode model = root.path("model");
        String type = model.path("type").asString("");
        return switch (type) {
            case "BPE" -> bytePairs(model);
            case "WordPiece" -> wordPieces(model);
            default -> throw other("model.type", type, "BPE or WordPiece");
        };
    }

    private Tokens bytePairs(JsonNode model) {
        absent("normalizer", root.path("normalizer"));
        JsonNode words = root.path("pre_tokenizer");
        is("pre_tokenizer.type", words.path("type").asString(""), "ByteLevel");
        is("pre_tokenizer.add_prefix_space", words.path("add_prefix_space").asString(""), "false");
        is("pre_tokenizer.use_regex", words.path("use_regex").asString("true"), "true");
        absent("model.dropout", model.path("dropout"));
        absent("model.continuing_subword_prefix", model.path("continuing_subword_prefix"));
        absent("model.end_of_word_suffix", model.path("end_of_word_suffix"));
        is("model.byte_fallback", model.path("byte_fallback").asString("false"), "false");
        is("model.ignore_merges", model.path("ignore_merges").asString("false"), "false");
        List<String> vocabulary = vocabulary(model);
        Around around = around(processors(), vocabulary);
        checkFlags(false);
        List<String> merges =
                model.path("merges")
                        .valueStream()
                        .map(
                                m ->
                                        m.isArray()
                                                ? m.path(0).asString("")
                                                        + " "
                                                        + m.path(1).asString("")
                                                : m.asString(""))
                        .toList();
        return new Tokens(
                Tokens.Kind.BYTE_PAIRS,
                vocabulary,
                merges,
                special(),
                around.first(),
                around.last(),
                false);
    }

    private Tokens wordPieces(JsonNode model) {
        JsonNode normalizer = root.path("normalizer");
        is("normalizer.type", normalizer.path("type").asString(""), "BertNormalizer");
        is("normalizer.clean_text", normalizer.path("clean_text").asString("true"), "true");
        is(
                "normalizer.handle_chinese_chars",
                normalizer.path("handle_chinese_chars").asString("true"),
                "true");
        is(
                "model.max_input_chars_per_word",
                model.path("max_input_chars_per_word").asString("100"),
                "100");
        boolean isLowercase = normalizer.path("lowercase").asBoolean(true);
        JsonNode accents = normalizer.path("strip_accents");
        check(
                accents.isNull() || accents.isMissingNode() || accents.asBoolean() == isLowercase,
                "%s: normalizer.strip_accents=%s beside lowercase=%s: Medley reads tokenizers in"
                        + " which both are the same",
                file,
                accents,
                isLowercase);
        JsonNode words = root.path("pre_tokenizer");
        is("pre_tokenizer.type", words.path("type").asString(""), "BertPreTokenizer");
        is("model.unk_token", model.path("unk_token").asString(""), "[UNK]");
        is(
                "model.continuing_subword_prefix",
                model.path("continuing_subword_prefix").asString(""),
                "##");
        List<String> vocabulary = vocabulary(model);
        Around around = around(List.of(root.path("post_processor")), vocabulary);
        checkFlags(isLowercase);
        return new Tokens(
                Tokens.Kind.WORD_PIECES,
                vocabulary,
                List.of(),
                special(),
                around.first(),
                around.last(),
                isLowercase);
    }

    /** Tokens before and after every text. */
    private record Around(List<Integer> first, List<Integer> last) {}

    /** Of byte pairs, without what moves offsets alone. */
    private List<JsonNode> processors() {
        JsonNode after = root.path("post_processor");
        boolean isSequence = after.path("type").asString("").equals("Sequence");
        List<JsonNode> all =
                isSequence ? after.path("processors").valueStream().toList() : List.of(after);
        return all.stream().filter(p -> !p.path("type").asString("").equals("ByteLevel")).toList();
    }

    private Around around(List<JsonNode> processors, List<String> vocabulary) {
        if (processors.size() > 1) {
            throw other("the number of processors in post_processor", processors.size(), "1");
        }
        JsonNode after = processors.isEmpty() ? NullNode.instance : processors.get(0);
        if (after.isNull() || after.isMissingNode()) {
            return new Around(List.of(), List.of());
        }
        String type = after.path("type").asString("");
        if (type.equals("BertProcessing") || type.equals("RobertaProcessing")) {
            String first = after.path("cls").path(0).asString("");
            String last = after.path("sep").path(0).asString("");
            return new Around(
                    List.of(indexOf(first, vocabulary)), List.of(indexOf(last, vocabulary)));
        }
        if (!type.equals("TemplateProcessing")) {
            throw other("post_processor.type", type, "Bert-, Roberta- or TemplateProcessing");
        }
        List<Integer> first = new ArrayList<>();
        List<Integer> last = new ArrayList<>();
        int texts = 0;
        for (JsonNode piece : after.path("single")) {
            if (piece.has("Sequence")) {
                texts++;
            } else {
                String token = piece.path("SpecialToken").path("id").asString("");
                (texts == 0 ? first : last).add(indexOf(token, vocabulary));
            }
        }
        is("the number of texts in post_processor.single", String.valueOf(texts), "1");
        return new Around(first, last);
    }

    private int indexOf(String token, List<String> vocabulary) {
        int index = vocabulary.indexOf(token);
        check(
                index >= 0,
                "%s: post_processor puts \"%s\" around texts, which is none of the %d tokens",
                file,
                token,
                vocabulary.size());
        return index;
    }

    /** Tokens that were added are found as they are written, wherever they stand. */
    private void checkFlags(boolean isNormalised) {
        for (JsonNode added : root.path("added_tokens")) {
            String at = "added_tokens \"" + added.path("content").asString("") + "\"";
            for (String flag : List.of("lstrip", "rstrip", "single_word")) {
                is(at + "." + flag, added.path(flag).asString("false"), "false");
            }
            if (isNormalised) {
                is(at + ".normalized", added.path("normalized").asString("false"), "false");
            }
        }
    }

    /** By index, with those that were added; every index has its token. */
    private List<String> vocabulary(JsonNode model) {
        int size = model.path("vocab").size();
        for (JsonNode added : root.path("added_tokens")) {
            size = Math.max(size, added.path("id").asInt(-1) + 1);
        }
        check(
                size > 0 && size <= MOST_TOKENS,
                "%s: a vocabulary of %d tokens; from 1 to %d are read",
                file,
                size,
                MOST_TOKENS);
        @Nullable String[] tokens = new @Nullable String[size];
        model.path("vocab")
                .propertyStream()
                .forEach(t -> put(tokens, t.getValue().asInt(-1), t.getKey()));
        for (JsonNode added : root.path("added_tokens")) {
            put(tokens, added.path("id").asInt(-1), added.path("content").asString(""));
        }
        int hole = Arrays.asList(tokens).indexOf(null);
        check(hole < 0, "%s: no token has the index %d of %d", file, hole, size);
        List<String> vocabulary = new ArrayList<>();
        for (String token : tokens) {
            vocabulary.add(String.valueOf(token));
        }
        return vocabulary;
    }

    private void put(@Nullable String[] tokens, int index, String token) {
        check(index >= 0, "%s: the token \"%s\" has no index of 0 or more", file, token);
        check(
                index < tokens.length,
                "%s: the token \"%s\" has the index %d, of %d tokens",
                file,
                token,
                index,
                tokens.length);
        String before = tokens[index];
        check(
                before == null || before.equals(token),
                "%s: the tokens \"%s\" and \"%s\" have the same index %d",
                file,
                before,
                token,
                index);
        tokens[index] = token;
    }

    private List<String> special() {
        return root.path("added_tokens")
                .valueStream()
                .map(token -> token.path("content").asString(""))
                .filter(content -> !content.isEmpty())
                .toList();
    }

    private void absent(String key, JsonNode value) {
        boolean isAbsent =
                value.isNull()
                        || value.isMissingNode()
                        || (value.isString() && value.asString().isEmpty());
        if (!isAbsent) {
            throw other(key, value.isObject() ? value.path("type").asString("") : value, "none");
        }
    }

    private void is(String key, String found, String known) {
        if (!found.equals(known)) {
            throw other(key, found, known);
        }
    }

    private ConfigException other(String key, Object found, String known) {
        boolean isEmpty = String.valueOf(found).isEmpty();
        return new ConfigException(
                "%s: %s %s: Medley reads byte-level byte pairs as of GPT-2 and word pieces as of"
                                .formatted(file, key, isEmpty ? "is missing" : "is " + found)
                        + " BERT, where it is "
                        + known);
    }
}
