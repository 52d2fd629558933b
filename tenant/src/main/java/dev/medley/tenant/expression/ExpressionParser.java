package dev.medley.tenant.expression;

import static dev.medley.tenant.expression.ExpressionTokens.wrong;

import dev.medley.base.text.DidYouMean;
import dev.medley.tenant.expression.Expression.Call;
import dev.medley.tenant.expression.Expression.Literal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses an expression by descent, a method for each strength of binding: {@code ||}, {@code &&},
 * comparisons, sums, products, signs, values. The syntax is a part of CEL's.
 */
final class ExpressionParser {
    private static final int DEEPEST = 50;
    private static final int MOST_ENTRIES = 1_000;
    private static final int MOST_OPERATORS = 300;
    private static final Map<String, Operator> COMPARISONS =
            Map.of(
                    "==", Operator.EQUAL,
                    "!=", Operator.UNEQUAL,
                    "<", Operator.LESS,
                    "<=", Operator.AT_MOST,
                    ">", Operator.GREATER,
                    ">=", Operator.AT_LEAST,
                    "in", Operator.IN);
    private static final Map<String, Operator> SUMS =
            Map.of("+", Operator.PLUS, "-", Operator.MINUS);
    private static final Map<String, Operator> PRODUCTS =
            Map.of("*", Operator.TIMES, "/", Operator.DIVIDED, "%", Operator.REMAINDER);
    private static final Map<String, Operator> METHODS =
            Map.of(
                    "startsWith", Operator.STARTS_WITH,
                    "endsWith", Operator.ENDS_WITH,
                    "contains", Operator.CONTAINS,
                    "size", Operator.SIZE);
    private static final List<String> WORDS =
            List.of("row", "caller", "date", "timestamp", "size", "true", "false", "null");

    private final List<Token> tokens;
    private int next;
    private int depth;
    private int operators;

    private ExpressionParser(List<Token> tokens) {
        this.tokens = tokens;
    }

    static Expression parse(String text) {
        ExpressionParser parser = new ExpressionParser(ExpressionTokens.of(text));
        Expression whole = parser.either();
        Token rest = parser.peek();
        if (rest.kind() != Token.Kind.END) {
            throw wrong(rest.at(), "%s comes after the end of the expression", rest.shown());
        }
        return whole;
    }

    private Expression either() {
        if (++depth > DEEPEST) {
            throw wrong(peek().at(), "nested deeper than %d levels", DEEPEST);
        }
        Expression left = both();
        while (peek().is("||")) {
            int at = take().at();
            left = call(Operator.OR, List.of(left, both()), at);
        }
        depth--;
        return left;
    }

    private Expression both() {
        Expression left = comparison();
        while (peek().is("&&")) {
            int at = take().at();
            left = call(Operator.AND, List.of(left, comparison()), at);
        }
        return left;
    }

    private Expression comparison() {
        Expression left = sum();
        Operator operator = operator(COMPARISONS);
        if (operator == null) {
            return left;
        }
        int at = take().at();
        Expression whole = call(operator, List.of(left, sum()), at);
        if (operator(COMPARISONS) != null) {
            throw wrong(peek().at(), "comparisons do not follow each other: join them with &&");
        }
        return whole;
    }

    private Expression sum() {
        Expression left = product();
        for (Operator o = operator(SUMS); o != null; o = operator(SUMS)) {
            int at = take().at();
            left = call(o, List.of(left, product()), at);
        }
        return left;
    }

    private Expression product() {
        Expression left = signed();
        for (Operator o = operator(PRODUCTS); o != null; o = operator(PRODUCTS)) {
            int at = take().at();
            left = call(o, List.of(left, signed()), at);
        }
        return left;
    }

    private Expression signed() {
        Token token = peek();
        if (!token.is("!") && !token.is("-")) {
            return withMethods(value());
        }
        take();
        Token number = peek();
        if (token.is("-") && number.kind() == Token.Kind.INTEGER) {
            take();
            return whole("-" + number.text(), token.at());
        } else if (token.is("-") && number.kind() == Token.Kind.NUMBER) {
            take();
            return number("-" + number.text(), token.at());
        }
        if (++depth > DEEPEST) {
            throw wrong(token.at(), "nested deeper than %d levels", DEEPEST);
        }
        Operator operator = token.is("!") ? Operator.NOT : Operator.NEGATIVE;
        Expression whole = call(operator, List.of(signed()), token.at());
        depth--;
        return whole;
    }

    private Expression withMethods(Expression on) {
        Expression value = on;
        while (peek().is(".")) {
            take();
            Token name = take();
            Operator method = METHODS.get(name.text());
            if (method == null || name.kind() != Token.Kind.NAME) {
                throw wrong(
                        name.at(),
                        "there is no function .%s(); there are .startsWith(TEXT), .endsWith(TEXT),"
                                + " .contains(TEXT) and .size()",
                        name.text());
            }
            expect("(");
            List<Expression> arguments = new ArrayList<>(List.of(value));
            if (method != Operator.SIZE) {
                arguments.add(either());
            }
            expect(")");
            value = call(method, arguments, name.at());
        }
        return value;
    }

