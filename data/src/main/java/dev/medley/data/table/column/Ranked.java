package dev.medley.data.table.column;

import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.Ndcg;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.DuckDb;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks rows that are ranked: each has a grade and a group, and those of a group lie together. */
public final class Ranked {
    /** Rows that begin a group which has begun before, the first of them. */
    private static final String TORN =
            "SELECT r, g FROM (SELECT rowid AS r, %1$s AS g, lag(%1$s) OVER (ORDER BY rowid) AS b,"
                    + " row_number() OVER (PARTITION BY %1$s ORDER BY rowid) AS n FROM %2$s)"
                    + " WHERE n > 1 AND g <> b ORDER BY r LIMIT 1";

    private static final String NO_GROUP =
            "the group is missing, and nobody knows what to rank the row among";
    private static final String NO_GRADE = "is no whole number of 0 or more";
    private static final String TOO_HIGH =
            "is above "
                    + Ndcg.HIGHEST_GRADE
                    + ": what a row gains doubles with each grade; write fewer grades";

    private Ranked() {}

    /** What is wrong with a row; null if nothing. */
    public static @Nullable String trouble(double grade, @Nullable String group) {
        if (group == null) {
            return NO_GROUP;
        } else if (!(grade >= 0) || grade != Math.rint(grade)) {
            return "the grade %s %s".formatted(grade, NO_GRADE);
        }
        return grade > Ndcg.HIGHEST_GRADE ? "the grade %s %s".formatted(grade, TOO_HIGH) : null;
    }

    /**
     * Leaves rows without a group or grade to {@code policy}.
     *
     * @throws ConfigException if rows of a group do not lie together
     */
    public static void check(
            DuckDb db, BadRowPolicy policy, StagedTable rows, Column label, Column group) {
        String ofGroup = "column '" + BadRowPolicy.literally(group.name()) + "' (data.group): ";
        policy.check(db, rows, group.text() + " IS NULL", "''", ofGroup + NO_GROUP);
        String ofLabel = "column '" + BadRowPolicy.literally(label.name()) + "': the grade %s ";
        policy.check(
                db,
                rows,
                "%1$s < 0 OR %1$s <> floor(%1$s)".formatted(label.sql()),
                label.text(),
                ofLabel + NO_GRADE);
        policy.check(
                db,
                rows,
                "%s > %d".formatted(label.sql(), Ndcg.HIGHEST_GRADE),
                label.text(),
                ofLabel + TOO_HIGH);
        requireTogether(db, rows, group);
    }

    private static void requireTogether(DuckDb db, StagedTable rows, Column group) {
        String query = TORN.formatted(group.text(), rows.name());
        try {
            List<List<String>> torn = db.rows(query);
            if (!torn.isEmpty()) {
                throw new ConfigException(
                        ("%s, column '%s' (data.group): group '%s' began before, and other rows lie"
                                        + " between: rows of a group lie together; sort the table"
                                        + " by this column")
                                .formatted(
                                        rows.place(Long.parseLong(torn.get(0).get(0))),
                                        group.name(),
                                        torn.get(0).get(1)));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }
}
