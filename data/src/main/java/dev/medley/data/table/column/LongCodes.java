package dev.medley.data.table.column;

import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds columns of whole numbers with so many digits that they may be codes, by how they are
 * written: 6e23 is a quantity, and 600000000000000000000000 names something.
 */
final class LongCodes {
    /** Shorter ones are all told apart. */
    static final int FEWEST_DIGITS = 16;

    private static final String TYPES = "U?HUGEINT|UBIGINT|DECIMAL\\((19|[23][0-9]),0\\)";

    private LongCodes() {}

    /** Names of columns of numbers, some of which are so long and not all the same. */
    static Set<String> of(DuckDb db, StagedTable table, TableFiles files, List<Column> numbers) {
        Set<String> names = new HashSet<>();
        List<long[]> found =
                new ColumnQuery(db, table.name()).counts(numbers, Column::text, LongCodes::counts);
        for (int i = 0; i < numbers.size(); i++) {
            if (found.get(i)[0] > 0) {
                names.add(numbers.get(i).name());
            }
        }
        table.parts()
                .forEach(
                        part ->
                                files.columns(part.file()).stream()
                                        .filter(column -> column.type().matches(TYPES))
                                        .forEach(column -> names.add(column.name())));
        return names;
    }

    /** Whether several such texts differ; the cheap conditions spare the pattern for most. */
    private static List<String> counts(String text) {
        String code =
                ("CASE WHEN strlen(%1$s) >= %2$d AND NOT contains(%1$s, '.')"
                                + " AND regexp_full_match(%1$s, '[-+]?[0-9]{%2$d,}') THEN %1$s END")
                        .formatted(text, FEWEST_DIGITS);
        return List.of("coalesce(CAST(min(%1$s) <> max(%1$s) AS INTEGER), 0)".formatted(code));
    }
}
