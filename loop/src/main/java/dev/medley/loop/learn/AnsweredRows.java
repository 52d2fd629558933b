package dev.medley.loop.learn;

import dev.medley.api.TrainedModel;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.inference.model.Prediction;
import dev.medley.loop.decide.JudgedMetric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Lets a model answer files of rows, and reads what it said.
 *
 * <p>Thread: one.
 */
public final class AnsweredRows {
    private final Path scratch;

    /** The engine's files go below {@code scratch} for a while. */
    AnsweredRows(Path scratch) {
        this.scratch = scratch;
    }

    /** Writes each row of {@code rows} with its answer to {@code out}, a Parquet file. */
    static long write(Path model, Path rows, Path out) {
        try (TrainedModel trained = TrainedModel.load(model)) {
            return new Predictor(trained, PredictOptions.defaults())
                    .write(Predictor.like(trained, rows), out, PreparationProgress.NONE);
        }
    }

    /** What the model of a folder predicts. */
    static Signature.Target target(Path model) {
        try (TrainedModel trained = TrainedModel.load(model)) {
            return trained.description().signature().target();
        }
    }

    /**
     * Refuses a metric that is not of what a model predicts.
     *
     * @throws ConfigException that says what to write
     */
    public static void requireFit(JudgedMetric metric, Signature.Target target) {
        boolean isNumber = target.kind() == Signature.TargetKind.VALUE;
        boolean isOfTwo = target.kind() == Signature.TargetKind.BINARY;
        if (metric.isOfClasses() ? !isOfTwo : !isNumber) {
            throw new ConfigException(
                    "promote.metric: %s judges %s, and the model predicts %s: use %s"
                            .formatted(
                                    metric.word(),
                                    metric.isOfClasses() ? "one of two classes" : "a number",
                                    isNumber
                                            ? "a number"
                                            : isOfTwo
                                                    ? "one of two classes"
                                                    : "one of %s".formatted(target.labels()),
                                    isNumber
                                            ? "rmse or mae"
                                            : isOfTwo
                                                    ? "auc, accuracy or log_loss"
                                                    : "a label of two classes, or a number"));
        }
    }

    /**
     * Labels of rows as a metric has them: of classes 1 for the second of the model's and 0 for the
     * first, of numbers the numbers.
     *
     * @throws ConfigException if a label is none of the model's
     */
    double[] labels(Path rows, String label, JudgedMetric metric, Signature.Target target)
            throws IOException {
        if (!metric.isOfClasses()) {
            return column(rows, "CAST(%s AS DOUBLE)".formatted(DuckDb.name(label)));
        }
        String first = Prediction.nameOf(target, 0);
        String second = Prediction.nameOf(target, 1);
        double[] labels =
                column(
                        rows,
                        "CASE CAST(%s AS VARCHAR) WHEN %s THEN 1.0 WHEN %s THEN 0.0 ELSE -1.0 END"
                                .formatted(
                                        DuckDb.name(label),
                                        DuckDb.text(second),
                                        DuckDb.text(first)));
        long others = DoubleStream.of(labels).filter(value -> value < 0).count();
        if (others > 0) {
            throw new ConfigException(
                    ("rows.label: %,d of the newest rows have a '%s' that is neither '%s' nor "
                                    + "'%s', which the model learnt; write labels as these texts")
                            .formatted(others, label, first, second));
        }
        return labels;
    }

    /** Answers as a metric has them, of a file that {@link #write} wrote. */
    double[] answers(Path answered, JudgedMetric metric, Signature.Target target)
            throws IOException {
        String column =
                metric.isOfClasses() ? "p(" + Prediction.nameOf(target, 1) + ")" : "prediction";
        return column(answered, "CAST(%s AS DOUBLE)".formatted(DuckDb.name(column)));
    }

    /** The file with keys and times of the rows of a file of newest rows, in the same order. */
    static Path keys(Path newest) {
        return newest.resolveSibling("keys-of-" + newest.getFileName());
    }

    /**
     * Answers for the newest rows, those of rows that the model has learnt since as they were
     * before it did.
     *
     * @param answers as they are now, in the order of the rows
     * @param learnt files of what it learnt since its training; empty where it did not
     */
    double[] beforeLearnt(double[] answers, Path newest, List<Path> learnt) throws IOException {
        Path keys = keys(newest);
        if (learnt.isEmpty() || !Files.exists(keys)) {
            return answers;
        }
        String rows = "read_parquet(%s, file_row_number = true)".formatted(DuckDb.path(keys));
        String logs = learnt.stream().map(DuckDb::path).collect(Collectors.joining(", "));
        double[] before = answers.clone();
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch)) {
            String isSame =
                    db.rows("DESCRIBE SELECT * EXCLUDE (file_row_number) FROM " + rows).stream()
                            .map(row -> DuckDb.name(row.get(0)))
                            .map(n -> "k.%s IS NOT DISTINCT FROM l.%s".formatted(n, n))
                            .collect(Collectors.joining(" AND "));
            String sql =
                    ("SELECT k.file_row_number, l._running FROM %s k JOIN read_parquet([%s],"
                                    + " union_by_name = true) l ON %s WHERE l._running IS NOT NULL")
                            .formatted(rows, logs, isSame);
            try (Statement statement = db.connection().createStatement();
                    ResultSet found = statement.executeQuery(sql)) {
                while (found.next()) {
                    before[(int) found.getLong(1)] = found.getDouble(2);
                }
            }
            return before;
        } catch (SQLException e) {
            throw new ConfigException("%s: %s".formatted(keys, DuckDb.message(e)), e);
        }
    }

    private double[] column(Path file, String value) throws IOException {
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch);
                Statement statement = db.connection().createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT %s FROM read_parquet(%s)"
                                        .formatted(value, DuckDb.path(file)))) {
            DoubleStream.Builder values = DoubleStream.builder();
            while (rows.next()) {
                values.add(rows.getDouble(1));
            }
            return values.build().toArray();
        } catch (SQLException e) {
            throw new ConfigException("%s: %s".formatted(file, DuckDb.message(e)), e);
        }
    }
}
