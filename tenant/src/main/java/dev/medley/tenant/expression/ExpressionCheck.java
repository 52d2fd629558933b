package dev.medley.tenant.expression;

import static dev.medley.tenant.expression.ExpressionTokens.wrong;

import dev.medley.base.text.DidYouMean;
import dev.medley.tenant.expression.Expression.Call;
import dev.medley.tenant.expression.Expression.Literal;
import java.util.Collection;
import java.util.List;

/** Finds the type of each part of an expression, and refuses names and types that do not fit. */
final class ExpressionCheck {
    private static final int MOST_NAMES = 20;

    private final ExpressionScope scope;

    ExpressionCheck(ExpressionScope scope) {
        this.scope = scope;
    }

    ValueType typeOf(Expression part) {
        if (part instanceof Literal literal) {
            return literal.type();
        } else if (part instanceof Expression.OfRow row) {
            ColumnValue column = scope.columns().get(row.column());
            if (column == null) {
                throw wrong(row.at(), unknown("column", row.column(), scope.columns().keySet()));
            }
            return column.type();
        } else if (part instanceof Expression.OfCaller caller) {
            ValueType type = scope.attributes().get(caller.attribute());
            if (type == null) {
                throw wrong(
                        caller.at(),
                        unknown(
                                "attribute of callers",
                                caller.attribute(),
                                scope.attributes().keySet()));
            }
            return type;
        } else if (part instanceof Expression.Listed list) {
            return ofList(list);
        }
        return ofCall((Call) part);
    }

    private static String unknown(String what, String name, Collection<String> known) {
        String hint =
                DidYouMean.of(name, known)
                        .map(n -> "did you mean %s?".formatted(n))
                        .orElse(
                                known.isEmpty()
                                        ? "none may be used here"
                                        : "there are "
                                                + String.join(
                                                        ", ",
                                                        known.stream().limit(MOST_NAMES).toList()));
        return "there is no %s '%s'; %s".formatted(what, shown(name), hint).replace("%", "%%");
    }

    /** Without signs that a terminal or a log would obey, or that only look like letters. */
    private static String shown(String name) {
        StringBuilder safe = new StringBuilder();
        name.codePoints()
                .limit(64)
                .forEach(
                        c -> {
                            if (c >= ' ' && c < 127) {
                                safe.appendCodePoint(c);
                            } else {
                                safe.append("\\u{%X}".formatted(c));
                            }
                        });
        return safe.toString();
    }

    private static ValueType ofList(Expression.Listed list) {
        ValueType type = null;
        for (Literal entry : list.entries()) {
            ValueType next = entry.type();
            if (type == null || next == type) {
                type = next;
            } else if (next.isNumeric() && type.isNumeric()) {
                type = ValueType.NUMBER;
            } else {
                throw wrong(
                        entry.at(),
                        "a list has values of one kind; here are %s and %s",
                        type.words(),
                        next.words());
            }
        }
        if (type == null) {
            return ValueType.TEXTS;
        }
        return switch (type) {
            case TEXT -> ValueType.TEXTS;
            case INTEGER -> ValueType.INTEGERS;
            case NUMBER -> ValueType.NUMBERS;
            default ->
                    throw wrong(
                            list.at(), "a list of %s: lists hold texts or numbers", type.words());
        };
    }

    private ValueType ofCall(Call call) {
        List<ValueType> types = call.arguments().stream().map(this::typeOf).toList();
        ValueType first = types.get(0);
        ValueType last = types.get(types.size() - 1);
        return switch (call.operator()) {
            case AND, OR, NOT -> {
                require(call, first == ValueType.BOOLEAN && last == ValueType.BOOLEAN, types);
                yield ValueType.BOOLEAN;
            }
            case EQUAL, UNEQUAL -> {
                boolean isTest = first == ValueType.MISSING || last == ValueType.MISSING;
                require(call, (isTest && !isList(types)) || first.comparesWith(last), types);
                yield ValueType.BOOLEAN;
            }
            case LESS, AT_MOST, GREATER, AT_LEAST -> {
                require(call, first.hasOrder() && first.comparesWith(last), types);
                yield ValueType.BOOLEAN;
            }
            case IN -> {
                require(call, first.comparesWith(last.entry()), types);
                yield ValueType.BOOLEAN;
            }
            case PLUS, MINUS, TIMES -> {
                require(call, first.isNumeric() && last.isNumeric(), types);
                yield wider(first, last);
            }
            case DIVIDED -> {
                require(call, first.isNumeric() && last.isNumeric(), types);
                yield wider(first, last);
            }
            case REMAINDER -> {
                require(call, first == ValueType.INTEGER && last == ValueType.INTEGER, types);
                yield ValueType.INTEGER;
            }
            case NEGATIVE -> {
                require(call, first.isNumeric(), types);
                yield first;
            }
            case STARTS_WITH, ENDS_WITH, CONTAINS -> {
                require(call, first == ValueType.TEXT && last == ValueType.TEXT, types);
                yield ValueType.BOOLEAN;
            }
            case SIZE -> {
                require(call, first == ValueType.TEXT, types);
                yield ValueType.INTEGER;
            }
        };
    }

    private static boolean isList(List<ValueType> types) {
        return types.stream().anyMatch(t -> t.entry() != ValueType.OTHER);
    }

    private static ValueType wider(ValueType a, ValueType b) {
        return a == b ? a : ValueType.NUMBER;
    }

    private static void require(Call call, boolean holds, List<ValueType> types) {
        if (!holds) {
            throw wrong(
                    call.at(),
                    "%s cannot be used with %s",
                    call.operator().word(),
                    String.join(" and ", types.stream().map(ValueType::words).toList()));
        }
    }
}
