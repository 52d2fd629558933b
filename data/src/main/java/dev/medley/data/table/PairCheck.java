package dev.medley.data.table;

import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.column.LibsvmFiles;
import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.term.PairTexts;

/** Checks rows of LIBSVM files: each has pairs of index and value, and no index twice. */
final class PairCheck {
    private PairCheck() {}

    static void require(DuckDb db, BadRowPolicy policy, StagedTable rows) {
        String text = rows.column(LibsvmFiles.PAIRS).orElseThrow().text();
        policy.check(
                db,
                rows,
                "starts_with(%s, 'qid:')".formatted(text),
                "regexp_extract(%s, '^[^ \\t]+')".formatted(text),
                "\"%s\" says with which rows this one is ranked, which is not read of LIBSVM files:"
                        + " make it a column of a table, and name that in data.group");
        policy.check(
                db,
                rows,
                "NOT regexp_full_match(%s, '%s')".formatted(text, PairTexts.ALL),
                ("list_filter(string_split_regex(%s, '[ \\t]+'),"
                                + " lambda pair: NOT regexp_full_match(pair, '%s'))[1]")
                        .formatted(text, PairTexts.ONE),
                "\"%s\" is no index and value, as 3:0.5");
        String tooLarge =
                ("list_filter(regexp_extract_all(%s, ':([^ \\t]+)', 1), lambda one:"
                                + " NOT coalesce(isfinite(TRY_CAST(one AS FLOAT)), false))")
                        .formatted(text);
        policy.check(
                db,
                rows,
                "len(%s) > 0".formatted(tooLarge),
                tooLarge + "[1]",
                "the value %s is beyond what a number in single precision holds");
        String indices = "regexp_extract_all(%s, '([0-9]+):', 1)".formatted(text);
        policy.check(
                db,
                rows,
                "len(list_distinct(%1$s)) < len(%1$s)".formatted(indices),
                "list_filter(%1$s, lambda one, place: list_position(%1$s, one) < place)[1]"
                        .formatted(indices),
                "index %s stands there twice");
    }
}
