package dev.medley.tenant.expression;

/**
 * Holds one word of an expression.
 *
 * @param text a name or an operator as it stands there; of a text, what it says
 * @param at the number of its first character, from 1 on
 */
record Token(Kind kind, String text, int at) {
    enum Kind {
        NAME,
        TEXT,
        INTEGER,
        NUMBER,
        SIGN,
        END
    }

    boolean is(String sign) {
        return (kind == Kind.SIGN || kind == Kind.NAME) && text.equals(sign);
    }

    /** For messages. */
    String shown() {
        return switch (kind) {
            case END -> "the end";
            case TEXT -> "a text";
            default -> "'" + text + "'";
        };
    }
}
