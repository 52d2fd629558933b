package dev.medley.tenant.door;

import java.nio.file.Path;

/**
 * Holds what one caller sees of a table, as a file of the door's.
 *
 * @param key name of the object, as {@code customers.parquet}
 * @param rows in it
 * @param sha256 of its bytes, which is its tag: two contents never have the same one
 * @param madeMs since 1970
 */
record DoorExtract(String key, Path file, long rows, long bytes, String sha256, long madeMs) {
    /** As headers have it. */
    String tag() {
        return '"' + sha256 + '"';
    }
}
