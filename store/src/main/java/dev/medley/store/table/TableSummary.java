package dev.medley.store.table;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.store.shard.Progress;
import dev.medley.store.table.StagedTable.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What lies in the columns of a table.
 *
 * @param rows that can be read
 * @param badRows that cannot
 * @param columns in file order
 */
public record TableSummary(long rows, long badRows, List<ColumnSummary> columns) {
    private static final int EXAMPLES = 3;
    private static final int LONGEST = 24;

    public TableSummary {
        columns = List.copyOf(columns);
    }

    /**
     * A column.
     *
     * @param name in the file
     * @param type in words
     * @param missing rows without a value
     * @param different about how many values differ
     * @param least smallest value, as text; empty if there is none
     * @param most largest value, as text
     * @param examples the most frequent values
     */
    public record ColumnSummary(
            String name,
            String type,
            long missing,
            long different,
            String least,
            String most,
            List<String> examples) {
        public ColumnSummary {
            examples = List.copyOf(examples);
        }
    }

    /** Reads the whole file; rows that cannot be read are counted. */
    public static TableSummary of(Path file, DataFormat format, TableSpec spec) throws IOException {
        Path scratch = Files.createTempDirectory("medley-describe");
        TableSpec lenient =
                new TableSpec(
                        spec.delimiter(),
                        spec.header(),
                        spec.decimal(),
                        spec.missing(),
                        spec.drop(),
                        spec.categorical(),
                        spec.oneHotLimit(),
                        BadRows.SKIP);
        BadRowPolicy policy = new BadRowPolicy(BadRows.SKIP);
        try (DuckDb db = DuckDb.forFiles(List.of(file), scratch)) {
            TableFiles files = new TableFiles(db, format, lenient, null);
            Staging staging = new Staging(files, db, policy, Progress.NONE);
            ValueChecks checks = new ValueChecks(db, policy, staging.decimal());
            StagedTable found = staging.find("described", List.of(file), Set.of());
            StagedTable rows = checks.checked(found, spec.categorical());
            long count = db.longs("SELECT count(*) FROM described")[0];
            List<ColumnSummary> columns = new ArrayList<>();
            for (Column column : rows.columns()) {
                columns.add(summary(db, column, count));
            }
            staging.unusable()
                    .forEach(
                            name ->
                                    columns.add(
                                            new ColumnSummary(
                                                    name, "unusable", 0, 0, "", "", List.of())));
            return new TableSummary(count, policy.skipped(), columns);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            Files.deleteIfExists(scratch);
        }
    }

    private static ColumnSummary summary(DuckDb db, Column column, long count) throws SQLException {
        String sql = column.sql();
        List<String> row =
                db.rows(
                                ("SELECT count(%1$s), approx_count_distinct(%1$s),"
                                                + " CAST(%2$s AS VARCHAR), CAST(%3$s AS VARCHAR)"
                                                + " FROM described")
                                        .formatted(
                                                sql,
                                                shown(column, "min(" + sql + ")"),
                                                shown(column, "max(" + sql + ")")))
                        .get(0);
        List<String> examples =
                db
                        .rows(
                                ("SELECT CAST(%s AS VARCHAR) FROM described WHERE %s IS NOT NULL"
                                     + " GROUP BY %s ORDER BY count(*) DESC, %s LIMIT %d")
                                        .formatted(shown(column, sql), sql, sql, sql, EXAMPLES))
                        .stream()
                        .map(r -> shortened(r.get(0)))
                        .toList();
        return new ColumnSummary(
                column.name(),
                type(column.kind()),
                count - Long.parseLong(row.get(0)),
                Long.parseLong(row.get(1)),
                shortened(row.get(2)),
                shortened(row.get(3)),
                examples);
    }

    private static String shown(Column column, String sql) {
        return switch (column.kind()) {
            case DATE -> "CAST(make_timestamp(CAST(" + sql + " * 1000000 AS BIGINT)) AS DATE)";
            case TIMESTAMP -> "make_timestamp(CAST(" + sql + " * 1000000 AS BIGINT))";
            case NUMBER -> "printf('%.6g', " + sql + ")";
            default -> sql;
        };
    }

    private static String type(ColumnKind kind) {
        return kind == ColumnKind.TIMESTAMP ? "time" : kind.name().toLowerCase(Locale.ROOT);
    }

    private static String shortened(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return "";
        }
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }
}
