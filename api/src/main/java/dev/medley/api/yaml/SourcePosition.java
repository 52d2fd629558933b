package dev.medley.api.yaml;

import org.jspecify.annotations.Nullable;

/**
 * The place where the user wrote something: a position of the job file, or an override of the
 * command line.
 *
 * @param override the option as it was given; null for a position of the file
 * @param line from 1
 * @param column from 1
 */
public record SourcePosition(@Nullable String override, int line, int column)
        implements Comparable<SourcePosition> {
    static final SourcePosition START = new SourcePosition(null, 1, 1);

    /** A place in the file, counted from 1. */
    public static SourcePosition of(int line, int column) {
        return new SourcePosition(null, line, column);
    }

    /** A value of the command line, named as it was written there. */
    public static SourcePosition of(String override) {
        return new SourcePosition(override, Integer.MAX_VALUE, 1);
    }

    /** In the form editors understand, or the override as it was typed. */
    public String describe(String file) {
        return override == null ? file + ":" + line + ":" + column : override;
    }

    @Override
    public int compareTo(SourcePosition other) {
        int byLine = Integer.compare(line, other.line);
        return byLine != 0 ? byLine : Integer.compare(column, other.column);
    }
}
