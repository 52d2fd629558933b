package dev.medley.data.token;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds tokens that are taken whole wherever a text has them, of several the longest. */
final class SpecialTokens {
    private final @Nullable Pattern pattern;
    private final int longest;

    SpecialTokens(List<String> tokens) {
        longest = tokens.stream().mapToInt(String::length).max().orElse(0);
        pattern =
                tokens.isEmpty()
                        ? null
                        : Pattern.compile(
                                tokens.stream()
                                        .sorted(Comparator.comparingInt(s -> -s.length()))
                                        .map(Pattern::quote)
                                        .collect(Collectors.joining("|")));
    }

    /** Characters of the longest. */
    int longest() {
        return longest;
    }

    /** Tells what lies between two of them, and each of them, in order. */
    void split(CharSequence text, Consumer<CharSequence> between, Consumer<String> special) {
        int at = 0;
        if (pattern != null) {
            Matcher tokens = pattern.matcher(text);
            while (tokens.find()) {
                between.accept(text.subSequence(at, tokens.start()));
                special.accept(tokens.group());
                at = tokens.end();
            }
        }
        between.accept(text.subSequence(at, text.length()));
    }
}
