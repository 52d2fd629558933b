package dev.medley.loop.learn;

import dev.medley.api.TrainedModel;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.base.ConfigException;
import dev.medley.base.job.Signature;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.inference.model.Prediction;
import dev.medley.inference.running.PrequentialRows;
import dev.medley.loop.decide.JudgedMetric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

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
        boolean isFit =
                switch (target.kind()) {
                    case VALUE -> !metric.isOfClasses();
                    case BINARY -> metric.isOfClasses();
                    case CLASSES -> metric.isOfSeveral();
                    default -> false;
                };
        if (!isFit) {
            throw new ConfigException(
                    "promote.metric: %s judges %s, and the model predicts %s: use %s"
                            .formatted(
                                    metric.word(),
                                    metric.isOfSeveral()
                                            ? "one of some classes"
                                            : metric.isOfClasses()
                                                    ? "one of two classes"
                                                    : "a number",
                                    switch (target.kind()) {
                                        case VALUE -> "a number";
                                        case BINARY -> "one of two classes";
                                        default -> "one of %s".formatted(target.labels());
                                    },
                                    switch (target.kind()) {
                                        case VALUE -> "rmse or mae";
                                        case BINARY -> "auc, accuracy or log_loss";
                                        case CLASSES -> "accuracy or log_loss";
                                        default -> "a label of some classes, or a number";
                                    }));
        }
    }

    /**
     * Labels of rows as {@link PrequentialRows} has them: of two classes 1 for the second of the
     * model's and 0 for the first, of numbers the numbers.
     *
     * @throws ConfigException if a label is none of the model's
     */
    double[] labels(Path rows, String label, JudgedMetric metric, Signature.Target target)
            throws IOException {
        if (!metric.isOfClasses()) {
            return column(rows, "CAST(%s AS DOUBLE)".formatted(DuckDb.name(label)));
        }
        List<String> names = names(target);
        String cases =
                IntStream.range(0, names.size())
                        .mapToObj(
                                i ->
                                        "WHEN %s THEN %s"
                                                .formatted(
                                                        DuckDb.text(names.get(i)),
                                                        PrequentialRows.labelOf(target, i)))
                        .collect(Collectors.joining(" "));
        double[] labels =
                column(
                        rows,
                        "CAST(CASE CAST(%s AS VARCHAR) %s ELSE -1 END AS DOUBLE)"
                                .formatted(DuckDb.name(label), cases));
        long others = DoubleStream.of(labels).filter(value -> value < 0).count();
        if (others > 0) {
            String known = "'" + String.join("', '", names) + "'";
            throw new ConfigException(
                    ("rows.label: %,d of the newest rows have a '%s' that is none of %s, "
                                    + "which the model learnt; write labels as these texts")
                            .formatted(others, label, known));
        }
        return labels;
    }

    /** Names of a model's classes, in their order. */
    public static List<String> names(Signature.Target target) {
        int classes = target.kind() == Signature.TargetKind.BINARY ? 2 : target.outputs();
        return IntStream.range(0, classes).mapToObj(i -> Prediction.nameOf(target, i)).toList();
    }

    /**
     * Answers as a metric has them, of a file that {@link #write} wrote.
     *
     * @param labels of its rows, as {@link #labels} has them
     */
    double[] answers(Path answered, Signature.Target target, double[] labels) throws IOException {
        // By place, since names that differ in case alone, or are there already, are written anew.
        List<String> columns = columns(answered);
        int last = columns.size() - 1;
        if (target.kind() != Signature.TargetKind.CLASSES) {
            return column(answered, number(columns.get(last)));
        }
        int classes = names(target).size();
        List<double[]> ofClasses = new ArrayList<>();
        for (int i = 0; i < classes; i++) {
            ofClasses.add(column(answered, number(columns.get(last - classes + 1 + i))));
        }
        double[] answers = new double[labels.length];
        Arrays.setAll(
                answers,
                row ->
                        PrequentialRows.answerOf(
                                target,
                                ofClasses.stream().map(scores -> scores[row]).toList(),
                                labels[row]));
        return answers;
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

    private List<String> columns(Path file) throws IOException {
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch)) {
            String describe = "DESCRIBE SELECT * FROM read_parquet(%s)";
            return db.rows(describe.formatted(DuckDb.path(file))).stream()
                    .map(row -> row.get(0))
                    .toList();
        } catch (SQLException e) {
            throw new ConfigException("%s: %s".formatted(file, DuckDb.message(e)), e);
        }
    }

    private static String number(String column) {
        return "CAST(%s AS DOUBLE)".formatted(DuckDb.name(column));
    }

    /** The name of the one column of answers that says most: a probability, a number or a class. */
    String column(Path answered, Signature.Target target) throws IOException {
        List<String> columns = columns(answered);
        boolean isClass = target.kind() == Signature.TargetKind.CLASSES;
        return columns.get(columns.size() - 1 - (isClass ? names(target).size() : 0));
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
