package dev.medley.spark.ml;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.JobSpec;
import dev.medley.spark.rows.FrameColumns;
import java.util.List;
import org.apache.spark.ml.classification.ProbabilisticClassifier;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Learns classes: labels are whole numbers from 0, as Spark's {@code StringIndexer} gives them. Any
 * family that predicts classes of rows trains, boosting where none is named.
 *
 * <pre>{@code
 * MedleyClassificationModel model = new MedleyClassifier()
 *         .setModel("boosting").setLabelCol("income").setFeaturesCol("features").fit(rows);
 * }</pre>
 *
 * <p>Thread: the caller's.
 */
public class MedleyClassifier
        extends ProbabilisticClassifier<Vector, MedleyClassifier, MedleyClassificationModel>
        implements MedleyParams<MedleyClassifier>, DefaultParamsWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;

    /** Of that name. */
    public MedleyClassifier(String uid) {
        this(EarlyUid.of(uid), "boosting");
    }

    private MedleyClassifier(String uid, String family) {
        this.uid = uid;
        setMedleyDefaults(family);
    }

    /** With defaults. */
    public MedleyClassifier() {
        this(Identifiable$.MODULE$.randomUID("medley_classifier"));
    }

    /** Reads one that was written. */
    public static MedleyClassifier load(String path) {
        return read().load(path);
    }

    /** Reads those that were written. */
    public static MLReader<MedleyClassifier> read() {
        return new DefaultParamsReader<>();
    }

    @Override
    public String uid() {
        return uid == null ? EarlyUid.pending() : uid; // Asked for by constructors above this one.
    }

    @Override
    public MedleyClassifier self() {
        return this;
    }

    @Override
    public MLWriter write() {
        return DefaultParamsWritable.super.write();
    }

    @Override
    public MedleyClassifier copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public StructType transformSchema(StructType schema) {
        if (getOrDefault(inputCols()).length == 0) {
            return super.transformSchema(schema);
        }
        return schema.add(getRawPredictionCol(), SQLDataTypes.VectorType())
                .add(getProbabilityCol(), SQLDataTypes.VectorType())
                .add(getPredictionCol(), DataTypes.DoubleType);
    }

    /**
     * Trains on the executors.
     *
     * @throws dev.medley.base.ConfigException if columns, rows or parameters cannot be used
     * @throws dev.medley.api.TrainingFailedException if training ended without a model
     */
    @Override
    public MedleyClassificationModel train(Dataset<?> rows) {
        List<String> inputs = FrameTraining.inputs(this, getFeaturesCol());
        JobSpec job = JobOfParams.of(this, getLabelCol(), "classification");
        FrameColumns.Wanted wanted =
                new FrameColumns.Wanted(
                        inputs,
                        getLabelCol(),
                        FrameTraining.orNull(getOrDefault(weightCol())),
                        FrameTraining.orNull(getOrDefault(validationIndicatorCol())));
        FrameTraining.Trained trained = FrameTraining.train(rows, wanted, job, this);
        for (String label : trained.files().description().signature().target().labels()) {
            check(
                    label.matches("\\d{1,6}"),
                    "labelCol=%s: has the label %s; whole numbers from 0 are needed, as"
                            + " StringIndexer gives them (MedleyEstimator takes any label)",
                    getLabelCol(),
                    label);
        }
        MedleyClassificationModel model =
                new MedleyClassificationModel(uid, trained.files()).withInputs(inputs);
        return model;
    }
}
