package dev.medley.serving.protocol;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.serving.input.RowTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads rows of CSV as RFC 4180 has it: a line with the names of the columns comes first. */
public final class CsvBody {
    private static final int MOST_COLUMNS = 20_000;

    private final String text;
    private final char delimiter;
    private int at;

    private CsvBody(String text, char delimiter) {
        this.text = text;
        this.delimiter = delimiter;
    }

    /**
     * Reads rows.
     *
     * @param delimiter between values, that of training's files
     * @throws dev.medley.serving.ServingFailure if a row has another number of values than names
     */
    public static RowTable read(String text, char delimiter) {
        String whole = text.startsWith("\uFEFF") ? text.substring(1) : text;
        CsvBody rows = new CsvBody(whole, delimiter);
        List<String> names = rows.line().stream().map(String::strip).toList();
        check(
                new HashSet<>(names).size() == names.size(),
                "line 1: two columns have the same name");
        check(names.size() <= MOST_COLUMNS, "line 1 has more than %d columns", MOST_COLUMNS);
        List<@Nullable Object[]> all = new ArrayList<>();
        while (rows.at < rows.text.length()) {
            List<String> line = rows.line();
            if (line.size() == 1 && line.get(0).isEmpty() && names.size() > 1) {
                continue; // An empty line.
            }
            check(
                    line.size() == names.size(),
                    "row %d has %d values, and line 1 names %d columns",
                    all.size(),
                    line.size(),
                    names.size());
            check(
                    all.size() < RowTable.MOST_ROWS
                            && (long) all.size() * names.size() < RowTable.MOST_CELLS,
                    "a request has at most %d rows and %d values: medley predict takes files",
                    RowTable.MOST_ROWS,
                    RowTable.MOST_CELLS);
            all.add(line.toArray());
        }
        return new RowTable(names, all);
    }

    /** The values of a line, behind whose end it goes on. */
    private List<String> line() {
        List<String> values = new ArrayList<>();
        while (true) {
            check(values.size() <= MOST_COLUMNS, "a line has more than %d values", MOST_COLUMNS);
            values.add(at < text.length() && text.charAt(at) == '"' ? quoted() : plain());
            if (at >= text.length()) {
                return values;
            }
            char next = text.charAt(at++);
            if (next != delimiter) {
                if (next == '\r' && at < text.length() && text.charAt(at) == '\n') {
                    at++;
                }
                return values;
            }
        }
    }

    private String plain() {
        int from = at;
        while (at < text.length()
                && text.charAt(at) != delimiter
                && text.charAt(at) != '\n'
                && text.charAt(at) != '\r') {
            at++;
        }
        return text.substring(from, at);
    }

    private String quoted() {
        StringBuilder value = new StringBuilder();
        at++;
        while (true) {
            int end = text.indexOf('"', at);
            check(end >= 0, "a text in quotes does not end");
            value.append(text, at, end);
            at = end + 1;
            if (at < text.length() && text.charAt(at) == '"') {
                value.append('"');
                at++;
            } else {
                return value.toString();
            }
        }
    }
}
