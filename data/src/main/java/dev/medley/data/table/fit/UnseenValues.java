package dev.medley.data.table.fit;

import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.table.engine.TableScan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counts values that training has not seen: unknown categories, and missing values in columns that
 * missed none. A column with mostly such values in a file says little, and the user is told.
 */
public final class UnseenValues {
    private static final double MOST = 0.5;
    private static final double SOME = 0.01;
    private static final long FEW_ROWS = 10;

    /** A file and how many rows of it are scanned. */
    public record FileRows(Path file, long rows) {}

    private final RowSource source;
    private final Map<String, Boolean> missesSome = new HashMap<>();

    /** Share of each column's values that training had among the rare ones. */
    private final Map<String, Double> rare = new HashMap<>();

    private final List<FileRows> files;
    private final long[][] unknown;
    private final long[][] missing;
    private final long[][] missingNumbers;
    private int at;
    private long inFile;

    /** Of rows that {@code source} scans for {@code encoding}, those of each file in one piece. */
    public UnseenValues(TableEncoding encoding, RowSource source, List<FileRows> files) {
        this.source = source;
        this.files = List.copyOf(files);
        unknown = new long[files.size()][source.coded().size()];
        missing = new long[files.size()][source.coded().size()];
        missingNumbers = new long[files.size()][source.dense().size()];
        for (ColumnEncoding column : encoding.columns()) {
            if (column instanceof Category category) {
                rare.put(category.name(), category.rare());
                missesSome.put(category.name(), category.missing());
            } else if (column instanceof Numeric numeric) {
                missesSome.put(numeric.name(), numeric.missingIndicator());
            } else if (column instanceof Moment moment) {
                missesSome.put(moment.name(), moment.missingIndicator());
            }
        }
    }

    /** Counts a chunk. */
    public void add(TableScan.Chunk chunk) {
        for (int from = 0; from < chunk.rows; ) {
            while (inFile == files.get(at).rows() && at + 1 < files.size()) {
                at++;
                inFile = 0;
            }
            int to =
                    at + 1 == files.size()
                            ? chunk.rows
                            : (int) Math.min(chunk.rows, from + files.get(at).rows() - inFile);
            add(chunk, from, to);
            inFile += to - from;
            from = to;
        }
    }

    private void add(TableScan.Chunk chunk, int from, int to) {
        for (int i = 0; i < unknown[at].length; i++) {
            for (int row = from; row < to; row++) {
                unknown[at][i] += chunk.codes[i][row] == Dictionary.UNKNOWN ? 1 : 0;
                missing[at][i] += chunk.codes[i][row] == Dictionary.MISSING ? 1 : 0;
            }
        }
        for (int i = 0; i < missingNumbers[at].length; i++) {
            for (int row = from; row < to; row++) {
                missingNumbers[at][i] += Double.isNaN(chunk.numbers[i][row]) ? 1 : 0;
            }
        }
    }

    /** A sentence for each column most of whose values are unknown in a file. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < source.coded().size(); i++) {
            String name = source.coded().get(i).column().name();
            List<Integer> in = mostlyUnknown(i);
            if (!in.isEmpty()) {
                int file = in.get(0);
                warnings.add(
                        said(
                                "%s: column '%s': %,d of %,d values are unknown to the model, which"
                                        + " training has not seen; are they written otherwise?%s",
                                files.get(file).file(),
                                name,
                                unknown[file][i],
                                values(file, i),
                                others(in)));
            }
            missed(warnings, name, missing, i);
        }
        for (int i = 0; i < source.dense().size(); i++) {
            missed(warnings, source.dense().get(i).name(), missingNumbers, i);
        }
        return warnings;
    }

    /** What the user should know of columns some of whose values are unknown. */
    public List<String> sentences() {
        List<String> some = new ArrayList<>();
        for (int i = 0; i < source.coded().size(); i++) {
            int column = i;
            long all = 0;
            for (int file = 0; file < files.size(); file++) {
                all += values(file, i);
            }
            long count = Arrays.stream(unknown).mapToLong(counts -> counts[column]).sum();
            boolean isMore = count > share(i, SOME) * all;
            if (count >= FEW_ROWS && isMore && mostlyUnknown(i).isEmpty()) {
                some.add(
                        said("%s (%,d of %,d)", source.coded().get(i).column().name(), count, all));
            }
        }
        return some.isEmpty()
                ? List.of()
                : List.of(
                        "values that the training of the model has not seen: "
                                + String.join(", ", some));
    }

    private List<Integer> mostlyUnknown(int column) {
        List<Integer> in = new ArrayList<>();
        for (int file = 0; file < files.size(); file++) {
            if (unknown[file][column] > share(column, MOST) * values(file, column)) {
                in.add(file);
            }
        }
        return in;
    }

    /** As many values as were rare in training are no surprise, and of the others a part. */
    private double share(int column, double part) {
        String name = source.coded().get(column).column().name();
        double expected = rare.getOrDefault(name, 0.0);
        return expected + part * (1 - expected);
    }

    private long values(int file, int column) {
        return files.get(file).rows() - missing[file][column];
    }

    private void missed(List<String> warnings, String name, long[][] counts, int column) {
        List<Integer> in = new ArrayList<>();
        for (int file = 0; file < files.size(); file++) {
            if (counts[file][column] > MOST * files.get(file).rows()) {
                in.add(file);
            }
        }
        if (!in.isEmpty() && !missesSome.getOrDefault(name, true)) {
            warnings.add(
                    said(
                            "%s: column '%s': %,d of %,d rows have no value, and training had one"
                                    + " in every row%s",
                            files.get(in.get(0)).file(),
                            name,
                            counts[in.get(0)][column],
                            files.get(in.get(0)).rows(),
                            others(in)));
        }
    }

    private static String others(List<Integer> files) {
        return files.size() == 1
                ? ""
                : said(
                        " (likewise in %,d more file%s)",
                        files.size() - 1, files.size() == 2 ? "" : "s");
    }

    private static String said(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
