package dev.medley.connect.files;

import dev.medley.connect.table.Column;

/**
 * Describes a column of files.
 *
 * @param value its expression in a query of them, in the type of the column
 */
record FileColumn(Column column, String value) {}
