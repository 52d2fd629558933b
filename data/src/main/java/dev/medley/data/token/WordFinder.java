package dev.medley.data.token;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the words of a text, within which bytes are paired, by the pattern of GPT-2: letters,
 * numbers or other signs with the space before them, and stretches of white space (Radford et al.
 * 2019, section 2.2). Special tokens are found first.
 */
final class WordFinder {
    private static final Pattern WORD =
            Pattern.compile(
                    "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+"
                            + "| ?[^\\p{IsWhite_Space}\\p{L}\\p{N}]+"
                            + "|\\p{IsWhite_Space}+(?!\\P{IsWhite_Space})|\\p{IsWhite_Space}+");

    private final SpecialTokens special;

    WordFinder(List<String> special) {
        this.special = new SpecialTokens(special);
    }

    /** Tells each word or special token in order, and whether it is special. */
    void each(CharSequence text, BiConsumer<String, Boolean> found) {
        special.split(text, part -> words(part, found), token -> found.accept(token, true));
    }

    private static void words(CharSequence text, BiConsumer<String, Boolean> found) {
        Matcher words = WORD.matcher(text);
        while (words.find()) {
            found.accept(words.group(), false);
        }
    }

    /**
     * The beginning of a word before which nothing depends on what follows the text. A special
     * token that begins before it would end in it, so two words and its length are left.
     */
    int settled(CharSequence text) {
        int[] at = new int[2];
        int end = text.length() - special.longest();
        int[] place = {0, 0};
        each(
                text,
                (word, isSpecial) -> {
                    int after = place[0] + word.length();
                    if (!isSpecial && after < end) {
                        at[0] = at[1];
                        at[1] = place[0];
                    }
                    place[0] = after;
                });
        return at[0];
    }
}
