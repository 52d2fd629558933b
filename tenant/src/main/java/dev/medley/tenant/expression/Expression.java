package dev.medley.tenant.expression;

import java.util.List;

/** Holds what was written, without knowing yet whether its names and types are right. */
sealed interface Expression {
    /** The number of the character where it begins, from 1 on. */
    int at();

    /**
     * A value that stands there.
     *
     * @param value a String, Long, Double or Boolean, or the text of a date or moment
     */
    record Literal(Object value, ValueType type, int at) implements Expression {}

    /** The value of the row in a column. */
    record OfRow(String column, int at) implements Expression {}

    /** What is known of the caller. */
    record OfCaller(String attribute, int at) implements Expression {}

    /** Values in brackets. */
    record Listed(List<Literal> entries, int at) implements Expression {}

    /** What an operator or a function makes of its arguments. */
    record Call(Operator operator, List<Expression> arguments, int at) implements Expression {}
}
