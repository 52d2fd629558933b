package dev.medley.store.encoding;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;

/**
 * How CSV files are written, as reading the training files found it. Later files are read so, too.
 *
 * @param delimiter between values
 * @param header whether the first line has the names
 * @param decimal what stands before the decimals of numbers
 * @param columns how many there are, where no line has their names; 0 where one has, and in models
 *     of versions that had no such component
 */
public record CsvReading(
        String delimiter,
        boolean header,
        String decimal,
        @JsonSetter(nulls = Nulls.AS_EMPTY) int columns) {}
