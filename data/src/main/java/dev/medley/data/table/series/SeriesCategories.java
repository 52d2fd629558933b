package dev.medley.data.table.series;

import dev.medley.base.table.TermSpec;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.csv.DecimalMark;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.CategoryKey;
import dev.medley.data.table.fit.Dictionary;
import dev.medley.data.table.fit.FrequentValues;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The columns of a table over time that are categories: counts their values in training rows, and
 * gives a row's as numbers, of which the one of its value is 1 and the others are 0.
 *
 * <p>Thread: one.
 */
final class SeriesCategories {
    /** Values of a column that are told apart where the job does not say how many. */
    static final int MOST_VALUES = 100;

    private final List<String> names;
    private final List<Dictionary> dictionaries;
    private final List<long[]> counts;

    private SeriesCategories(List<String> names, List<Dictionary> dictionaries) {
        this.names = List.copyOf(names);
        this.dictionaries = List.copyOf(dictionaries);
        // Place 0 counts missing values, place code + 1 the values.
        counts = dictionaries.stream().map(d -> new long[d.values().size() + 1]).toList();
    }

    /** Columns of whose values nothing is known yet. */
    static SeriesCategories found(
            DuckDb db, String table, List<Column> columns, DecimalMark decimal) {
        List<Dictionary> dictionaries = new ArrayList<>();
        for (Column column : columns) {
            String type = "series_category_" + dictionaries.size();
            UnaryOperator<String> key = text -> CategoryKey.of(text, decimal);
            dictionaries.add(Dictionary.of(db, type, table, column.text(), key));
        }
        return new SeriesCategories(columns.stream().map(Column::name).toList(), dictionaries);
    }

    /** Columns of a trained model; {@code columns} are those of {@code fitted}, in its order. */
    static SeriesCategories known(
            DuckDb db,
            String table,
            List<Column> columns,
            List<Category> fitted,
            DecimalMark decimal) {
        List<Dictionary> dictionaries = new ArrayList<>();
        for (Category category : fitted) {
            Column column = columns.get(dictionaries.size());
            dictionaries.add(
                    Dictionary.of(
                            db,
                            "series_known_" + dictionaries.size(),
                            category.values(),
                            table,
                            column.text(),
                            List.of(text -> CategoryKey.of(text, decimal))));
        }
        return new SeriesCategories(fitted.stream().map(Category::name).toList(), dictionaries);
    }

    /** Names of the columns. */
    List<String> names() {
        return names;
    }

    /** The expression of a column's codes: of a value its place, below 0 for none. */
    String code(Column column) {
        return dictionaries.get(names.indexOf(column.name())).value(column.text());
    }

    /** Types of texts are forgotten, once codes stand in a table of their own. */
    void forget(DuckDb db) {
        dictionaries.forEach(dictionary -> dictionary.forget(db));
    }

    /**
     * Counts the values of a training row.
     *
     * @param codes of the chunk, the first of which are no categories
     * @param first of those that are
     */
    void count(int[][] codes, int first, int row) {
        for (int c = 0; c < names.size(); c++) {
            int code = codes[first + c][row];
            counts.get(c)[code >= 0 ? code + 1 : 0]++;
        }
    }

    /** The columns as they are encoded, from the rows that were counted. */
    List<Category> fit(TermSpec terms) {
        int most = terms.maxCategories() == 0 ? MOST_VALUES : terms.maxCategories();
        List<Category> fitted = new ArrayList<>();
        for (int c = 0; c < names.size(); c++) {
            long[] rows = counts.get(c);
            boolean[] isKept = FrequentValues.of(rows, 1, terms.minFrequency(), most);
            List<String> values = new ArrayList<>();
            long all = rows[0];
            long rare = 0;
            for (int code = 0; code + 1 < rows.length; code++) {
                all += rows[code + 1];
                if (isKept[code + 1] && rows[code + 1] > 0) {
                    values.add(dictionaries.get(c).values().get(code));
                } else {
                    rare += rows[code + 1];
                }
            }
            double share = all == 0 ? 0 : (double) rare / all;
            fitted.add(new Category(names.get(c), values, rows[0] > 0, false, share));
        }
        return fitted;
    }

    /** How many different texts of columns are told apart, where they are not all. */
    List<String> sentences(List<Category> fitted) {
        List<String> sentences = new ArrayList<>();
        for (int c = 0; c < names.size(); c++) {
            Category category = fitted.get(c);
            if (category.rare() > 0) {
                sentences.add(
                        ("column '%s': its %d most frequent values are told apart, of %d; set"
                                        + " data.table.max_categories or min_frequency for others")
                                .formatted(
                                        category.name(),
                                        category.values().size(),
                                        dictionaries.get(c).values().size()));
            }
        }
        return sentences;
    }

    /** Puts codes as numbers. */
    OneHot oneHot(List<Category> fitted) {
        List<int[]> places = new ArrayList<>();
        for (int c = 0; c < names.size(); c++) {
            Category category = fitted.get(c);
            List<String> values = dictionaries.get(c).values();
            int[] of = new int[values.size()];
            for (int v = 0; v < of.length; v++) {
                int place = category.values().indexOf(values.get(v));
                of[v] = place >= 0 ? place : category.unknownCode();
            }
            places.add(of);
        }
        return new OneHot(fitted, places);
    }

    /**
     * Codes of a table as numbers.
     *
     * @param fitted the columns
     * @param places of the table's values among those of each column
     */
    record OneHot(List<Category> fitted, List<int[]> places) {
        OneHot {
            fitted = List.copyOf(fitted);
            places = List.copyOf(places);
        }

        /**
         * Puts a row's numbers; gives the place behind them.
         *
         * @param codes of the chunk, the first of which are no categories
         * @param first of those that are
         */
        int put(int[][] codes, int first, int row, float[] into, int at) {
            int next = at;
            for (int c = 0; c < fitted.size(); c++) {
                Category category = fitted.get(c);
                int code = codes[first + c][row];
                int place =
                        code == Dictionary.MISSING
                                ? category.missingCode()
                                : code < 0 ? category.unknownCode() : places.get(c)[code];
                for (int k = 0; k < category.knownCodes(); k++) {
                    into[next++] = k == place ? 1 : 0;
                }
            }
            return next;
        }
    }
}
