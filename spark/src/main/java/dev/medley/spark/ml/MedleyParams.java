package dev.medley.spark.ml;

import dev.medley.base.ConfigException;
import dev.medley.spark.cluster.ExecutorWishes;
import java.util.Locale;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/**
 * The parameters that Medley's estimators have in common. Each has a default; what is not set here
 * is as a job file without that key has it.
 *
 * @param <E> the estimator
 */
public interface MedleyParams<E> extends Params {
    /** The family, as {@code medley models} lists them. */
    default Param<String> model() {
        return new Param<>(this, "model", "model family, as in a job file: boosting, mlp, linear");
    }

    /** A job file's text; keys of these parameters may be left out of it. */
    default Param<String> job() {
        return new Param<>(this, "job", "text of a job file without data.train");
    }

    /** Settings of the job, as {@code -s} of the command takes them. */
    default StringArrayParam settings() {
        return new StringArrayParam(this, "settings", "settings of the job: train.epochs=4");
    }

    /** Columns that are read in place of the vector of features. */
    default StringArrayParam inputCols() {
        return new StringArrayParam(
                this, "inputCols", "columns to learn from: numbers, strings, dates, vectors");
    }

    /** Workers that begin. */
    default IntParam numWorkers() {
        return new IntParam(this, "numWorkers", "workers; 0 for one in each executor");
    }

    /** Workers that may take part. */
    default IntParam maxWorkers() {
        return new IntParam(
                this, "maxWorkers", "workers that may join while it trains; 0 for numWorkers");
    }

    /** The way in which workers are started. */
    default Param<String> launcher() {
        return new Param<>(this, "launcher", "tasks, or barrier for one barrier stage");
    }

    /** Seed of all random draws. */
    default LongParam seed() {
        return new LongParam(this, "seed", "random seed");
    }

    /** Passes over the rows, or rounds of trees. */
    default IntParam maxIter() {
        return new IntParam(
                this, "maxIter", "epochs, or rounds of trees; 0 for the family's default");
    }

    /** Rows that are kept for validation. */
    default DoubleParam validationFraction() {
        return new DoubleParam(
                this, "validationFraction", "share of rows to judge by, for early stopping");
    }

    /** A column that says which rows are kept for validation. */
    default Param<String> validationIndicatorCol() {
        return new Param<>(this, "validationIndicatorCol", "boolean: true for rows to judge by");
    }

    /** A column that says what rows count. */
    default Param<String> weightCol() {
        return new Param<>(this, "weightCol", "what each row counts");
    }

    /** Where the record and the report of each run go, on the driver. */
    default Param<String> runsFolder() {
        return new Param<>(this, "runsFolder", "folder of runs on the driver");
    }

    /** Whether the record stays when it is over. */
    default BooleanParam keepRun() {
        return new BooleanParam(this, "keepRun", "whether the record and report of the run stay");
    }

    /** A run that broke off and is gone on with. */
    default Param<String> resume() {
        return new Param<>(
                this, "resume", "run to go on with, by its folder or name; latest; empty for none");
    }

    /** Sets the defaults; called by constructors. */
    default void setMedleyDefaults(String family) {
        setDefault(model(), family);
        setDefault(job(), "");
        setDefault(settings(), new String[0]);
        setDefault(inputCols(), new String[0]);
        setDefault(numWorkers(), 0);
        setDefault(maxWorkers(), 0);
        setDefault(launcher(), word(ExecutorWishes.Kind.TASKS));
        setDefault(seed(), 1L);
        setDefault(maxIter(), 0);
        setDefault(validationFraction(), 0.0);
        setDefault(validationIndicatorCol(), "");
        setDefault(weightCol(), "");
        setDefault(runsFolder(), "runs");
        setDefault(keepRun(), true);
        setDefault(resume(), "");
    }

    private static String word(ExecutorWishes.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** This estimator. */
    E self();

    /** Sets the model family. */
    default E setModel(String value) {
        set(model(), value);
        return self();
    }

    /** Sets the text of a job file. */
    default E setJob(String value) {
        set(job(), value);
        return self();
    }

    /** Sets settings of the job. */
    default E setSettings(String[] value) {
        set(settings(), value);
        return self();
    }

    /** Sets columns that are read in place of the features. */
    default E setInputCols(String[] value) {
        set(inputCols(), value);
        return self();
    }

    /** Sets the workers that begin. */
    default E setNumWorkers(int value) {
        set(numWorkers(), value);
        return self();
    }

    /** Sets the workers that may take part. */
    default E setMaxWorkers(int value) {
        set(maxWorkers(), value);
        return self();
    }

    /** Sets how workers are started. */
    default E setLauncher(String value) {
        set(launcher(), value);
        return self();
    }

    /** Sets the seed. */
    default E setSeed(long value) {
        set(seed(), value);
        return self();
    }

    /** Sets epochs, or rounds of trees. */
    default E setMaxIter(int value) {
        set(maxIter(), value);
        return self();
    }

    /** Sets the share of rows to judge by. */
    default E setValidationFraction(double value) {
        set(validationFraction(), value);
        return self();
    }

    /** Sets the column of rows to judge by. */
    default E setValidationIndicatorCol(String value) {
        set(validationIndicatorCol(), value);
        return self();
    }

    /** Sets the column of weights. */
    default E setWeightCol(String value) {
        set(weightCol(), value);
        return self();
    }

    /** Sets the folder of runs. */
    default E setRunsFolder(String value) {
        set(runsFolder(), value);
        return self();
    }

    /** Sets whether the record of the run stays. */
    default E setKeepRun(boolean value) {
        set(keepRun(), value);
        return self();
    }

    /** Sets the run to go on with. */
    default E setResume(String value) {
        set(resume(), value);
        return self();
    }

    /** What these parameters ask of the application. */
    default ExecutorWishes wishes(int executors) {
        int asked = (int) getOrDefault(numWorkers());
        int least = asked > 0 ? asked : Math.max(1, executors);
        int most = (int) getOrDefault(maxWorkers());
        return new ExecutorWishes(least, most > 0 ? most : least, kind());
    }

    private ExecutorWishes.Kind kind() {
        String named = getOrDefault(launcher());
        for (ExecutorWishes.Kind kind : ExecutorWishes.Kind.values()) {
            if (word(kind).equals(named)) {
                return kind;
            }
        }
        throw new ConfigException("launcher=%s: tasks or barrier".formatted(named));
    }
}
