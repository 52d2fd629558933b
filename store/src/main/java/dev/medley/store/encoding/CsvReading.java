package dev.medley.store.encoding;

/**
 * How CSV files are written, as reading the training files found it. Later files are read so, too.
 *
 * @param delimiter between values
 * @param header whether the first line has the names
 * @param decimal what stands before the decimals of numbers
 */
public record CsvReading(String delimiter, boolean header, String decimal) {}
