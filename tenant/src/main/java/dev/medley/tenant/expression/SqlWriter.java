package dev.medley.tenant.expression;

import dev.medley.tenant.expression.Expression.Call;
import dev.medley.tenant.expression.Expression.Literal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Writes a checked expression as DuckDB's SQL. Values of the expression and of the caller become
 * parameters. Whatever could fail for a row stands in {@code TRY}, so that it is missing instead.
 */
final class SqlWriter {
    private final ExpressionScope scope;
    private final ExpressionCheck check;
    private final Map<String, Object> caller;
    private final List<Object> parameters = new ArrayList<>();

    SqlWriter(ExpressionScope scope, Map<String, Object> caller) {
        this.scope = scope;
        this.check = new ExpressionCheck(scope);
        this.caller = caller;
    }

    SqlFragment write(Expression root) {
        String sql = sql(root);
        return new SqlFragment(sql, parameters);
    }

    private String sql(Expression part) {
        if (part instanceof Literal literal) {
            return literal.type() == ValueType.MISSING
                    ? "NULL"
                    : parameter(literal.value(), literal.type());
        } else if (part instanceof Expression.OfRow row) {
            return Objects.requireNonNull(scope.columns().get(row.column())).sql();
        } else if (part instanceof Expression.OfCaller of) {
            return parameter(attribute(of), check.typeOf(of));
        } else if (part instanceof Call call) {
            return sql(call);
        }
        throw new IllegalStateException("a list stands behind 'in' alone");
    }

    private Object attribute(Expression.OfCaller of) {
        return Objects.requireNonNull(caller.get(of.attribute()), of.attribute());
    }

    private String parameter(Object value, ValueType type) {
        parameters.add(value);
        return switch (type) {
            case BOOLEAN -> "CAST(? AS BOOLEAN)";
            case INTEGER -> "CAST(? AS BIGINT)";
            case NUMBER -> "CAST(? AS DOUBLE)";
            case TEXT -> "CAST(? AS VARCHAR)";
            case DATE -> "CAST(CAST(? AS VARCHAR) AS DATE)";
            case DATETIME -> "CAST(CAST(? AS VARCHAR) AS TIMESTAMP)";
            case INSTANT -> "CAST(CAST(? AS VARCHAR) AS TIMESTAMPTZ)";
            default -> throw new IllegalStateException(type + " is no value");
        };
    }

    private String sql(Call call) {
        Operator operator = call.operator();
        if (operator == Operator.IN) {
            return isIn(call);
        } else if (operator.isComparison() && isMixed(call)) {
            return mixed(operator, call.arguments().get(0), call.arguments().get(1));
        }
        List<String> parts = call.arguments().stream().map(this::sql).toList();
        String left = parts.get(0);
        String right = parts.get(parts.size() - 1);
        boolean isWhole = check.typeOf(call) == ValueType.INTEGER;
        return switch (operator) {
            case OR -> "(%s OR %s)".formatted(left, right);
            case AND -> "(%s AND %s)".formatted(left, right);
            case NOT -> "(NOT %s)".formatted(left);
            case EQUAL, UNEQUAL -> equality(operator == Operator.EQUAL, left, right);
            case LESS, AT_MOST, GREATER, AT_LEAST ->
                    "(%s %s %s)".formatted(left, operator.word(), right);
            case PLUS, MINUS, TIMES -> "TRY(%s %s %s)".formatted(left, operator.word(), right);
            case DIVIDED -> "TRY(%s %s nullif(%s, 0))".formatted(left, isWhole ? "//" : "/", right);
            case REMAINDER -> "TRY(%s %% nullif(%s, 0))".formatted(left, right);
            case NEGATIVE -> "TRY(-(%s))".formatted(left);
            case STARTS_WITH -> "starts_with(%s, %s)".formatted(left, right);
            case ENDS_WITH -> "ends_with(%s, %s)".formatted(left, right);
            case CONTAINS -> "contains(%s, %s)".formatted(left, right);
            case SIZE -> "length(%s)".formatted(left);
            case IN -> throw new IllegalStateException("written above");
        };
    }

