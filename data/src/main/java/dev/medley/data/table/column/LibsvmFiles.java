package dev.medley.data.table.column;

import dev.medley.data.shard.InputFiles;
import dev.medley.data.table.engine.DuckDb;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Tells DuckDB how to read LIBSVM files (SVMlight's, without query numbers): a label and pairs of
 * index and value on each line. Blank lines are passed over, and so is what follows a #.
 */
public final class LibsvmFiles {
    /** The column of what stands first on a line. */
    public static final String LABEL = "label";

    /** The column of the pairs. */
    public static final String PAIRS = "features";

    private static final int LONGEST_LINE_BYTES = 32 << 20;

    private LibsvmFiles() {}

    /** The table function for a file. */
    static String source(Path file) {
        return ("(SELECT regexp_extract(line, '^\\S+') AS %s,"
                        + " trim(regexp_replace(line, '^\\S+', ''), E' \\t') AS %s FROM"
                        + " (SELECT trim(regexp_replace(line, '#.*', ''), E' \\t\\r') AS line"
                        + " FROM read_csv(%s, auto_detect = false, header = false,"
                        + " delim = E'\\x01', quote = '', escape = '', comment = '',"
                        + " strict_mode = false, columns = {line: 'VARCHAR'},"
                        + " max_line_size = %d, hive_partitioning = false, compression = '%s'))"
                        + " WHERE line <> '')")
                .formatted(
                        LABEL,
                        PAIRS,
                        DuckDb.path(file),
                        LONGEST_LINE_BYTES,
                        JsonFiles.isGzip(file) ? DuckDb.GZIP : DuckDb.UNPACKED);
    }

    /** The line of a row, counted from 0. */
    static long line(Path file, long row) {
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(InputFiles.open(file), StandardCharsets.UTF_8))) {
            long rows = 0;
            long number = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                if (!line.replaceFirst("#.*", "").isBlank() && rows++ == row) {
                    return number;
                }
            }
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
        return 0;
    }
}
