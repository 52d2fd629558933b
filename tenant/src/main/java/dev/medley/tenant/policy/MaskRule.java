package dev.medley.tenant.policy;

import dev.medley.tenant.expression.CheckedExpression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Masks columns for all callers but some.
 *
 * @param unless a condition over the caller with which values are shown as they are; null: for
 *     nobody
 */
public record MaskRule(List<String> columns, @Nullable CheckedExpression unless, ColumnMask mask) {
    /** Copies the names. */
    public MaskRule {
        columns = List.copyOf(columns);
    }
}
