package dev.medley.connect.schema;

import dev.medley.connect.table.TableSchema;
import java.util.List;

/**
 * Says what the columns of a snapshot are from now on.
 *
 * @param kept the columns; those of before where the decision is a refusal
 * @param from for each of them the index of the source's column; {@link #NOWHERE} where it has none
 * @param rules which values do not fit
 * @param changes what changed in the source, and what each leads to
 * @param isRefused whether the sync must not go on
 * @param why all of it in words; one line
 */
public record SchemaDecision(
        TableSchema kept,
        List<Integer> from,
        List<ColumnRule> rules,
        List<SchemaChange> changes,
        boolean isRefused,
        String why) {
    /** In the place of an index. */
    public static final int NOWHERE = -1;

    public SchemaDecision {
        from = List.copyOf(from);
        rules = List.copyOf(rules);
        changes = List.copyOf(changes);
    }

    /** Whether rows may be left out. */
    public boolean dropsRows() {
        return rules.stream().anyMatch(ColumnRule::dropsRow);
    }
}
