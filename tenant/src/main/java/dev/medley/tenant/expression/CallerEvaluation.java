package dev.medley.tenant.expression;

import dev.medley.tenant.expression.Expression.Call;
import dev.medley.tenant.expression.Expression.Literal;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Computes a checked expression over the caller alone, with the rules of the SQL: what is unknown
 * is null, and {@code false && unknown} is false.
 */
final class CallerEvaluation {
    private final Map<String, Object> caller;

    CallerEvaluation(Map<String, Object> caller) {
        this.caller = caller;
    }

    @Nullable Object valueOf(Expression part) {
        if (part instanceof Literal literal) {
            return literal.type() == ValueType.MISSING ? null : literal.value();
        } else if (part instanceof Expression.OfCaller of) {
            return Objects.requireNonNull(caller.get(of.attribute()), of.attribute());
        } else if (part instanceof Expression.Listed list) {
            return list.entries().stream().map(Literal::value).toList();
        } else if (part instanceof Call call) {
            return ofCall(call);
        }
        throw new IllegalStateException("a row is asked for where there is none");
    }

    private @Nullable Object ofCall(Call call) {
        Object left = valueOf(call.arguments().get(0));
        Object right = valueOf(call.arguments().get(call.arguments().size() - 1));
        return switch (call.operator()) {
            case AND -> both(left, right);
            case OR -> not(both(not(left), not(right)));
            case NOT -> not(left);
            case EQUAL -> isTest(call) ? (Object) isMissing(call) : equal(left, right);
            case UNEQUAL -> isTest(call) ? (Object) !isMissing(call) : not(equal(left, right));
            default ->
                    left == null || right == null ? null : ofValues(call.operator(), left, right);
        };
    }

    private static @Nullable Object equal(@Nullable Object a, @Nullable Object b) {
        return a == null || b == null ? null : (Object) (order(a, b) == 0);
    }

    private static boolean isTest(Call call) {
        return call.arguments().stream().anyMatch(CallerEvaluation::isNull);
    }

    private static boolean isNull(Expression part) {
        return part instanceof Literal literal && literal.type() == ValueType.MISSING;
    }

    /** Of a comparison with null: whether the other side is missing. */
    private boolean isMissing(Call call) {
        return call.arguments().stream().allMatch(a -> isNull(a) || valueOf(a) == null);
    }

    private static @Nullable Object not(@Nullable Object value) {
        return value == null ? null : (Object) !((Boolean) value);
    }

    private static @Nullable Object both(@Nullable Object a, @Nullable Object b) {
        if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
            return false;
        }
        return a == null || b == null ? null : (Object) true;
    }

    private static @Nullable Object ofValues(Operator operator, Object left, Object right) {
        return switch (operator) {
            case LESS -> order(left, right) < 0;
            case AT_MOST -> order(left, right) <= 0;
            case GREATER -> order(left, right) > 0;
            case AT_LEAST -> order(left, right) >= 0;
            case IN -> ((List<?>) right).stream().anyMatch(e -> order(left, e) == 0);
            case STARTS_WITH -> ((String) left).startsWith((String) right);
            case ENDS_WITH -> ((String) left).endsWith((String) right);
            case CONTAINS -> ((String) left).contains((String) right);
            case SIZE -> (long) ((String) left).codePointCount(0, ((String) left).length());
            default -> computed(operator, (Number) left, (Number) right);
        };
    }

    private static @Nullable Object computed(Operator operator, Number a, Number b) {
        if (a instanceof Double || b instanceof Double) {
            double x = a.doubleValue();
            double y = b.doubleValue();
            return switch (operator) {
                case PLUS -> x + y;
                case MINUS -> x - y;
                case TIMES -> x * y;
                case DIVIDED -> y == 0 ? null : (Object) (x / y);
                case NEGATIVE -> -x;
                default -> throw new IllegalStateException(operator + " computes nothing");
            };
        }
        long x = a.longValue();
        long y = b.longValue();
        try {
            return switch (operator) {
                case PLUS -> Math.addExact(x, y);
                case MINUS -> Math.subtractExact(x, y);
                case TIMES -> Math.multiplyExact(x, y);
                case DIVIDED ->
                        y == 0 || (y == -1 && x == Long.MIN_VALUE) ? null : (Object) (x / y);
                case REMAINDER -> y == 0 ? null : (Object) (x % y);
                case NEGATIVE -> Math.negateExact(x);
                default -> throw new IllegalStateException(operator + " computes nothing");
            };
        } catch (ArithmeticException e) {
            return null; // Beyond 64 bits: unknown.
        }
    }

    /** As the SQL orders: texts by code points, and numbers exactly. */
    private static int order(Object a, Object b) {
        if (a instanceof String x && b instanceof String y) {
            int[] left = x.codePoints().toArray();
            return java.util.Arrays.compare(left, y.codePoints().toArray());
        } else if (a instanceof Long x && b instanceof Long y) {
            return Long.compare(x, y);
        } else if (a instanceof Number x && b instanceof Number y) {
            int rough = Double.compare(x.doubleValue() + 0.0, y.doubleValue() + 0.0);
            return rough == 0 && x.getClass() != y.getClass()
                    ? decimal(x).compareTo(decimal(y))
                    : rough;
        }
        return ((Boolean) a).compareTo((Boolean) b);
    }

    private static BigDecimal decimal(Number number) {
        return number instanceof Double x
                ? new BigDecimal(x)
                : BigDecimal.valueOf(number.longValue());
    }
}
