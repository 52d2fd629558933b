package dev.medley.data.encoding;

/**
 * The column with the weight of each row: a number of 0 or more. It is no feature.
 *
 * @param column its name in the files
 * @param source how texts write it
 */
public record WeightEncoding(String column, ColumnEncoding.Source source) {}
