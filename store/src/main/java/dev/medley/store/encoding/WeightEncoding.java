package dev.medley.store.encoding;

/**
 * The column that says what each row counts: a number of 0 or more. It is no feature.
 *
 * @param column its name in the files
 * @param source how texts write it
 */
public record WeightEncoding(String column, ColumnEncoding.Source source) {}
