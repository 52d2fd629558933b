package dev.medley.tenant.read;

import dev.medley.tenant.expression.SqlFragment;
import dev.medley.tenant.expression.ValueType;
import dev.medley.tenant.policy.ColumnMask;
import dev.medley.tenant.policy.SourceColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what stands in a column for a caller. None of it can fail, whatever a row holds. */
final class MaskSql {
    private MaskSql() {}

    /**
     * A column of the extract.
     *
     * @param pads of the key, for a hash
     */
    static VisibleColumn column(SourceColumn column, @Nullable ColumnMask mask, List<String> pads) {
        if (mask == null) {
            return new VisibleColumn(
                    column.name(), column.type(), new SqlFragment(column.typed(), List.of()), true);
        }
        String text = "CAST(%s AS VARCHAR)".formatted(column.typed());
        if (mask instanceof ColumnMask.Hashed) {
            return masked(
                    column,
                    "VARCHAR",
                    ("CASE WHEN %1$s IS NOT NULL THEN sha256(unhex(CAST(? AS VARCHAR)) ||"
                         + " unhex(sha256(unhex(CAST(? AS VARCHAR)) || encode(%1$s)))) END")
                            .formatted(text),
                    List.copyOf(pads));
        } else if (mask instanceof ColumnMask.Constant constant) {
            return masked(column, "VARCHAR", "CAST(? AS VARCHAR)", List.of(constant.text()));
        } else if (mask instanceof ColumnMask.Last last) {
            return masked(
                    column,
                    "VARCHAR",
                    "CASE WHEN length(%1$s) > %2$d THEN right(%1$s, %2$d) ELSE left(%1$s, 0) END"
                            .formatted(text, last.characters()),
                    List.of());
        } else if (mask instanceof ColumnMask.Rounded rounded) {
            String type =
                    column.kind() == ValueType.INTEGER && !column.isLarge() ? "BIGINT" : "DOUBLE";
            return masked(
                    column,
                    type,
                    "TRY_CAST(TRY(round(%s, %d)) AS %s)"
                            .formatted(column.value().sql(), rounded.digits(), type),
                    List.of());
        }
        return masked(
                column, column.type(), "CAST(NULL AS %s)".formatted(column.type()), List.of());
    }

    private static VisibleColumn masked(
            SourceColumn column, String type, String sql, List<Object> parameters) {
        return new VisibleColumn(column.name(), type, new SqlFragment(sql, parameters), false);
    }
}
