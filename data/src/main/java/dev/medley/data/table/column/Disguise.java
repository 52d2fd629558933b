package dev.medley.data.table.column;

import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.ColumnQuery;
import dev.medley.data.table.engine.DuckDb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A column of texts that seem to be meant as numbers or dates. The user is told, so that nobody
 * misses that they are read as texts.
 *
 * @param column of texts
 * @param values that it has
 * @param numbers among them
 * @param dates among them, of digits
 * @param dressed numbers among them with signs about them
 * @param grouped numbers among them with commas between thousands
 * @param isLabel whether it is to be predicted
 */
record Disguise(
        Column column,
        long values,
        long numbers,
        long dates,
        long dressed,
        long grouped,
        boolean isLabel) {
    private static final double MOST = 0.8;
    private static final int FEW_ROWS = 1000;

    /** A sentence for each column that seems to be meant otherwise. */
    static List<String> sentences(
            DuckDb db, StagedTable table, DecimalMark decimal, List<Disguise> texts) {
        List<Boolean> months = haveMonthNames(db, table, texts);
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            String sentence = texts.get(i).sentence(db, table, decimal, months.get(i));
            if (!sentence.isEmpty()) {
                sentences.add(sentence);
            }
        }
        return sentences;
    }

    /** Whether most texts are dates with names of months; so many rows say it for a sentence. */
    private static List<Boolean> haveMonthNames(
            DuckDb db, StagedTable table, List<Disguise> texts) {
        String few = "(SELECT * FROM %s LIMIT %d)".formatted(table.name(), FEW_ROWS);
        return new ColumnQuery(db, few)
                        .counts(
                                texts,
                                found -> found.column().text(),
                                text ->
                                        List.of(
                                                "count(" + text + ")",
                                                "count(*) FILTER ("
                                                        + DateForms.hasMonthName(text)
                                                        + ")"))
                        .stream()
                        .map(n -> n[1] > MOST * n[0])
                        .toList();
    }

    private String sentence(
            DuckDb db, StagedTable table, DecimalMark decimal, boolean hasMonthNames) {
        String text = column.text();
        if (hasMonthNames) {
            return taken()
                    + "its dates have names of months, as \"%s\"; write them as 2021-01-31 to have them"
                            .formatted(example(db, table, DateForms.hasMonthName(text)))
                    + " read as dates";
        } else if (dressed > 0 && dressed + grouped + numbers > MOST * values) {
            return taken()
                    + "its numbers have signs about them, as %s; write the numbers alone to have them"
                            .formatted(example(db, table, DecimalMark.isDressed(text)))
                    + " read as such";
        } else if (2 * dates >= values && dates > 0) {
            return taken()
                    + String.format(
                            Locale.ROOT,
                            "%,d of its %,d values look like dates, the others do not; if such mean"
                                    + " no value, name them in data.table.missing",
                            dates,
                            values);
        } else if (2 * numbers >= values && !isLabel) {
            // NaN and infinities are numbers to the engine, and none to a model.
            String isText =
                    "%1$s IS NOT NULL AND NOT coalesce(isfinite(%2$s), false)"
                            .formatted(text, decimal.number(text));
            return taken()
                    + String.format(
                            Locale.ROOT,
                            "%,d of its %,d values are numbers, others are as \"%s\"; if such mean"
                                    + " no value, name them in data.table.missing",
                            numbers,
                            values,
                            example(db, table, isText));
        }
        return "";
    }

    private String taken() {
        return "column '" + column.name() + "' is taken for text: ";
    }

    private String example(DuckDb db, StagedTable table, String condition) {
        return BadRowPolicy.firstValue(db, table, condition, column.text());
    }
}
