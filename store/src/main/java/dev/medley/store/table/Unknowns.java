package dev.medley.store.table;

import dev.medley.store.encoding.ColumnEncoding.Category;
import dev.medley.store.encoding.ColumnEncoding.Moment;
import dev.medley.store.encoding.ColumnEncoding.Numeric;
import dev.medley.store.encoding.TableEncoding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counts values of which training has told nothing: categories that it has not seen, and missing
 * values where it missed none. A column of which that is most says little, and the user is told.
 */
final class Unknowns {
    private static final double MOST = 0.5;

    private final RowSource source;
    private final Map<String, Boolean> missesSome = new HashMap<>();
    private final long[] unknown;
    private final long[] missing;
    private final long[] missingNumbers;
    private long rows;

    /** Of rows that {@code source} scans for {@code encoding}. */
    Unknowns(TableEncoding encoding, RowSource source) {
        this.source = source;
        unknown = new long[source.coded().size()];
        missing = new long[unknown.length];
        missingNumbers = new long[source.dense().size()];
        encoding.columns()
                .forEach(
                        column ->
                                missesSome.put(
                                        column.name(),
                                        column instanceof Category category
                                                ? category.missing()
                                                : column instanceof Numeric numeric
                                                        ? numeric.missingIndicator()
                                                        : ((Moment) column).missingIndicator()));
    }

    /** Counts a chunk. */
    void add(TableScan.Chunk chunk) {
        rows += chunk.rows;
        for (int i = 0; i < unknown.length; i++) {
            for (int row = 0; row < chunk.rows; row++) {
                unknown[i] += chunk.codes[i][row] == Dictionary.UNKNOWN ? 1 : 0;
                missing[i] += chunk.codes[i][row] == Dictionary.MISSING ? 1 : 0;
            }
        }
        for (int i = 0; i < missingNumbers.length; i++) {
            for (int row = 0; row < chunk.rows; row++) {
                missingNumbers[i] += Double.isNaN(chunk.numbers[i][row]) ? 1 : 0;
            }
        }
    }

    /** A sentence for each column most of whose values are unknown. */
    List<String> warnings(Path file) {
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < unknown.length; i++) {
            String name = source.coded().get(i).column().name();
            long values = rows - missing[i];
            if (unknown[i] > MOST * values) {
                warnings.add(
                        said(
                                "%s: column '%s': %,d of %,d values are unknown to the model, which"
                                        + " training has not seen; are they written otherwise?",
                                file, name, unknown[i], values));
            }
            missed(warnings, file, name, missing[i]);
        }
        for (int i = 0; i < missingNumbers.length; i++) {
            missed(warnings, file, source.dense().get(i).name(), missingNumbers[i]);
        }
        return warnings;
    }

    private void missed(List<String> warnings, Path file, String name, long count) {
        if (count > MOST * rows && !missesSome.getOrDefault(name, true)) {
            warnings.add(
                    said(
                            "%s: column '%s': %,d of %,d rows have no value, and training had one"
                                    + " in every row",
                            file, name, count, rows));
        }
    }

    private static String said(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
