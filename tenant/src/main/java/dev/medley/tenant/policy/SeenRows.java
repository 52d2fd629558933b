package dev.medley.tenant.policy;

import dev.medley.tenant.expression.CheckedExpression;

/** Says which rows of a table a caller sees. */
public sealed interface SeenRows {
    /** Every row, as somebody said in plain words. */
    record All() implements SeenRows {}

    /** None, for nobody has said which. */
    record Unsaid() implements SeenRows {}

    /** Those for which a condition is true; neither false nor unknown. */
    record Where(CheckedExpression condition) implements SeenRows {}
}
