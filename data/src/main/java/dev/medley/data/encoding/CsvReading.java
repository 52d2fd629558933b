package dev.medley.data.encoding;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;

/**
 * The form of CSV files, as it was found in the training files. Later files are read by it, too.
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
