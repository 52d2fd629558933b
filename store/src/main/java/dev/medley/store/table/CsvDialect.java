package dev.medley.store.table;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.store.encoding.CsvReading;
import dev.medley.store.shard.InputFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How a CSV file is written, found from its first lines. Found here and told to DuckDB, whose own
 * search takes another delimiter rather than call a row ragged.
 *
 * @param delimiter between values
 * @param hasHeader whether the first line has the names
 * @param names as the file writes them, or {@code column0}, {@code column1} and so on
 */
record CsvDialect(String delimiter, boolean hasHeader, List<String> names) {
    private static final int LOOK_LINES = 50;
    private static final List<String> DELIMITERS = List.of(",", ";", "\t", "|");

    CsvDialect {
        names = List.copyOf(names);
    }

    /**
     * What is known before a file is looked at.
     *
     * @param reading how other files of the kind are written; null for the first one
     * @param names of the columns that it should have
     */
    record Known(@Nullable CsvReading reading, List<String> names) {}

    /**
     * Looks at the beginning of {@code file}; {@code label} in the first line means a header. It is
     * read as others were, unless another delimiter shows more of the names that it should have.
     */
    static CsvDialect find(
            Path file, TableSpec spec, @Nullable String label, DecimalMark decimal, Known known) {
        List<String> lines = firstLines(file);
        check(!lines.isEmpty(), "%s: is empty; a table with a header and rows is needed", file);
        String delimiter = delimiter(lines.get(0), spec, decimal, known);
        List<String> first = split(lines.get(0), delimiter);
        boolean hasHeader =
                spec.header() != null
                        ? spec.header()
                        : known.reading() != null
                                ? known.reading().header()
                                : looksLikeHeader(first, label, decimal);
        List<String> names =
                hasHeader
                        ? first
                        : IntStream.range(0, first.size()).mapToObj(i -> "column" + i).toList();
        return new CsvDialect(delimiter, hasHeader, names);
    }

    private static String delimiter(String line, TableSpec spec, DecimalMark decimal, Known known) {
        if (spec.delimiter() != null) {
            return spec.delimiter();
        }
        String found = delimiter(line, decimal);
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
        boolean hasValue = first.stream().anyMatch(v -> v.isEmpty() || decimal.isNumber(v));
        return !isLabelByNumber && !hasValue;
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
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    value.append('"');
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (!quoted && line.startsWith(delimiter, i)) {
                values.add(value.toString());
                value.setLength(0);
                i += delimiter.length() - 1;
            } else {
                value.append(c);
            }
        }
        values.add(value.toString());
        return values;
    }

    private static List<String> firstLines(Path file) {
        List<String> lines = new ArrayList<>();
        try (InputStream in = InputFiles.open(file);
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            while (line != null && lines.size() < LOOK_LINES) {
                if (lines.isEmpty() && line.startsWith("\uFEFF")) {
                    line = line.substring(1);
                }
                check(
                        line.indexOf('\0') < 0,
                        "%s: is no CSV file in UTF-8, but UTF-16 or no text at all: save it as"
                                + " UTF-8, or name another file",
                        file);
                if (!line.isBlank()) {
                    lines.add(line);
                }
                line = reader.readLine();
            }
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
        return lines;
    }
}
