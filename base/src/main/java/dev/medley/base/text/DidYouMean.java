package dev.medley.base.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses what a misspelt word was meant to be. */
public final class DidYouMean {
    private DidYouMean() {}

    /**
     * The candidate nearest to {@code word}, if it is near: at most a third of the letters are
     * wrong, missing, too many or swapped with their neighbour; or one is the beginning of the
     * other.
     */
    public static Optional<String> of(String word, Collection<String> candidates) {
        String plain = plain(word);
        return candidates.stream()
                .filter(c -> isNear(plain, plain(c)))
                .min(Comparator.comparingInt(c -> distance(plain, plain(c))));
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    private static boolean isNear(String word, String candidate) {
        int limit = Math.max(1, Math.max(word.length(), candidate.length()) / 3);
        boolean begins =
                word.length() >= 3 && (candidate.startsWith(word) || word.startsWith(candidate));
        return begins || distance(word, candidate) <= limit;
    }

    /** Edits and swaps of neighbours between two words (optimal string alignment). */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            d[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            d[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int best = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1);
                best = Math.min(best, d[i - 1][j - 1] + change);
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    best = Math.min(best, d[i - 2][j - 2] + 1);
                }
                d[i][j] = best;
            }
        }
        return d[a.length()][b.length()];
    }
}
