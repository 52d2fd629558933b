package dev.medley.data.table.series;

import dev.medley.base.ConfigException;

/**
 * Ends a scan at a row that cannot be used: where the row came from can only be asked for when the
 * scan is over.
 */
final class RowTrouble extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int series;
    private final double time;

    /** {@code what} follows the place of the row. */
    RowTrouble(int series, double time, String what) {
        super(what, null, false, false);
        this.series = series;
        this.time = time;
    }

    /** The same for people. */
    ConfigException in(RowPlaces places) {
        return new ConfigException(places.at(series, time) + getMessage(), this);
    }
}
