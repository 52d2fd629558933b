package dev.medley.tenant.expression;

/** Names what an expression does with its arguments, and how people write it. */
enum Operator {
    OR("||"),
    AND("&&"),
    NOT("!"),
    EQUAL("=="),
    UNEQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">="),
    IN("in"),
    PLUS("+"),
    MINUS("-"),
    TIMES("*"),
    DIVIDED("/"),
    REMAINDER("%"),
    NEGATIVE("-"),
    STARTS_WITH("startsWith"),
    ENDS_WITH("endsWith"),
    CONTAINS("contains"),
    SIZE("size");

    private final String word;

    Operator(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    /** Whether it compares two values. */
    boolean isComparison() {
        return switch (this) {
            case EQUAL, UNEQUAL, LESS, AT_MOST, GREATER, AT_LEAST -> true;
            default -> false;
        };
    }

    /** The comparison that says the same with both sides exchanged. */
    Operator swapped() {
        return switch (this) {
            case LESS -> GREATER;
            case AT_MOST -> AT_LEAST;
            case GREATER -> LESS;
            case AT_LEAST -> AT_MOST;
            default -> this;
        };
    }
}
