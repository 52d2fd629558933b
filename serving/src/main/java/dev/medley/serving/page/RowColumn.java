package dev.medley.serving.page;

import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.TableEncoding;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;

/**
 * A column of rows as a caller writes it.
 *
 * @param type of its values in JSON schema: number, string or boolean
 * @param about what it holds
 * @param example a plausible value
 * @param values the first of those that training had, where they are told apart
 */
record RowColumn(String name, String type, String about, Object example, List<String> values) {
    private static final int MOST_VALUES = 100;
    private static final long DAY_S = 86_400;

    RowColumn {
        values = List.copyOf(values);
    }

    /** Columns of a model's rows; none of a model that reads no single rows. */
    static List<RowColumn> of(Encoding encoding) {
        if (encoding instanceof LabelledTextEncoding texts) {
            return List.of(new RowColumn(texts.column(), "string", "a text", "a text", List.of()));
        }
        List<RowColumn> all = new ArrayList<>();
        if (encoding instanceof TableEncoding table) {
            table.columns().forEach(column -> all.add(of(column)));
        }
        return all;
    }

    private static RowColumn of(ColumnEncoding column) {
        if (column instanceof Numeric numeric) {
            double centre = numeric.centre();
            return switch (numeric.source()) {
                case NUMBER, THOUSANDS ->
                        new RowColumn(
                                numeric.name(),
                                "number",
                                "a number; null where missing",
                                plain(centre, numeric.scale()),
                                List.of());
                case TIME ->
                        new RowColumn(
                                numeric.name(),
                                "string",
                                "a time of day; null where missing",
                                LocalTime.ofSecondOfDay(
                                                Math.floorMod((long) centre, DAY_S) / 60 * 60)
                                        .toString(),
                                List.of());
                case BOOLEAN ->
                        new RowColumn(
                                numeric.name(),
                                "boolean",
                                "true or false; null where missing",
                                centre >= 0.5,
                                List.of());
            };
        }
        if (column instanceof Moment moment) {
            String day = LocalDate.ofEpochDay((long) moment.centre()).toString();
            return new RowColumn(
                    moment.name(),
                    "string",
                    "a date; null where missing",
                    moment.timeOfDay() ? day + " 12:00:00" : day,
                    List.of());
        }
        if (column instanceof Category category) {
            List<String> values = category.values();
            return new RowColumn(
                    category.name(),
                    "string",
                    "one of %d values; null where missing".formatted(values.size()),
                    values.isEmpty() ? "" : values.get(values.size() / 2),
                    values.subList(0, Math.min(MOST_VALUES, values.size())));
        }
        return ofTerms((SparseColumn) column);
    }

    private static RowColumn ofTerms(SparseColumn column) {
        String about = "a text; null where missing";
        if (column instanceof SparseColumn.Words words && !words.vocabulary().isEmpty()) {
            List<String> some =
                    words.vocabulary().subList(0, Math.min(3, words.vocabulary().size()));
            return new RowColumn(column.name(), "string", about, String.join(" ", some), List.of());
        }
        boolean arePairs = column instanceof SparseColumn.Pairs;
        return new RowColumn(
                column.name(),
                "string",
                arePairs ? "pairs of index and value, as 1:0.5 3:1" : about,
                arePairs ? "1:1" : "a text",
                List.of());
    }

    /** With as many digits as say something beside how far the values spread. */
    static double plain(double centre, double spread) {
        if (!Double.isFinite(centre) || centre == 0) {
            return 0;
        }
        double size = Math.log10(Math.abs(centre) / Math.max(Math.abs(spread), 1e-12));
        int digits = (int) Math.min(12, Math.max(2, 2 + Math.ceil(size)));
        return new BigDecimal(centre).round(new MathContext(digits)).doubleValue();
    }
}
