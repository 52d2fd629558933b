package dev.medley.data.table.csv;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.table.csv.CsvText.Line;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of a CSV file, found from its first lines. It is found here and told to DuckDB, whose
 * own search takes another delimiter rather than call a row ragged.
 *
 * @param delimiter between values
 * @param hasHeader whether the first line has the names
 * @param header the names as they stand there; without a header {@code column0} and so on
 * @param names one for each column, without spaces around them
 * @param skippedLines before the header or the first row
 * @param notes what was done with names and lines, for people
 */
record CsvDialect(
        String delimiter,
        boolean hasHeader,
        List<String> header,
        List<String> names,
        long skippedLines,
        List<String> notes) {
    private static final int LOOK_LINES = 50;
    private static final int SHOWN = 60;
    private static final List<String> DELIMITERS = List.of(",", ";", "\t", "|");
    private static final Pattern SEPARATOR = Pattern.compile("(?i)sep=([,;|\t])");

    CsvDialect {
        header = List.copyOf(header);
        names = List.copyOf(names);
        notes = List.copyOf(notes);
    }

    /**
     * What is known before a file is looked at.
     *
     * @param reading how other files of the kind are written; null for the first one
     * @param names of the columns that it should have
     */
    record Known(@Nullable CsvReading reading, List<String> names) {}

    /**
     * Looks at the beginning of a file; {@code label} in the first line means a header. It is read
     * as others were, unless another delimiter shows more of the names that it should have.
     */
    static CsvDialect find(
            CsvText text,
            TableSpec spec,
            @Nullable String label,
            DecimalMark decimal,
            Known known) {
        List<Line> lines = text.first(LOOK_LINES);
        check(
                !lines.isEmpty(),
                "%s: is empty; a table with a header and rows is needed",
                text.file());
        Beginning begin = Beginning.of(lines, label, decimal);
        String firstLine = begin.line().text();
        String delimiter = delimiter(firstLine, begin.delimiter(), spec, decimal, known);
        List<String> first = split(firstLine, delimiter);
        boolean hasHeader =
                spec.header() != null
                        ? spec.header()
                        : known.reading() != null
                                ? known.reading().header()
                                : looksLikeHeader(first, label, decimal);
        List<String> header =
                hasHeader
                        ? first
                        : IntStream.range(0, first.size()).mapToObj(CsvDialect::name).toList();
        ColumnNames names = ColumnNames.of(header);
        requireOne(label, header, text.file());
        List<String> notes = new ArrayList<>(begin.notes());
        notes.addAll(names.notes());
        return new CsvDialect(
                delimiter, hasHeader, header, names.names(), begin.line().number() - 1, notes);
    }

    /** The name of a column that has none. */
    static String name(int column) {
        return "column" + column;
    }

    private static void requireOne(@Nullable String label, List<String> header, Path file) {
        long labels = header.stream().filter(name -> name.strip().equals(label)).count();
        check(
                labels <= 1,
                "%s: %d columns are called '%s', which is to be predicted: give them names of their"
                        + " own",
                file,
                labels,
                label);
    }

    /**
     * Where the table begins.
     *
     * @param line the first of the table
     * @param delimiter that a line before it announces; null if none does
     * @param notes what is passed over
     */
    private record Beginning(Line line, @Nullable String delimiter, List<String> notes) {
        /** Behind the delimiter that Excel writes, and comments that are shaped as no row is. */
        static Beginning of(List<Line> lines, @Nullable String label, DecimalMark decimal) {
            Matcher separator = SEPARATOR.matcher(lines.get(0).text().strip());
            if (separator.matches() && lines.size() > 1) {
                return new Beginning(lines.get(1), separator.group(1), List.of());
            }
            int first = 0;
            while (first < lines.size() && lines.get(first).text().startsWith("#")) {
                first++;
            }
            if (first == 0 || first == lines.size()) {
                return new Beginning(lines.get(0), null, List.of());
            }
            String row = lines.get(first).text();
            String delimiter = CsvDialect.delimiter(row, decimal);
            List<String> values = split(row, delimiter);
            boolean isHeader = values.stream().anyMatch(name -> name.strip().equals(label));
            if (!isHeader
                    && split(lines.get(first - 1).text(), delimiter).size() == values.size()) {
                first--; // The line of names, written as a comment.
            }
            String comment = lines.get(0).text();
            return new Beginning(
                    lines.get(first),
                    null,
                    first == 0
                            ? List.of()
                            : List.of(
                                    "comments before the table are passed over: "
                                            + comment.substring(
                                                    0, Math.min(SHOWN, comment.length()))));
        }
    }

    private static String delimiter(
            String line,
            @Nullable String announced,
            TableSpec spec,
            DecimalMark decimal,
            Known known) {
        if (spec.delimiter() != null) {
            return spec.delimiter();
        }
        String found = announced != null ? announced : delimiter(line, decimal);
        CsvReading reading = known.reading();
        boolean isOther =
                reading != null
                        && reading.header()
                        && expected(line, found, known)
                                > expected(line, reading.delimiter(), known);
        return reading == null || isOther ? found : reading.delimiter();
    }

    private static long expected(String line, String delimiter, Known known) {
        return split(line, delimiter).stream()
                .filter(name -> known.names().contains(name.strip()))
                .count();
    }

    private static boolean looksLikeHeader(
            List<String> line, @Nullable String label, DecimalMark decimal) {
        List<String> first = line.stream().map(String::strip).toList();
        if (label != null && first.contains(label)) {
            return true;
        }
        boolean isLabelByNumber = label != null && label.matches("column\\d+");
        List<String> given = first.stream().filter(v -> !v.isEmpty()).toList();
        boolean hasNumber = given.stream().anyMatch(decimal::isNumber);
        return !isLabelByNumber && !given.isEmpty() && (!hasNumber || isNumbered(first, decimal));
    }

    /** Whether columns are called 0, 1, 2 and so on, behind an index that has no name. */
    private static boolean isNumbered(List<String> first, DecimalMark decimal) {
        List<String> numbers = first.stream().filter(decimal::isNumber).toList();
        return first.get(0).isEmpty()
                && numbers.size() > 1
                && IntStream.range(0, numbers.size())
                        .allMatch(i -> numbers.get(i).equals(Integer.toString(i)));
    }

    /** A decimal comma is between values, too, only if nothing else is. */
    private static String delimiter(String line, DecimalMark decimal) {
        List<String> candidates = new ArrayList<>(DELIMITERS);
        candidates.remove(decimal.character());
        String best = candidates.get(0);
        for (String candidate : candidates) {
            if (split(line, candidate).size() > split(line, best).size()) {
                best = candidate;
            }
        }
        String mark = decimal.character();
        boolean isOnlyMark = split(line, best).size() == 1 && line.contains(mark);
        return isOnlyMark && DELIMITERS.contains(mark) ? mark : best;
    }

    /** The values of one line; a delimiter between quotes does not count. */
    static List<String> split(String line, String delimiter) {
        List<String> values = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        boolean isBlank = true;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean isDouble = quoted && c == '"' && line.startsWith("\"\"", i);
            if (isDouble) {
                value.append('"');
                isBlank = false;
                i++;
            } else if (c == '"' && (quoted || isBlank)) {
                quoted = !quoted;
            } else if (!quoted && line.startsWith(delimiter, i)) {
                values.add(value.toString());
                value.setLength(0);
                isBlank = true;
                i += delimiter.length() - 1;
            } else {
                value.append(c);
                isBlank &= Character.isWhitespace(c);
            }
        }
        values.add(value.toString());
        return values;
    }
}
