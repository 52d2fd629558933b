package dev.medley.store.dataset;

import dev.medley.base.job.DataFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What lies in a file, for someone who is about to write a job.
 *
 * @param file that was looked at
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
     * @param different about how many values differ
     * @param least the smallest value, as text
     * @param most the largest value, as text
     * @param examples the most frequent values
     */
    public record Column(
            String name,
            String type,
            long missing,
            long different,
            String least,
            String most,
            List<String> examples) {
        public Column {
            examples = List.copyOf(examples);
        }
    }

    private String what() {
        return switch (format) {
            case CSV, PARQUET, JSONL -> "rows";
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
            rows.add(List.of("column", "type", "missing", "different", "least", "most", "often"));
            for (Column column : columns) {
                rows.add(
                        List.of(
                                column.name(),
                                column.type(),
                                String.format(Locale.ROOT, "%,d", column.missing()),
                                String.format(Locale.ROOT, "%,d", column.different()),
                                column.least(),
                                column.most(),
                                String.join(", ", column.examples())));
            }
            appendAligned(rows, text);
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
