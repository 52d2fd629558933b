package dev.medley.data.token;

import static dev.medley.base.ConfigException.check;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Cuts words and signs into the longest pieces that the vocabulary has, as BERT does (Devlin et al.
 * 2019; Wu et al. 2016). A word with a part that it has not is one unknown token.
 */
final class WordPieceTokenizer implements Tokenizer {
    private static final String UNKNOWN = "[UNK]";
    private static final String INNER = "##";
    private static final int LONGEST_WORD = 100;

    private final List<String> vocabulary;
    private final Map<String, Integer> index = new HashMap<>();
    private final boolean isLowercase;
    private final int unknown;
    private final SpecialTokens special;

    WordPieceTokenizer(Tokens tokens) {
        vocabulary = tokens.vocabulary();
        for (int i = 0; i < vocabulary.size(); i++) {
            index.put(vocabulary.get(i), i);
        }
        check(index.containsKey(UNKNOWN), "the tokenizer's vocabulary has no %s", UNKNOWN);
        unknown = index.getOrDefault(UNKNOWN, 0);
        isLowercase = tokens.lowercase();
        special = new SpecialTokens(tokens.special());
    }

    @Override
    public void encode(CharSequence text, IntConsumer tokens) {
        special.split(
                text,
                part -> words(part.toString(), tokens),
                token -> tokens.accept(index.getOrDefault(token, unknown)));
    }

    private void words(String text, IntConsumer tokens) {
        for (String word : spaced(text).strip().split("[ ]+", 0)) {
            if (!word.isEmpty()) {
                cut(word, tokens);
            }
        }
    }

    /** Clean text with spaces around signs and Chinese characters. */
    private String spaced(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints().forEach(c -> append(c, clean));
        String plain = clean.toString();
        if (isLowercase) {
            plain =
                    lowercase(
                            Normalizer.normalize(plain, Normalizer.Form.NFD)
                                    .replaceAll("\\p{Mn}", ""));
        }
        StringBuilder spaced = new StringBuilder();
        plain.codePoints()
                .forEach(
                        c -> {
                            String s = Character.toString(c);
                            spaced.append(isSign(c) ? " " + s + " " : s);
                        });
        return spaced.toString();
    }

    /** Each sign by itself: what Java writes at a word's end, as the final sigma, BERT has not. */
    private static String lowercase(String text) {
        StringBuilder lower = new StringBuilder();
        text.codePoints()
                .forEach(c -> lower.append(Character.toString(c).toLowerCase(Locale.ROOT)));
        return lower.toString();
    }

    /** Control characters are left out, also those that are white. */
    private static void append(int c, StringBuilder clean) {
        if (c == '\t' || c == '\n' || c == '\r' || Character.isSpaceChar(c)) {
            clean.append(' ');
        } else if (c != 0 && c != 0xFFFD && !isControl(c)) {
            String s = Character.toString(c);
            clean.append(isChinese(c) ? " " + s + " " : s);
        }
    }

    private static boolean isControl(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.SURROGATE ->
                    true;
            default -> false;
        };
    }

    private static boolean isChinese(int c) {
        return (c >= 0x4E00 && c <= 0x9FFF)
                || (c >= 0x3400 && c <= 0x4DBF)
                || (c >= 0x20000 && c <= 0x2A6DF)
                || (c >= 0x2A700 && c <= 0x2CEAF)
                || (c >= 0xF900 && c <= 0xFAFF)
                || (c >= 0x2F800 && c <= 0x2FA1F);
    }

    private static boolean isSign(int c) {
        if (c < 0x80) {
            return c > ' ' && c < 0x7F && !Character.isLetterOrDigit(c);
        }
        return switch (Character.getType(c)) {
            case Character.CONNECTOR_PUNCTUATION,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION ->
                    true;
            default -> false;
        };
    }

    private void cut(String word, IntConsumer tokens) {
        int[] pieces = new int[word.length()];
        int count = 0;
        int at = 0;
        boolean isTooLong = word.codePointCount(0, word.length()) > LONGEST_WORD;
        while (at < word.length() && !isTooLong) {
            int end = word.length();
            Integer found = null;
            while (end > at && found == null) {
                String piece = word.substring(at, end);
                found = index.get(at == 0 ? piece : INNER + piece);
                end -= found == null ? 1 : 0;
            }
            if (found == null) {
                break;
            }
            pieces[count++] = found;
            at = end;
        }
        if (at < word.length()) {
            tokens.accept(unknown);
            return;
        }
        for (int i = 0; i < count; i++) {
            tokens.accept(pieces[i]);
        }
    }

    @Override
    public String decode(long[] tokens) {
        StringBuilder text = new StringBuilder();
        for (long token : tokens) {
            String piece = vocabulary.get((int) token);
            if (piece.startsWith(INNER)) {
                text.append(piece, INNER.length(), piece.length());
            } else {
                text.append(text.isEmpty() ? "" : " ").append(piece);
            }
        }
        return text.toString();
    }

    /** A space is a border, whatever follows. */
    @Override
    public int settled(CharSequence text) {
        int at = text.length() - 1;
        while (at > 0 && text.charAt(at) != ' ' && text.charAt(at) != '\n') {
            at--;
        }
        return Math.max(at, 0);
    }
}