    /** Whether a whole number is compared with another number. */
    private boolean isMixed(Call call) {
        ValueType left = check.typeOf(call.arguments().get(0));
        ValueType right = check.typeOf(call.arguments().get(1));
        return left != right && left.isNumeric() && right.isNumeric();
    }

    /**
     * Compares a whole number with another one exactly: as binary floating point, whole numbers
     * beyond 53 bits would be equal to their neighbours. With {@code a} between the whole numbers
     * {@code low} and {@code high}, it is less than {@code b} if {@code low} is.
     */
    private String mixed(Operator operator, Expression left, Expression right) {
        if (check.typeOf(left) == ValueType.INTEGER) {
            return mixed(operator.swapped(), right, left);
        }
        return switch (operator) {
            case EQUAL -> bounded(left, "=", right, "floor", "ceil");
            case UNEQUAL -> "(NOT %s)".formatted(bounded(left, "=", right, "floor", "ceil"));
            case LESS -> bounded(left, "<", right, "floor");
            case AT_MOST -> bounded(left, "<=", right, "ceil");
            case GREATER -> bounded(left, ">", right, "ceil");
            case AT_LEAST -> bounded(left, ">=", right, "floor");
            default -> throw new IllegalStateException(operator + " compares nothing");
        };
    }

    /** Where doubles differ, they tell the order; where not, the bounds do. */
    private String bounded(Expression left, String sign, Expression right, String... bounds) {
        ColumnValue column =
                left instanceof Expression.OfRow row ? scope.columns().get(row.column()) : null;
        String exact = column == null ? null : column.exact();
        StringBuilder sql = new StringBuilder("(");
        if (exact == null) {
            sql.append("CASE WHEN %s = CAST(%s AS DOUBLE) THEN ".formatted(sql(left), sql(right)));
        }
        for (int i = 0; i < bounds.length; i++) {
            sql.append(i == 0 ? "" : " AND ")
                    .append("TRY_CAST(%s(".formatted(bounds[i]))
                    .append(exact == null ? sql(left) : exact)
                    .append(") AS HUGEINT) %s CAST(%s AS HUGEINT)".formatted(sign, sql(right)));
        }
        if (exact == null) {
            sql.append(" ELSE %s %s CAST(%s AS DOUBLE) END".formatted(sql(left), sign, sql(right)));
        }
        return sql.append(")").toString();
    }

    /** With null it asks whether a value is missing, and is never unknown itself. */
    private static String equality(boolean isEqual, String left, String right) {
        if (left.equals("NULL") || right.equals("NULL")) {
            String other = left.equals("NULL") ? right : left;
            return "((%s) IS %sNULL)".formatted(other, isEqual ? "" : "NOT ");
        }
        return "(%s %s %s)".formatted(left, isEqual ? "=" : "<>", right);
    }

    private String isIn(Call call) {
        Expression list = call.arguments().get(1);
        ValueType entry = check.typeOf(list).entry();
        List<?> values =
                list instanceof Expression.Listed written
                        ? written.entries().stream().map(Literal::value).toList()
                        : (List<?>) attribute((Expression.OfCaller) list);
        Expression asked = call.arguments().get(0);
        if (values.isEmpty()) {
            return "CASE WHEN %s IS NOT NULL THEN FALSE END".formatted(sql(asked));
        } else if (list instanceof Expression.Listed written && check.typeOf(asked).isNumeric()) {
            return written.entries().stream()
                    .map(e -> sql(new Call(Operator.EQUAL, List.of(asked, e), e.at())))
                    .collect(Collectors.joining(" OR ", "(", ")"));
        }
        String tested = sql(asked);
        String marks = String.join(", ", Collections.nCopies(values.size(), parameterSql(entry)));
        parameters.addAll(values);
        return "(%s IN (%s))".formatted(tested, marks);
    }

    private String parameterSql(ValueType type) {
        int before = parameters.size();
        String sql = parameter("", type);
        parameters.subList(before, parameters.size()).clear();
        return sql;
    }
}
