package dev.medley.data.table.term;

import java.util.Locale;
import java.util.function.Consumer;

/**
 * Finds the words of a text: two or more letters, digits or underscores in a row, in lower case.
 * Marks, such as the vowels of Devanagari, belong to the letter before them.
 */
final class WordTokens {
    private WordTokens() {}

    /** Hands each word to {@code sink}, in order. */
    static void of(String text, Consumer<String> sink) {
        String lower = text.toLowerCase(Locale.ROOT);
        int from = 0;
        int points = 0;
        for (int at = 0; at <= lower.length(); ) {
            int point = at < lower.length() ? lower.codePointAt(at) : ' ';
            if (isOfWord(point)) {
                points++;
            } else {
                if (points > 1) {
                    sink.accept(lower.substring(from, at));
                }
                points = 0;
                from = at + Character.charCount(point);
            }
            at += Character.charCount(point);
        }
    }

    private static boolean isOfWord(int point) {
        return switch (Character.getType(point)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER ->
                    true;
            default -> point == '_';
        };
    }
}
