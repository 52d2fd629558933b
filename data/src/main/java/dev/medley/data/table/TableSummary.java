package dev.medley.data.table;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.time.Clock;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.ColumnForms;
import dev.medley.data.table.column.ColumnKind;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.column.TableFiles;
import dev.medley.data.table.column.TableStaging;
import dev.medley.data.table.column.TypedTable;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.Suspicion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the columns of a table.
 *
 * @param rows that can be read
 * @param badRows that cannot
 * @param firstBad where the first of those is, and why; empty if there are none
 * @param columns in file order
 * @param findings what the user should know of how it was read
 */
public record TableSummary(
        long rows,
        long badRows,
        String firstBad,
        List<ColumnSummary> columns,
        List<String> findings) {
    private static final int EXAMPLES = 3;
    private static final int LONGEST = 24;

    /** Columns that may be classes have all their values shown. */
    private static final int FEW_CLASSES = 20;

    /** Columns whose frequent values are counted: each is a query. */
    private static final int COUNTED_COLUMNS = 100;

    /** Above, distinct values and quantiles are estimated. */
    private static final long EXACT_ROWS = 200_000;

    public TableSummary {
        columns = List.copyOf(columns);
        findings = List.copyOf(findings);
    }

    /**
     * A column.
     *
     * @param name in the file
     * @param type in words
     * @param missing rows without a value
     * @param different how many values differ
     * @param isEstimate whether that, and the quartiles, are estimates
     * @param isIdentifier whether it seems to name the rows
     * @param least smallest value, as text; empty if there is none
     * @param most largest value, as text
     * @param numbers of a column of numbers; null for others
     * @param frequent the most frequent values with their rows; all of few; empty where they were
     *     not counted
     */
    public record ColumnSummary(
            String name,
            String type,
            long missing,
            long different,
            boolean isEstimate,
            boolean isIdentifier,
            String least,
            String most,
            @Nullable Numbers numbers,
            List<Frequent> frequent) {
        public ColumnSummary {
            frequent = List.copyOf(frequent);
        }
    }

    /**
     * Of the values of a column.
     *
     * @param mean of them
     * @param deviation over them, not an estimate of a population
     * @param quartiles the lower one, the median, the upper one
     */
    public record Numbers(double mean, double deviation, List<Double> quartiles) {
        public Numbers {
            quartiles = List.copyOf(quartiles);
        }
    }

    /** A value and the rows that have it. */
    public record Frequent(String value, long rows) {}

    /** The type of columns that hold lists, structures or bytes. */
    public static final String UNUSABLE = "unusable";

    /** Reads the whole file; rows that cannot be read are counted. */
    public static TableSummary of(Path file, DataFormat format, TableSpec spec) throws IOException {
        Path scratch = Files.createTempDirectory("medley-describe");
        BadRowPolicy policy = new BadRowPolicy(BadRows.SKIP);
        try (DuckDb db = DuckDb.forFiles(List.of(file), scratch)) {
            TableFiles files = new TableFiles(db, format, spec.skippingBadRows(), null);
            TableStaging staging = new TableStaging(files, db, policy, PreparationProgress.NONE);
            StagedTable found = staging.find("described_texts", List.of(file), Set.of());
            ColumnForms forms = new ColumnForms(db, files, Clock.system());
            ColumnForms.Wishes wishes =
                    new ColumnForms.Wishes(
                            new HashSet<>(spec.categorical()),
                            new HashSet<>(spec.numeric()),
                            "",
                            Task.FOUND);
            StagedTable formed = forms.found(found, wishes);
            StagedTable rows =
                    new TypedTable(db, policy, files.decimal())
                            .of(
                                    "described",
                                    formed,
                                    perhapsClasses(db, formed),
                                    Set.of(),
                                    wishes::remedy);
            List<Suspicion> suspicions =
                    Suspicion.of(
                            db,
                            rows,
                            rows.columns(),
                            db.longs("SELECT count(*) FROM described")[0]);
            List<ColumnSummary> columns = new ArrayList<>(summaries(db, rows, suspicions));
            staging.unusable().forEach(name -> columns.add(unusable(name)));
            List<String> findings = new ArrayList<>(files.notes());
            findings.addAll(forms.sentences());
            findings.addAll(forms.warnings());
            findings.addAll(Suspicion.misleading(db, rows, suspicions, forms.codes()));
            return new TableSummary(
                    db.longs("SELECT count(*) FROM described")[0],
                    policy.skipped(),
                    policy.firstSkipped(),
                    columns,
                    findings);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            Files.deleteIfExists(scratch);
        }
    }

    private static ColumnSummary unusable(String name) {
        return new ColumnSummary(name, UNUSABLE, 0, 0, false, false, "", "", null, List.of());
    }

    private static List<ColumnSummary> summaries(
            DuckDb db, StagedTable table, List<Suspicion> suspicions) throws SQLException {
        long rows = suspicions.isEmpty() ? 0 : suspicions.get(0).rows();
        List<List<String>> found =
                new ColumnQuery(db, table.name())
                        .values(
                                suspicions,
                                s -> new Shown(s.column().kind(), isExact(s.distinct(), rows)),
                                s -> s.column().sql(),
                                (shown, value) -> aggregates(shown, value, rows));
        List<ColumnSummary> all = new ArrayList<>();
        for (int i = 0; i < suspicions.size(); i++) {
            Suspicion s = suspicions.get(i);
            List<String> values = found.get(i);
            boolean isExact = isExact(s.distinct(), rows);
            long different = isExact ? Long.parseLong(values.get(2)) : s.distinct();
            boolean isLast = i == suspicions.size() - 1;
            all.add(
                    new ColumnSummary(
                            s.column().name(),
                            type(s.column()),
                            rows - s.values(),
                            different,
                            !isExact || rows > EXACT_ROWS,
                            s.isTextIdentifier() || s.isNumberIdentifier() || s.isIndex(),
                            shortened(values.get(0)),
                            shortened(values.get(1)),
                            numbers(s, values),
                            i < COUNTED_COLUMNS || isLast
                                    ? frequent(db, table, s.column(), different)
                                    : List.of()));
        }
        return all;
    }

    /** Of the last columns those with so few values that they may be classes. */
    private static Set<String> perhapsClasses(DuckDb db, StagedTable table) throws SQLException {
        List<Column> all = table.columns();
        List<Column> last = all.subList(Math.max(0, all.size() - COUNTED_COLUMNS), all.size());
        List<String> counts =
                last.stream().map(c -> "approx_count_distinct(" + c.text() + ")").toList();
        long[] found = db.longs("SELECT " + String.join(", ", counts) + " FROM " + table.name());
        Set<String> few = new HashSet<>();
        for (int i = 0; i < found.length; i++) {
            if (found[i] <= 2 * FEW_CLASSES) {
                few.add(last.get(i).name());
            }
        }
        return few;
    }

    static boolean isExact(long distinct, long rows) {
        return rows <= EXACT_ROWS || distinct <= 10 * FEW_CLASSES;
    }

    /** What is asked of columns of a kind. */
    private record Shown(ColumnKind kind, boolean isExact) {}

    /** Of larger numbers the engine has no deviation. */
    private static final String LARGEST_SQUARED = "1e150";

    private static List<String> aggregates(Shown column, String value, long rows) {
        ColumnKind kind = column.kind();
        List<String> all = new ArrayList<>();
        all.add("CAST(" + shown(kind, "min(" + value + ")") + " AS VARCHAR)");
        all.add("CAST(" + shown(kind, "max(" + value + ")") + " AS VARCHAR)");
        all.add(column.isExact() ? "count(DISTINCT " + value + ")" : "0");
        if (kind == ColumnKind.NUMBER) {
            all.add("avg(" + value + ")");
            all.add(
                    ("CASE WHEN coalesce(max(abs(%1$s)), 0) > %2$s THEN 'nan'::DOUBLE ELSE"
                                    + " stddev_pop(CASE WHEN abs(%1$s) <= %2$s THEN %1$s END) END")
                            .formatted(value, LARGEST_SQUARED));
            String quantile = rows <= EXACT_ROWS ? "quantile_cont" : "approx_quantile";
            for (String share : List.of("0.25", "0.5", "0.75")) {
                all.add("%s(%s, %s)".formatted(quantile, value, share));
            }
        }
        return all;
    }

    private static @Nullable Numbers numbers(Suspicion s, List<String> values) {
        if (s.column().kind() != ColumnKind.NUMBER || s.values() == 0) {
            return null;
        }
        return new Numbers(
                Double.parseDouble(values.get(3)),
                Double.parseDouble(values.get(4)),
                values.subList(5, 8).stream().map(Double::parseDouble).toList());
    }

    /** The most frequent values; numbers that may be classes as they stand: 01 is not 1. */
    private static List<Frequent> frequent(
            DuckDb db, StagedTable table, Column column, long different) throws SQLException {
        boolean isFew = different <= FEW_CLASSES;
        boolean isAsItStands =
                column.kind() == ColumnKind.TEXT
                        || column.kind() == ColumnKind.NUMBER && column.isText() && isFew;
        String sql = isAsItStands ? column.text() : column.sql();
        return db
                .rows(
                        ("SELECT CAST(%s AS VARCHAR), count(*) FROM %s WHERE %s IS NOT NULL GROUP"
                                        + " BY %s, %s ORDER BY count(*) DESC, %s, %s LIMIT %d")
                                .formatted(
                                        isAsItStands ? sql : shown(column.kind(), sql),
                                        table.name(),
                                        column.sql(),
                                        column.sql(),
                                        sql,
                                        column.sql(),
                                        sql,
                                        isFew ? FEW_CLASSES : EXAMPLES))
                .stream()
                .map(r -> new Frequent(shortened(r.get(0)), Long.parseLong(r.get(1))))
                .toList();
    }

    private static String shown(ColumnKind kind, String sql) {
        return switch (kind) {
            case DATE -> "CAST(make_timestamp(CAST(" + sql + " * 1000000 AS BIGINT)) AS DATE)";
            case TIMESTAMP -> "make_timestamp(CAST(" + sql + " * 1000000 AS BIGINT))";
            case NUMBER -> "printf('%.6g', " + sql + ")";
            case BOOLEAN ->
                    "CASE WHEN %s = 1 THEN 'true' WHEN %s = 0 THEN 'false' END".formatted(sql, sql);
            default -> sql;
        };
    }

    private static String type(Column column) {
        ColumnKind kind = column.kind();
        return kind == ColumnKind.TIMESTAMP ? "time" : kind.name().toLowerCase(Locale.ROOT);
    }

    private static String shortened(@Nullable String text) {
        if (text == null) {
            return "";
        }
        String line = text.replaceAll("\\R", "\\\\n").replaceAll("\\p{Cntrl}", "?");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
    }
}
