package dev.medley.data.table.column;

import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.data.shard.InputFiles;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Path;

/** Tells the engine how JSON files are read: one object a row. */
final class JsonFiles {
    /** No text is so: the engine would take 05-03-21 for a day of the year 5. */
    private static final String NO_DATE = "\u0001%Y";

    private JsonFiles() {}

    /**
     * The table function for a file.
     *
     * @param depth of values that get a type; values below are texts of JSON; -1 for all
     */
    static String source(Path file, BadRows badRows, int depth) {
        return ("read_json(%s, format = %s, ignore_errors = %s, sample_size = -1, maximum_depth ="
                        + " %d, map_inference_threshold = -1, dateformat = '%s',"
                        + " timestampformat = '%s', compression = '%s',"
                        + " records = true, hive_partitioning = false)")
                .formatted(
                        DuckDb.path(file),
                        isWhole(file) ? "'auto'" : "'newline_delimited'",
                        badRows == BadRows.SKIP,
                        depth,
                        NO_DATE,
                        NO_DATE,
                        isGzip(file) ? DuckDb.GZIP : DuckDb.UNPACKED);
    }

    /** Whether rows of a file may go over several lines, or several stand on one. */
    static boolean isWhole(Path file) {
        return file.toString().endsWith(".json");
    }

    static boolean isGzip(Path file) {
        try {
            return InputFiles.isGzip(file);
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }
}
