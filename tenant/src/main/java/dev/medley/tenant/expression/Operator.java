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
}
