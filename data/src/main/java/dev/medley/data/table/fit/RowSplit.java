package dev.medley.data.table.fit;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.DuckDb;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Splits the rows of a staged table. The split follows only from the job and the rows, so it is the
 * same whether an encoding is fitted on them or given.
 */
public final class RowSplit {
    private static final int MOST_STRATA = 10_000;

    private final DuckDb db;
    private final DataSpec spec;
    private final StagedTable rows;
    private final @Nullable Dictionary strata;
    private final @Nullable String stratum;

    /** For rows that are all there: those that cannot be read are left out already. */
    public RowSplit(DuckDb db, DataSpec spec, StagedTable rows, @Nullable LabelChoice label) {
        this.db = db;
        this.spec = spec;
        this.rows = rows;
        Optional<String> by = column(spec, label == null ? null : label.column().name());
        if (by.isEmpty()) {
            strata = null;
            stratum = null;
            return;
        }
        ConfigException.check(
                spec.split().by() != null || label == null || !label.isValue(),
                "data.split.kind=stratified: the label '%s' is a number; name a column of classes"
                        + " in data.split.by, or split at random",
                by.get());
        String text = column(by.get()).text();
        strata = Dictionary.of(db, "strata", rows.name(), text, UnaryOperator.identity());
        stratum = "(1 + " + strata.code(text) + ")";
        ConfigException.check(
                strata.values().size() <= MOST_STRATA,
                "data.split.by=%s: %,d different values are too many strata (limit %,d)",
                by.get(),
                strata.values().size(),
                MOST_STRATA);
    }

    /**
     * The column whose values are the strata; empty for a split without strata.
     *
     * @param label null for rows without one
     */
    public static Optional<String> column(DataSpec spec, @Nullable String label) {
        SplitSpec split = spec.split();
        if (split.kind() != SplitKind.STRATIFIED || !spec.validation().isEmpty()) {
            return Optional.empty();
        }
        String by = split.by() == null ? label : split.by();
        ConfigException.check(
                by != null,
                "data.split.kind=stratified: there is no label here; name a column of classes in"
                        + " data.split.by, or split at random");
        return Optional.ofNullable(by);
    }

    /** The stratum of a row as an INTEGER from 0; 0 is for rows without a value; null for none. */
    @Nullable
    public String stratum() {
        return stratum;
    }

    /** Decides row by row, from the first one. */
    public SplitSequence sequence(long seed) {
        if (!spec.validation().isEmpty()) {
            return SplitSequence.none(rows());
        }
        SplitSpec split = spec.split();
        long[] counts = {spec.group() == null ? rows() : groups(spec.group())};
        if (strata != null) {
            counts = new long[strata.values().size() + 1];
            for (List<String> row :
                    query(
                            "SELECT %s AS s, count(*) FROM %s GROUP BY s"
                                    .formatted(stratum, rows.name()))) {
                counts[Integer.parseInt(row.get(0))] = Long.parseLong(row.get(1));
            }
        }
        return new SplitSequence(split.kind(), split.validationFraction(), counts, seed);
    }

    /** Groups are split whole. */
    private long groups(String by) {
        String text = rows.column(by).orElseThrow().text();
        return Long.parseLong(
                query("SELECT count(DISTINCT %s) FROM %s".formatted(text, rows.name()))
                        .get(0)
                        .get(0));
    }

    private Column column(String by) {
        return rows.column(by)
                .orElseThrow(
                        () ->
                                NoColumn.of(
                                        "data.split.by",
                                        by,
                                        rows.columnNames(),
                                        rows.parts().get(0).file()));
    }

    /** How many there are. */
    long rows() {
        return Long.parseLong(query("SELECT count(*) FROM " + rows.name()).get(0).get(0));
    }

    private List<List<String>> query(String sql) {
        try {
            return db.rows(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
