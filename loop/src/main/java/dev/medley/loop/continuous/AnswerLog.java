package dev.medley.loop.continuous;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.inference.running.PrequentialRows;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes and reads which rows were learnt, with what was answered for each before: {@code _at_ms},
 * {@code _row}, {@code _label}, {@code _running} and {@code _champion} beside keys and times.
 *
 * @param scratch where the engine's files go for a while
 */
record AnswerLog(Path scratch) {
    /** Newest rows that judge, at most: the champion of long ago is told apart by fewer. */
    private static final int MOST_JUDGED = 5000;

    /**
     * Tells what both models answered.
     *
     * @param labels of rows, in the order in which they came
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Evidence(double[] labels, double[] champion, double[] running) {}

    /** Writes a batch's, all or nothing. */
    void write(Path keys, PrequentialRows rows, long seenBefore, Path file) throws IOException {
        StringBuilder csv = new StringBuilder("row,label,running,champion\n");
        for (int row = 0; row < rows.rows(); row++) {
            csv.append(row)
                    .append(',')
                    .append(rows.labels()[row])
                    .append(',')
                    .append(rows.running()[row])
                    .append(',')
                    .append(rows.champion()[row])
                    .append('\n');
        }
        Files.createDirectories(scratch);
        Path answers = Files.writeString(scratch.resolve("answers.csv"), csv);
        copy(
                ("SELECT k.* EXCLUDE (file_row_number, _from_ms), %d + a.row AS _row,"
                                + " a.label AS _label, a.running AS _running,"
                                + " a.champion AS _champion FROM"
                                + " read_parquet(%s, file_row_number = true) k JOIN read_csv(%s,"
                                + " header = true, columns = {'row': 'BIGINT', 'label': 'DOUBLE',"
                                + " 'running': 'DOUBLE', 'champion': 'DOUBLE'}) a"
                                + " ON k.file_row_number = a.row ORDER BY a.row")
                        .formatted(seenBefore, DuckDb.path(keys), DuckDb.path(answers)),
                file);
        Files.delete(answers);
    }

    /** Writes all rows of files into one, in their order. */
    void merge(List<Path> files, Path file) throws IOException {
        copy("SELECT * FROM read_parquet([%s], union_by_name = true)".formatted(list(files)), file);
    }

    private void copy(String what, Path file) throws IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch)) {
            db.execute(
                    "COPY (%s) TO %s (FORMAT parquet)"
                            .formatted(what, DuckDb.text(partial.toString())));
        } catch (SQLException e) {
            throw new IOException("%s: %s".formatted(file, DuckDb.message(e)), e);
        }
        AtomicFile.publish(partial, file);
    }

    /** How long each row of a batch has waited until a time, milliseconds. */
    long[] waited(Path keys, long untilMs) throws IOException {
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch)) {
            return db.column(
                    "SELECT %d - _from_ms FROM read_parquet(%s)"
                            .formatted(untilMs, DuckDb.path(keys)));
        } catch (SQLException e) {
            throw new IOException("%s: %s".formatted(keys, DuckDb.message(e)), e);
        }
    }

    /**
     * What both answered for the newest rows that came.
     *
     * @param fromMs rows before this time do not count, milliseconds since 1970
     */
    Evidence evidence(List<Path> files, long fromMs) throws IOException {
        List<double[]> rows = new ArrayList<>();
        if (!files.isEmpty()) {
            String sql =
                    ("SELECT _label, _champion, _running FROM read_parquet([%s], union_by_name ="
                                    + " true) WHERE _at_ms >= %d AND isfinite(_champion)"
                                    + " ORDER BY _row DESC LIMIT %d")
                            .formatted(list(files), fromMs, MOST_JUDGED);
            try (DuckDb db = DuckDb.forFiles(List.of(), scratch);
                    Statement statement = db.connection().createStatement();
                    ResultSet found = statement.executeQuery(sql)) {
                while (found.next()) {
                    rows.add(
                            new double[] {
                                found.getDouble(1), found.getDouble(2), found.getDouble(3)
                            });
                }
            } catch (SQLException e) {
                throw new ConfigException("the log of answers: " + DuckDb.message(e), e);
            }
        }
        Collections.reverse(rows);
        return new Evidence(column(rows, 0), column(rows, 1), column(rows, 2));
    }

    private static double[] column(List<double[]> rows, int column) {
        return rows.stream().mapToDouble(row -> row[column]).toArray();
    }

    private static String list(List<Path> files) {
        return files.stream().map(DuckDb::path).collect(Collectors.joining(", "));
    }
}
