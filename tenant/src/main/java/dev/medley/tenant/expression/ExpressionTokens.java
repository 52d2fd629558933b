package dev.medley.tenant.expression;

import dev.medley.base.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cuts the text of an expression into words. Names are plain ASCII, so that none only looks like
 * another.
 */
final class ExpressionTokens {
    private static final List<String> SIGNS =
            List.of(
                    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "(",
                    ")", "[", "]", ",", ".");
    private static final int LONGEST = 10_000;
    private static final int UNICODE_DIGITS = 4;
    private static final int HEX = 16;

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int next;

    private ExpressionTokens(String text) {
        this.text = text;
    }

    static List<Token> of(String text) {
        ConfigException.check(
                text.length() <= LONGEST,
                "an expression of %,d characters is longer than the most, %,d",
                text.length(),
                LONGEST);
        ExpressionTokens cut = new ExpressionTokens(text);
        while (cut.skipSpace()) {
            cut.tokens.add(cut.token());
        }
        cut.tokens.add(new Token(Token.Kind.END, "", text.length() + 1));
        return cut.tokens;
    }

    static ConfigException wrong(int at, String message, Object... values) {
        return new ConfigException(
                "character %d: %s".formatted(at, String.format(Locale.ROOT, message, values)));
    }

    private boolean skipSpace() {
        while (next < text.length() && " \t\r\n".indexOf(text.charAt(next)) >= 0) {
            next++;
        }
        return next < text.length();
    }

    private Token token() {
        int from = next;
        char first = text.charAt(from);
        if (first == '\'' || first == '"') {
            return new Token(Token.Kind.TEXT, quoted(first), from + 1);
        } else if (isLetter(first)) {
            while (next < text.length() && (isLetter(text.charAt(next)) || isDigit(next))) {
                next++;
            }
            return new Token(Token.Kind.NAME, text.substring(from, next), from + 1);
        } else if (isDigit(from)) {
            return number(from);
        }
        for (String sign : SIGNS) {
            if (text.startsWith(sign, from)) {
                next += sign.length();
                return new Token(Token.Kind.SIGN, sign, from + 1);
            }
        }
        throw wrong(from + 1, unknown(text.codePointAt(from)));
    }

    private static String unknown(int found) {
        String hint =
                switch (found) {
                    case '=' -> "equal is written ==";
                    case '&' -> "and is written &&";
                    case '|' -> "or is written ||";
                    default -> "write a column of such a name as row['NAME']";
                };
        String shown =
                found > ' ' && found < 127 ? "'" + (char) found + "'" : "U+%04X".formatted(found);
        return "%s has no meaning here; %s".formatted(shown, hint).replace("%", "%%");
    }

    private Token number(int from) {
        digits();
        boolean isWhole = true;
        if (next + 1 < text.length() && text.charAt(next) == '.' && isDigit(next + 1)) {
            isWhole = false;
            next++;
            digits();
        }
        if (next < text.length() && "eE".indexOf(text.charAt(next)) >= 0) {
            isWhole = false;
            next++;
            if (next < text.length() && "+-".indexOf(text.charAt(next)) >= 0) {
                next++;
            }
            digits();
        }
        if (next < text.length() && isLetter(text.charAt(next))) {
            throw wrong(
                    next + 1, "a number ends before a letter: put a space or an operator there");
        }
        Token.Kind kind = isWhole ? Token.Kind.INTEGER : Token.Kind.NUMBER;
        return new Token(kind, text.substring(from, next), from + 1);
    }

    private void digits() {
        while (isDigit(next)) {
            next++;
        }
    }

    private String quoted(char quote) {
        int from = next++;
        StringBuilder said = new StringBuilder();
        while (next < text.length() && text.charAt(next) != quote) {
            char c = text.charAt(next++);
            said.append(c == '\\' ? escaped() : c);
        }
        if (next >= text.length()) {
            throw wrong(from + 1, "a text begins here and does not end: close it with %s", quote);
        }
        next++;
        return said.toString();
    }

    private char escaped() {
        int at = next;
        char c = next < text.length() ? text.charAt(next++) : ' ';
        return switch (c) {
            case '\\', '\'', '"' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'u' -> {
                int end = next + UNICODE_DIGITS;
                if (end > text.length() || !text.substring(next, end).matches("[0-9a-fA-F]{4}")) {
                    throw wrong(at, "\\u wants four hexadecimal digits");
                }
                char found = (char) Integer.parseInt(text.substring(next, end), HEX);
                next = end;
                yield found;
            }
            default -> throw wrong(at, "of \\ there are \\\\ \\' \\\" \\n \\t \\r and \\uXXXX");
        };
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private boolean isDigit(int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}
