package dev.medley.data.dataset;

import dev.medley.base.job.DataFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A summary of what lies in a file or folder, for someone who is about to write a job.
 *
 * @param file that was examined
 * @param format of the file
 * @param samples rows, images, or tokens
 * @param columns of a table; empty otherwise
 * @param findings what else was found
 * @param suggestions what to put in the job
 */
public record Description(
        String file,
        DataFormat format,
        long samples,
        List<Column> columns,
        List<String> findings,
        List<String> suggestions) {
    private static final int MOST_SHOWN = 3;
    private static final List<String> HEAD =
            List.of(
                    "column",
                    "type",
                    "missing",
                    "different",
                    "least",
                    "quartiles",
                    "most",
                    "mean",
                    "deviation",
                    "often");

    public Description {
        columns = List.copyOf(columns);
        findings = List.copyOf(findings);
        suggestions = List.copyOf(suggestions);
    }

    /**
     * One column of a table.
     *
     * @param name in the file
     * @param type number, boolean, date, time, or text
     * @param missing rows without a value
     * @param different how many values differ
     * @param isEstimate whether that, and the quartiles, are estimates
     * @param least the smallest value, as text
     * @param most the largest value, as text
     * @param mean of numbers; null for others
     * @param deviation of numbers; null for others
     * @param quartiles of numbers: the lower one, the median, the upper one; empty for others
     * @param frequent the most frequent values; all where there are few
     */
    public record Column(
            String name,
            String type,
            long missing,
            long different,
            boolean isEstimate,
            String least,
            String most,
            @Nullable Double mean,
            @Nullable Double deviation,
            List<Double> quartiles,
            List<Frequent> frequent) {
        public Column {
            quartiles = List.copyOf(quartiles);
            frequent = List.copyOf(frequent);
        }

        private String estimated(String figure) {
            return isEstimate ? "~" + figure : figure;
        }

        private List<String> row(long rows) {
            return List.of(
                    name,
                    type,
                    String.format(Locale.ROOT, "%,d", missing),
                    estimated(String.format(Locale.ROOT, "%,d", different)),
                    least,
                    quartiles.isEmpty()
                            ? ""
                            : estimated(
                                    String.join(
                                            " ",
                                            quartiles.stream().map(Description::short6).toList())),
                    most,
                    mean == null ? "" : short6(mean),
                    deviation == null ? "" : short6(deviation),
                    frequent.stream()
                            .limit(MOST_SHOWN)
                            .map(value -> value.toText(rows - missing))
                            .collect(Collectors.joining(", ")));
        }
    }

    /** A value and the rows that have it. */
    public record Frequent(String value, long rows) {
        private String toText(long of) {
            return String.format(Locale.ROOT, "%s (%.3g %%)", value, 100.0 * rows / of);
        }
    }

    private static String short6(double number) {
        return String.format(Locale.ROOT, "%.4g", number)
                .replaceFirst("(\\.\\d*?)0+$", "$1")
                .replaceFirst("\\.$", "");
    }

    private String what() {
        return switch (format) {
            case CSV, PARQUET, JSONL, LIBSVM -> "rows";
            case IDX, IMAGES -> "images";
            case TEXT -> "bytes";
            default -> "samples";
        };
    }

    /** The description as a table of text. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%s: %s, %,d %s%n",
                        file,
                        format.name().toLowerCase(Locale.ROOT),
                        samples,
                        what()));
        if (!columns.isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(HEAD);
            for (Column column : columns) {
                rows.add(column.row(samples));
            }
            appendAligned(rows, text);
            if (columns.stream().anyMatch(Column::isEstimate)) {
                text.append("~ is an estimate").append(System.lineSeparator());
            }
        }
        findings.forEach(line -> text.append(line).append(System.lineSeparator()));
        suggestions.forEach(
                line -> text.append("suggestion: ").append(line).append(System.lineSeparator()));
        return text.toString();
    }

    private static void appendAligned(List<List<String>> rows, StringBuilder text) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
    }
}
