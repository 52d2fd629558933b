package dev.medley.tenant.expression;

import dev.medley.base.ConfigException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds an expression whose names are known and whose types fit. It is true, false or unknown for a
 * row, and never fails: what is computed with a missing value, divides by zero or leaves 64 bits is
 * unknown.
 */
public final class CheckedExpression {
    private final String text;
    private final Expression root;
    private final ExpressionScope scope;

    private CheckedExpression(String text, Expression root, ExpressionScope scope) {
        this.text = text;
        this.root = root;
        this.scope = scope;
    }

    /**
     * Reads a condition.
     *
     * @throws ConfigException with the number of the character at which it is wrong
     */
    public static CheckedExpression condition(String text, ExpressionScope scope) {
        Expression root = ExpressionParser.parse(text);
        ValueType type = new ExpressionCheck(scope).typeOf(root);
        if (type != ValueType.BOOLEAN) {
            throw ExpressionTokens.wrong(
                    root.at(),
                    "the expression gives %s, but has to be true or false",
                    type.words());
        }
        return new CheckedExpression(text, root, scope);
    }

    /** As it was written. */
    public String text() {
        return text;
    }

    /** What it wants to know of the caller. */
    public Set<String> attributes() {
        Set<String> found = new TreeSet<>();
        attributes(root, found);
        return found;
    }

    private static void attributes(Expression part, Set<String> found) {
        if (part instanceof Expression.OfCaller caller) {
            found.add(caller.attribute());
        } else if (part instanceof Expression.Call call) {
            call.arguments().forEach(a -> attributes(a, found));
        }
    }

    /**
     * The condition in a query, for a caller.
     *
     * @param caller attributes by name, which has all of {@link #attributes}
     */
    public SqlFragment sql(Map<String, Object> caller) {
        return new SqlWriter(scope, caller).write(root);
    }

    /**
     * Whether a condition over the caller alone holds; unknown is false.
     *
     * @throws IllegalStateException if it looks at a row
     */
    public boolean holdsFor(Map<String, Object> caller) {
        return Boolean.TRUE.equals(new CallerEvaluation(caller).valueOf(root));
    }

    @Override
    public String toString() {
        return text;
    }
}
