package dev.medley.fleet.elastic.trace;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Holds the rows of a plain CSV file without quotes, with columns by name. */
final class CsvRows {
    private final Path file;
    private final List<String> columns;
    private final List<String[]> rows;

    private CsvRows(Path file, List<String> columns, List<String[]> rows) {
        this.file = file;
        this.columns = columns;
        this.rows = rows;
    }

    static CsvRows read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            ConfigException.check(lines.size() > 1, "%s has no rows; give the whole file", file);
            List<String> columns = Arrays.asList(lines.get(0).split(","));
            List<String[]> rows = lines.stream().skip(1).map(line -> line.split(",")).toList();
            for (String[] row : rows) {
                ConfigException.check(
                        row.length == columns.size(),
                        "%s has a row of %d columns where its header has %d; give the whole file",
                        file,
                        row.length,
                        columns.size());
            }
            return new CsvRows(file, columns, rows);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    int count() {
        return rows.size();
    }

    String text(int row, String column) {
        int at = columns.indexOf(column);
        ConfigException.check(
                at >= 0, "%s has no column %s, only %s; give Pollux's file", file, column, columns);
        return rows.get(row)[at];
    }

    double number(int row, String column) {
        String text = text(row, column);
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new ConfigException(
                    "%s row %d: %s is '%s'; give a number".formatted(file, row + 1, column, text));
        }
    }

    int whole(int row, String column) {
        return (int) number(row, column);
    }
}
