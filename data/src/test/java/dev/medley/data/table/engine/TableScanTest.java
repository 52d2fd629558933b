package dev.medley.data.table.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values come from the column that they are of, however many are asked for at once. */
@Tag("unit")
class TableScanTest {
    @TempDir Path folder;

    @Test
    void eachKindShouldComeInItsOrderWithWhatIsMissing() throws Exception {
        List<String> rows = new ArrayList<>();
        try (DuckDb db = DuckDb.forFiles(List.of(), folder)) {
            db.execute(
                    "CREATE TABLE t AS SELECT i, CASE WHEN i <> 1 THEN 'v' || i END AS w"
                            + " FROM range(3000) r(i)");
            TableScan.run(
                    db,
                    "t",
                    List.of("i::DOUBLE", "CASE WHEN i <> 1 THEN i + 0.5 END::DOUBLE"),
                    List.of("(i + 10)::INTEGER", "(i + 20)::INTEGER"),
                    List.of("'a' || i", "'b' || i", "w"),
                    chunk -> {
                        for (int i = 0; i < chunk.rows; i++) {
                            rows.add(
                                    "%s %s %d %d %s %s %s"
                                            .formatted(
                                                    chunk.numbers[0][i],
                                                    chunk.numbers[1][i],
                                                    chunk.codes[0][i],
                                                    chunk.codes[1][i],
                                                    chunk.texts[0][i],
                                                    chunk.texts[1][i],
                                                    chunk.texts[2][i]));
                        }
                    });
        }
        assertThat(rows)
                .hasSize(3000)
                .startsWith("0.0 0.5 10 20 a0 b0 v0", "1.0 NaN 11 21 a1 b1 null")
                .endsWith("2999.0 2999.5 3009 3019 a2999 b2999 v2999");
    }

    /** So many aggregates as go into one query, one more, and so many columns as are turned. */
    @Test
    void aggregatesShouldBeThoseOfTheirColumn() throws Exception {
        try (DuckDb db = DuckDb.forFiles(List.of(), folder)) {
            db.execute("CREATE TABLE t AS SELECT i FROM range(5) r(i)");
            ColumnQuery query = new ColumnQuery(db, "t");
            for (int columns : new int[] {1, 49, 50, 51, 60}) {
                List<Integer> asked = IntStream.range(0, columns).boxed().toList();
                List<long[]> found =
                        query.counts(
                                asked,
                                c -> c == 7 ? "NULL::BIGINT" : "i + " + c,
                                v ->
                                        List.of(
                                                "count(" + v + ")",
                                                "coalesce(min(" + v + "), -1)",
                                                "coalesce(max(" + v + "), -1)",
                                                "coalesce(sum(" + v + "), -1)::BIGINT"));
                assertThat(found).hasSize(columns);
                for (int c : asked) {
                    assertThat(found.get(c))
                            .containsExactly(
                                    c == 7
                                            ? new long[] {0, -1, -1, -1}
                                            : new long[] {5, c, c + 4, 5L * c + 10});
                }
            }
        }
    }
}
