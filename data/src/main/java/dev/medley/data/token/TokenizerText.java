package dev.medley.data.token;

import dev.medley.base.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes tokens as a {@code tokenizer.json}, which Hugging Face's tokenizers and {@link
 * TokenizerFile} read.
 */
public final class TokenizerText {
    private static final String TYPE = "type";

    private TokenizerText() {}

    /** The file's bytes. */
    public static byte[] of(Tokens tokens) {
        boolean isPairs = tokens.kind() == Tokens.Kind.BYTE_PAIRS;
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("version", "1.0");
        root.put("truncation", null);
        root.put("padding", null);
        root.put("added_tokens", added(tokens));
        root.put("normalizer", isPairs ? null : normalizer(tokens));
        root.put("pre_tokenizer", isPairs ? byteLevel() : Map.of(TYPE, "BertPreTokenizer"));
        root.put("post_processor", isAlone(tokens) ? null : around(tokens));
        root.put("decoder", isPairs ? byteLevel() : pieces());
        root.put("model", isPairs ? pairs(tokens) : words(tokens));
        return Json.bytes(root);
    }

    private static boolean isAlone(Tokens tokens) {
        return tokens.before().isEmpty() && tokens.after().isEmpty();
    }

    private static List<Map<String, Object>> added(Tokens tokens) {
        List<Map<String, Object>> added = new ArrayList<>();
        for (String token : tokens.special()) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("id", tokens.vocabulary().indexOf(token));
            each.put("content", token);
            for (String flag : List.of("single_word", "lstrip", "rstrip", "normalized")) {
                each.put(flag, false);
            }
            each.put("special", true);
            added.add(each);
        }
        return added;
    }

    private static Map<String, Object> normalizer(Tokens tokens) {
        Map<String, Object> normalizer = new LinkedHashMap<>();
        normalizer.put(TYPE, "BertNormalizer");
        normalizer.put("clean_text", true);
        normalizer.put("handle_chinese_chars", true);
        normalizer.put("strip_accents", null);
        normalizer.put("lowercase", tokens.lowercase());
        return normalizer;
    }

    private static Map<String, Object> byteLevel() {
        Map<String, Object> bytes = new LinkedHashMap<>();
        bytes.put(TYPE, "ByteLevel");
        bytes.put("add_prefix_space", false);
        bytes.put("trim_offsets", true);
        bytes.put("use_regex", true);
        return bytes;
    }

    private static Map<String, Object> pieces() {
        Map<String, Object> decoder = new LinkedHashMap<>();
        decoder.put(TYPE, "WordPiece");
        decoder.put("prefix", "##");
        decoder.put("cleanup", true);
        return decoder;
    }

    /** What stands before and behind each text. */
    private static Map<String, Object> around(Tokens tokens) {
        List<Object> single = new ArrayList<>();
        Map<String, Object> special = new LinkedHashMap<>();
        tokens.before().forEach(token -> single.add(piece(tokens, token, special)));
        Map<String, Object> text = Map.of("Sequence", Map.of("id", "A", "type_id", 0));
        single.add(text);
        tokens.after().forEach(token -> single.add(piece(tokens, token, special)));
        List<Object> pair = new ArrayList<>(single);
        pair.add(Map.of("Sequence", Map.of("id", "B", "type_id", 1)));
        Map<String, Object> template = new LinkedHashMap<>();
        template.put(TYPE, "TemplateProcessing");
        template.put("single", single);
        template.put("pair", pair);
        template.put("special_tokens", special);
        return template;
    }

    private static Map<String, Object> piece(
            Tokens tokens, int token, Map<String, Object> special) {
        String content = tokens.vocabulary().get(token);
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("id", content);
        about.put("ids", List.of(token));
        about.put("tokens", List.of(content));
        special.put(content, about);
        return Map.of("SpecialToken", Map.of("id", content, "type_id", 0));
    }

    private static Map<String, Object> pairs(Tokens tokens) {
        Map<String, Object> model = new LinkedHashMap<>();
        model.put(TYPE, "BPE");
        model.put("dropout", null);
        model.put("unk_token", null);
        model.put("continuing_subword_prefix", null);
        model.put("end_of_word_suffix", null);
        model.put("fuse_unk", false);
        model.put("byte_fallback", false);
        model.put("ignore_merges", false);
        model.put("vocab", vocabulary(tokens));
        model.put("merges", tokens.merges());
        return model;
    }

    private static Map<String, Object> words(Tokens tokens) {
        Map<String, Object> model = new LinkedHashMap<>();
        model.put(TYPE, "WordPiece");
        model.put("unk_token", "[UNK]");
        model.put("continuing_subword_prefix", "##");
        model.put("max_input_chars_per_word", 100);
        model.put("vocab", vocabulary(tokens));
        return model;
    }

    private static Map<String, Integer> vocabulary(Tokens tokens) {
        Map<String, Integer> places = new LinkedHashMap<>();
        tokens.vocabulary().forEach(token -> places.put(token, places.size()));
        return places;
    }
}
