package dev.medley.data.token;

import static dev.medley.base.ConfigException.check;

import java.util.ArrayList;
import java.util.List;

/**
 * Holds a vocabulary and how texts are cut into its tokens. A JSON-able value that is saved with a
 * model's encoding.
 *
 * @param kind of tokens
 * @param vocabulary the tokens by index, written as a {@code tokenizer.json} has them
 * @param merges of byte pairs, the first to be applied first, each {@code "left right"}
 * @param special tokens that are found whole wherever a text has them
 * @param before tokens that begin each sequence
 * @param after tokens that end each sequence
 * @param lowercase whether word pieces are of small letters without accents
 */
public record Tokens(
        Kind kind,
        List<String> vocabulary,
        List<String> merges,
        List<String> special,
        List<Integer> before,
        List<Integer> after,
        boolean lowercase) {
    /** The ways to cut a text. */
    public enum Kind {
        /** Pairs of bytes that occur often, in words of GPT-2's pattern: nothing is unknown. */
        BYTE_PAIRS,
        /** The longest pieces of words that BERT's vocabulary has. */
        WORD_PIECES
    }

    public Tokens {
        vocabulary = List.copyOf(vocabulary);
        merges = List.copyOf(merges);
        special = List.copyOf(special);
        before = List.copyOf(before);
        after = List.copyOf(after);
        check(!vocabulary.isEmpty(), "a vocabulary without tokens");
    }

    /** Byte pairs that were learnt here. */
    static Tokens ofPairs(List<String> vocabulary, List<String> merges) {
        return new Tokens(
                Kind.BYTE_PAIRS, vocabulary, merges, List.of(), List.of(), List.of(), false);
    }

    /** The same with unused tokens behind, {@code size} in all. */
    public Tokens filledUpTo(int size) {
        List<String> filled = new ArrayList<>(vocabulary);
        for (int i = vocabulary.size(); i < size; i++) {
            filled.add("<unused-" + i + ">");
        }
        return new Tokens(kind, filled, merges, special, before, after, lowercase);
    }

    /** What cuts texts so. */
    public Tokenizer tokenizer() {
        return switch (kind) {
            case BYTE_PAIRS -> new BytePairTokenizer(this);
            case WORD_PIECES -> new WordPieceTokenizer(this);
        };
    }
}
