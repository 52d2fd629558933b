package dev.medley.connect.postgres;

import dev.medley.connect.table.Column;

/**
 * Describes a column and how its values come.
 *
 * @param number {@code attnum}, which stays when the column is renamed
 */
record WireColumn(int number, Column column, WireForm form) {
    /** The same column, known by {@code id}. */
    WireColumn known(String id) {
        Column known =
                new Column(
                        id,
                        column.name(),
                        column.type(),
                        column.size(),
                        column.scale(),
                        column.nullable());
        return new WireColumn(number, known, form);
    }

    /** Its expression in a query. */
    String sql() {
        String name = Sql.name(column.name());
        return form == WireForm.CAST_TO_TEXT ? name + "::text" : name;
    }
}