    private Expression value() {
        Token token = take();
        return switch (token.kind()) {
            case TEXT -> new Literal(token.text(), ValueType.TEXT, token.at());
            case INTEGER -> whole(token.text(), token.at());
            case NUMBER -> number(token.text(), token.at());
            case NAME -> named(token);
            case SIGN, END -> {
                if (token.is("(")) {
                    Expression inner = either();
                    expect(")");
                    yield inner;
                } else if (token.is("[")) {
                    yield list(token.at());
                }
                throw wrong(token.at(), "a value is missing before %s", token.shown());
            }
        };
    }

    private Expression named(Token token) {
        return switch (token.text()) {
            case "true", "false" ->
                    new Literal(Boolean.parseBoolean(token.text()), ValueType.BOOLEAN, token.at());
            case "null" -> new Literal("null", ValueType.MISSING, token.at());
            case "row" -> new Expression.OfRow(member("row"), token.at());
            case "caller" -> new Expression.OfCaller(member("caller"), token.at());
            case "size" -> {
                expect("(");
                Expression of = either();
                expect(")");
                yield call(Operator.SIZE, List.of(of), token.at());
            }
            case "date", "timestamp" -> moment(token);
            default ->
                    throw wrong(
                            token.at(),
                            "'%s' is not known here; %s",
                            token.text(),
                            DidYouMean.of(token.text(), WORDS)
                                    .map("did you mean %s?"::formatted)
                                    .orElse(
                                            "columns are row.NAME, what is known of the caller is"
                                                    + " caller.NAME, texts stand in quotes"));
        };
    }

    private String member(String of) {
        if (peek().is(".")) {
            take();
            Token name = take();
            if (name.kind() != Token.Kind.NAME) {
                throw wrong(name.at(), "a name belongs after %s.", of);
            }
            return name.text();
        }
        expect("[");
        Token name = take();
        if (name.kind() != Token.Kind.TEXT) {
            throw wrong(name.at(), "a name in quotes belongs into %s['…']", of);
        }
        expect("]");
        return name.text();
    }

    private Expression moment(Token function) {
        expect("(");
        Token text = take();
        if (text.kind() != Token.Kind.TEXT) {
            throw wrong(text.at(), "%s() takes a text in quotes", function.text());
        }
        expect(")");
        try {
            if (function.text().equals("date")) {
                String date = LocalDate.parse(text.text()).toString();
                return new Literal(date, ValueType.DATE, function.at());
            }
            return text.text().endsWith("Z")
                    ? new Literal(
                            Instant.parse(text.text()).toString(), ValueType.INSTANT, function.at())
                    : new Literal(
                            LocalDateTime.parse(text.text()).toString(),
                            ValueType.DATETIME,
                            function.at());
        } catch (DateTimeException e) {
            throw wrong(
                    text.at(),
                    "not a time: write date('2026-01-31'), timestamp('2026-01-31T08:00:00') or"
                            + " timestamp('2026-01-31T08:00:00Z')");
        }
    }

    private Expression list(int at) {
        List<Literal> entries = new ArrayList<>();
        while (!peek().is("]")) {
            if (!entries.isEmpty()) {
                expect(",");
            }
            Token token = peek();
            if (!(signed() instanceof Literal entry) || entries.size() == MOST_ENTRIES) {
                throw wrong(token.at(), "a list has values alone, %d at most", MOST_ENTRIES);
            }
            entries.add(entry);
        }
        take();
        return new Expression.Listed(List.copyOf(entries), at);
    }

    private static Literal whole(String digits, int at) {
        try {
            return new Literal(Long.parseLong(digits), ValueType.INTEGER, at);
        } catch (NumberFormatException e) {
            throw wrong(at, "a whole number beyond 64 bits: write it with a point");
        }
    }

    private static Literal number(String text, int at) {
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return new Literal(value, ValueType.NUMBER, at);
            }
        } catch (NumberFormatException e) {
            // Said below: an exponent without digits.
        }
        throw wrong(at, "not a number within the range of numbers");
    }

    private Call call(Operator operator, List<Expression> arguments, int at) {
        if (++operators > MOST_OPERATORS) {
            throw wrong(at, "more than %d operators in one expression", MOST_OPERATORS);
        }
        return new Call(operator, arguments, at);
    }

    private @Nullable Operator operator(Map<String, Operator> known) {
        Token token = peek();
        return token.kind() == Token.Kind.SIGN || token.is("in") ? known.get(token.text()) : null;
    }

    private Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        Token token = tokens.get(next);
        next = Math.min(next + 1, tokens.size() - 1);
        return token;
    }

    private void expect(String sign) {
        Token token = take();
        if (!token.is(sign)) {
            throw wrong(token.at(), "%s is missing before %s", sign, token.shown());
        }
    }
}
