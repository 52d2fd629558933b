package dev.medley.fleet.trace;

import dev.medley.base.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Holds one line of a trace, and says where it is wrong. */
final class TraceLine {
    /** Beyond it a number that was read is another than was written. */
    private static final double LARGEST = 1L << 53;

    private final Path file;
    private final int number;
    private final List<String> columns;
    private final String[] values;

    TraceLine(Path file, int number, String line, List<String> columns) {
        this.file = file;
        this.number = number;
        this.columns = columns;
        values = line.split(",", -1);
        require(
                values.length == columns.size(),
                "has %d values where the header names %d columns"
                        .formatted(values.length, columns.size()));
    }

    /** The value of a column as it is written. */
    String word(String column) {
        return values[columns.indexOf(column)].strip();
    }

    double number(String column) {
        String word = word(column);
        try {
            double value = Double.parseDouble(word);
            require(Double.isFinite(value), column + " is " + word + "; give a finite number");
            return value;
        } catch (NumberFormatException e) {
            throw fault(column + " is '" + word + "'; give a number");
        }
    }

    long whole(String column) {
        double value = number(column);
        require(
                value == Math.rint(value) && Math.abs(value) <= LARGEST,
                column + " is " + word(column) + "; give a whole number below 2^53");
        return (long) value;
    }

    void require(boolean holds, String fault) {
        if (!holds) {
            throw fault(fault);
        }
    }

    /** What a constructor makes of it; its objection names the line, too. */
    <T> T made(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (ConfigException e) {
            throw fault(String.valueOf(e.getMessage()));
        }
    }

    private ConfigException fault(String fault) {
        return new ConfigException("%s:%d: %s".formatted(file, number, fault));
    }
}
