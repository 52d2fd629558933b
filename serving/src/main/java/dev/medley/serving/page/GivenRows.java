package dev.medley.serving.page;

import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes plausible rows of CSV for models that read many rows together. */
final class GivenRows {
    private static final int MOST_ROWS = 400;
    private static final double SOME_DAY_S = 20_454 * 86_400.0;
    private static final int SEQUENCE_ROWS = 3;

    private GivenRows() {}

    /** Rows of one series or sequence; empty where they would be very many, or it reads none. */
    static String csv(Encoding encoding) {
        if (encoding instanceof SeriesEncoding series) {
            boolean areFew = series.lookBack() + series.horizon() <= MOST_ROWS;
            return areFew ? of(series) : "";
        }
        return encoding instanceof SequenceEncoding sequences ? of(sequences) : "";
    }

    /** Names of the columns, in order. */
    static List<String> columns(Encoding encoding) {
        List<String> names = new ArrayList<>();
        if (encoding instanceof SeriesEncoding series) {
            names.add(series.time());
            names.addAll(series.by());
            names.addAll(series.targets());
            names.addAll(series.aheadColumns());
        } else if (encoding instanceof SequenceEncoding sequences) {
            names.add(sequences.time());
            names.addAll(sequences.by());
            names.addAll(sequences.seen());
        }
        return names;
    }

    private static String of(SeriesEncoding series) {
        StringBuilder text = new StringBuilder(line(columns(series)));
        SeriesEncoding.Scales scales = series.scales().get(0);
        Cadence cadence = series.cadence();
        double first = cadence.unit() == Cadence.Unit.NUMBER ? 0 : SOME_DAY_S;
        int ahead = series.ahead().isEmpty() ? 0 : series.horizon();
        for (int row = 0; row < series.lookBack() + ahead; row++) {
            List<String> cells = new ArrayList<>();
            cells.add(cadence.text(cadence.after(first, row)));
            for (int i = 0; i < series.by().size(); i++) {
                cells.add(scales.series().isEmpty() ? "a" : scales.series().get(i));
            }
            int numbers = series.columns() - categoryFeatures(series.ofCategories());
            for (int c = 0; c < numbers; c++) {
                boolean isToCome = c < series.channels() && row >= series.lookBack();
                Scaling scaling = scales.targets().get(c);
                double number = scaling.centre() + scaling.scale() * Math.sin(row / 3.0);
                cells.add(isToCome ? "" : number(number));
            }
            series.ofCategories().forEach(category -> cells.add(value(category)));
            text.append(line(cells));
        }
        return text.toString();
    }

    private static String of(SequenceEncoding sequences) {
        StringBuilder text = new StringBuilder(line(columns(sequences)));
        for (int row = 0; row < Math.min(SEQUENCE_ROWS, sequences.rows()); row++) {
            List<String> cells = new ArrayList<>();
            cells.add("" + row);
            sequences.by().forEach(name -> cells.add("a"));
            for (Scaling scaling : sequences.scales()) {
                cells.add(number(scaling.centre() + scaling.scale() * Math.sin(row)));
            }
            sequences.ofCategories().forEach(category -> cells.add(value(category)));
            text.append(line(cells));
        }
        return text.toString();
    }

    private static int categoryFeatures(List<Category> categories) {
        return categories.stream().mapToInt(Category::knownCodes).sum();
    }

    private static String value(Category category) {
        return category.values().isEmpty() ? "" : category.values().get(0);
    }

    private static String number(double number) {
        return String.format(Locale.ROOT, "%.6g", number);
    }

    private static String line(List<String> cells) {
        List<String> quoted = new ArrayList<>();
        for (String cell : cells) {
            boolean isPlain = cell.chars().noneMatch(c -> c == '"' || c == ',' || c < ' ');
            quoted.add(isPlain ? cell : "\"" + cell.replace("\"", "\"\"") + "\"");
        }
        return String.join(",", quoted) + "\n";
    }
}
