package dev.medley.spark.ml;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.spark.rows.FrameColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * Trains a job file on the rows of a DataFrame. Columns are read by their types: strings as
 * categories, or as texts and hashes where the job names them so, numbers, booleans, dates and
 * timestamps as they are, vectors element by element. Rows that are ranked, or follow each other in
 * time, may lie in any order. A column of images, as bytes of files or as Spark's source of images
 * gives them, is learnt from alone, and so are texts that are cut into tokens. The label may be a
 * string or a number; where the job learns without one, as k-means does, none is needed.
 *
 * <pre>{@code
 * MedleyModel model = new MedleyEstimator()
 *         .setJob("name: churn\ndata: {label: churned}\nmodel: boosting\n").fit(rows);
 * }</pre>
 *
 * <p>Thread: the caller's.
 */
public class MedleyEstimator extends Estimator<MedleyModel>
        implements MedleyParams<MedleyEstimator>, DefaultParamsWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;

    /** Of that name. */
    public MedleyEstimator(String uid) {
        this(EarlyUid.of(uid), "boosting");
    }

    private MedleyEstimator(String uid, String family) {
        this.uid = uid;
        setMedleyDefaults(family);
        setDefault(labelCol(), "");
        setDefault(predictionCol(), "prediction");
        setDefault(probabilityCol(), "probability");
    }

    /** With defaults. */
    public MedleyEstimator() {
        this(Identifiable$.MODULE$.randomUID("medley"));
    }

    /** Reads one that was written. */
    public static MedleyEstimator load(String path) {
        return read().load(path);
    }

    /** Reads those that were written. */
    public static MLReader<MedleyEstimator> read() {
        return new DefaultParamsReader<>();
    }

    /** The column to predict, in place of the job's {@code data.label}. */
    public final Param<String> labelCol() {
        return new Param<>(this, "labelCol", "column to predict; empty for the job's data.label");
    }

    /** What is predicted: a class's label, a number, or a cluster. */
    public final Param<String> predictionCol() {
        return new Param<>(this, "predictionCol", "name of the prediction");
    }

    /** Probabilities of the classes, or the distance to a cluster's centre. */
    public final Param<String> probabilityCol() {
        return new Param<>(this, "probabilityCol", "name of the scores; empty for none");
    }

    /** Sets the column to predict. */
    public MedleyEstimator setLabelCol(String name) {
        return (MedleyEstimator) set(labelCol(), name);
    }

    /** Sets the name of the prediction. */
    public MedleyEstimator setPredictionCol(String name) {
        return (MedleyEstimator) set(predictionCol(), name);
    }

    /** Sets the name of the scores. */
    public MedleyEstimator setProbabilityCol(String name) {
        return (MedleyEstimator) set(probabilityCol(), name);
    }

    @Override
    public String uid() {
        return uid == null ? EarlyUid.pending() : uid; // Asked for by constructors above this one.
    }

    @Override
    public MedleyEstimator self() {
        return this;
    }

    @Override
    public MLWriter write() {
        return DefaultParamsWritable.super.write();
    }

    @Override
    public MedleyEstimator copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    /** Not known before it has trained but for the name: what is predicted depends on the rows. */
    @Override
    public StructType transformSchema(StructType schema) {
        return schema;
    }

    /**
     * Trains on the executors.
     *
     * @throws dev.medley.base.ConfigException if columns, rows or the job cannot be used
     * @throws dev.medley.api.TrainingFailedException if training ended without a model
     */
    @Override
    public MedleyModel fit(Dataset<?> rows) {
        JobSpec job = JobOfParams.of(this, FrameTraining.orNull(getOrDefault(labelCol())), null);
        DataSpec data = job.data();
        String label = data.label();
        String weight = data.weight();
        String held = FrameTraining.orNull(getOrDefault(validationIndicatorCol()));
        List<String> roles = new ArrayList<>(Arrays.asList(label, weight, held, data.group()));
        roles.removeIf(Objects::isNull);
        List<String> inputs =
                JobInputs.of(rows.schema(), List.of(getOrDefault(inputCols())), roles, job);
        FrameTraining.Trained trained =
                FrameTraining.train(
                        rows,
                        new FrameColumns.Wanted(inputs, label, weight, held).rankedBy(data.group()),
                        job,
                        this);
        MedleyModel model = new MedleyModel(uid, trained.files());
        copyValues(model, ParamMap.empty());
        return model.withInputs(inputs).setParent(this);
    }
}
