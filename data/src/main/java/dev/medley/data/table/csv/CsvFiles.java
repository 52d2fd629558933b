package dev.medley.data.table.csv;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.table.engine.DuckDb;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells DuckDB how to read CSV files, each of which is examined once. All are read alike: as the
 * encoding says, or else as the first one that was examined.
 */
public final class CsvFiles {
    private final TableSpec spec;
    private final @Nullable String label;
    private final DecimalMark decimal;
    private final Path scratch;
    private final List<String> expected = new ArrayList<>();
    private final Set<String> mayBeAbsent = new HashSet<>();
    private final Map<Path, CsvFile> files = new LinkedHashMap<>();
    private @Nullable CsvReading reading;

    /** A file and how it is written. */
    private record CsvFile(CsvText text, CsvDialect dialect) {}

    /**
     * For files of one table.
     *
     * @param label to predict; null if it is not known
     * @param scratch for files that have to be written anew before they can be read
     */
    public CsvFiles(TableSpec spec, @Nullable String label, DecimalMark decimal, Path scratch) {
        this.spec = spec;
        this.label = label;
        this.decimal = decimal;
        this.scratch = scratch;
    }

    /**
     * What is known of the files before.
     *
     * @param names of the columns that they should have
     * @param optional names of those that they may do without
     */
    public void expect(@Nullable CsvReading known, List<String> names, Set<String> optional) {
        reading = known;
        mayBeAbsent.addAll(optional);
        expected.addAll(names);
    }

    /** How the files that were looked at are written. */
    @Nullable
    public CsvReading reading() {
        return reading;
    }

    /** Names of a file's columns, no two of which are the same. */
    public List<String> names(Path file) {
        return find(file).dialect().names();
    }

    /** The names as they stand in the file, and are to stand in a copy. */
    public List<String> header(Path file) {
        return find(file).dialect().header();
    }

    /** The name of a column in the table function. */
    public static String sql(int column) {
        return "c" + column;
    }

    /**
     * The table function. Nothing is left to DuckDB's own search, which looks at some rows only.
     */
    public String source(Path file, List<String> options) {
        CsvText text = find(file).text();
        CsvDialect dialect = find(file).dialect();
        return ("read_csv(%s, auto_detect = false, delim = %s, quote = '\"', escape = '\"',"
                        + " comment = '', header = %s, skip = %d, compression = '%s',"
                        + " hive_partitioning = false, parallel = %s, columns = {%s}, %s)")
                .formatted(
                        DuckDb.path(text.read()),
                        DuckDb.text(dialect.delimiter()),
                        dialect.hasHeader(),
                        dialect.skippedLines(),
                        text.isGzip() ? DuckDb.GZIP : DuckDb.UNPACKED,
                        // A part that begins within a value takes that value's lines for rows;
                        // but what has no end is reported by the reading in parts only.
                        !text.hasQuotedLines(),
                        IntStream.range(0, dialect.names().size())
                                .mapToObj(i -> sql(i) + ": 'VARCHAR'")
                                .collect(Collectors.joining(", ")),
                        String.join(", ", options));
    }

    /** Whether some value of a file may have a space before or behind it. */
    public boolean hasSpacedValues(Path file) {
        return find(file).text().hasSpacedValues();
    }

    /** The lines of a file. */
    public CsvLines lines(Path file) {
        return new CsvLines(find(file).text(), find(file).dialect().delimiter());
    }

    /**
     * The line of a row of a file.
     *
     * @param row its number among those that were read, from 0
     * @param rejected the first bytes of the rows that were not, in order
     */
    public long line(Path file, long row, long[] rejected) {
        CsvDialect dialect = find(file).dialect();
        CsvLines.Blank blank =
                dialect.names().size() == 1 ? CsvLines.Blank.ROW : CsvLines.Blank.NOTHING;
        long headers = dialect.hasHeader() ? 1 : 0;
        return lines(file).ofRow(row + headers, dialect.skippedLines() + 1, blank, rejected);
    }

    /** What the user should know of how the files are written. */
    public List<String> notes() {
        Set<String> notes = new LinkedHashSet<>();
        for (CsvFile file : files.values()) {
            notes.addAll(file.text().notes());
            notes.addAll(file.dialect().notes());
        }
        return List.copyOf(notes);
    }

    private CsvFile find(Path file) {
        CsvFile known = files.get(file);
        if (known != null) {
            return known;
        }
        CsvText text = CsvText.of(file, scratch);
        CsvDialect dialect =
                CsvDialect.find(
                        text, spec, label, decimal, new CsvDialect.Known(reading, expected));
        CsvFile found = new CsvFile(text.tidied(dialect.delimiter(), scratch), dialect);
        requireAllColumns(file, dialect);
        files.put(file, found);
        if (reading == null) {
            reading =
                    new CsvReading(
                            dialect.delimiter(),
                            dialect.hasHeader(),
                            decimal.character(),
                            dialect.hasHeader() ? 0 : dialect.names().size());
            expected.addAll(dialect.names());
        }
        return found;
    }

    /**
     * Without a line of names columns are known by their place, and one more in front of them would
     * move all. Only the label and the weight may be absent, with no other column behind them.
     */
    private void requireAllColumns(Path file, CsvDialect dialect) {
        int all = reading == null || dialect.hasHeader() ? 0 : reading.columns();
        int here = dialect.names().size();
        int least = all;
        while (least > 1 && mayBeAbsent.contains(CsvDialect.name(least - 1))) {
            least--;
        }
        check(
                all == 0 || (least <= here && here <= all),
                "%s: has %d columns, but the training files have %d%s: without a line of names"
                        + " columns are known by their place, so all of them are needed, in the"
                        + " same order and no others",
                file,
                here,
                all,
                least == all ? "" : " (" + least + " without the label)");
    }
}
