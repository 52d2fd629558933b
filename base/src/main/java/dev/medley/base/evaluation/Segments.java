package dev.medley.base.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Describes clusters by what their training rows are like, in the units of the files.
 *
 * @param shares of the training rows, cluster by cluster; empty where training ended before rows
 *     were counted
 * @param lines what is told of each
 */
public record Segments(List<Double> shares, List<Line> lines) implements EvaluationSection {
    /** Those of a fit that ended before its first rows were counted. */
    public static final Segments UNKNOWN = new Segments(List.of(), List.of());

    public Segments {
        shares = List.copyOf(shares);
        lines = List.copyOf(lines);
    }

    /**
     * One figure of all clusters.
     *
     * @param column of the files
     * @param of the figure: {@code mean}, {@code missing}, or a value, of which it is the share of
     *     rows
     * @param values cluster by cluster
     * @param all of all rows
     */
    public record Line(String column, String of, List<Double> values, double all) {
        public Line {
            values = List.copyOf(values);
        }

        /** Whether it is a share of rows. */
        public boolean isShare() {
            return !of.equals(MEAN);
        }
    }

    /** What the mean of a number is called. */
    public static final String MEAN = "mean";

    @Override
    public String title() {
        return "Segments";
    }

    @Override
    public List<String> sentences() {
        return List.of(
                shares.isEmpty()
                        ? "Training ended before the rows of each cluster were counted: train"
                                + " longer."
                        : "What the training rows of each cluster are like, and all of them.");
    }

    @Override
    public List<ReportTable> tables() {
        if (shares.isEmpty()) {
            return List.of();
        }
        List<String> heads = new ArrayList<>(List.of("column", "figure"));
        List<String> first = new ArrayList<>(List.of("(rows)", "share"));
        for (int c = 0; c < shares.size(); c++) {
            heads.add("cluster " + c);
            first.add(text(shares.get(c), true));
        }
        heads.add("all");
        first.add(text(1, true));
        List<List<String>> rows = new ArrayList<>(List.of(first));
        for (Line line : lines) {
            List<String> row = new ArrayList<>(List.of(line.column(), line.of()));
            line.values().forEach(value -> row.add(text(value, line.isShare())));
            row.add(text(line.all(), line.isShare()));
            rows.add(row);
        }
        return List.of(ReportTable.plain("Segments", heads, rows));
    }

    private static String text(double value, boolean isShare) {
        return isShare
                ? String.format(Locale.ROOT, "%.0f %%", 100 * value)
                : String.format(Locale.ROOT, "%.4g", value);
    }

    /** As a CSV file with a line of names. */
    public String csv() {
        if (shares.isEmpty()) {
            return "column,figure\n";
        }
        StringBuilder text = new StringBuilder("column,figure");
        for (int c = 0; c < shares.size(); c++) {
            text.append(",cluster ").append(c);
        }
        text.append(",all\n(rows),share");
        shares.forEach(share -> text.append(number(share)));
        text.append(",1\n");
        for (Line line : lines) {
            text.append(quoted(line.column())).append(',').append(quoted(line.of()));
            line.values().forEach(value -> text.append(number(value)));
            text.append(number(line.all())).append('\n');
        }
        return text.toString();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, ",%.6g", value);
    }

    private static String quoted(String text) {
        boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n');
        return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
