package dev.medley.spark.ml;

import dev.medley.base.job.JobSpec;
import dev.medley.spark.rows.FrameColumns;
import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.Regressor;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Learns numbers. Any family that predicts numbers of rows trains, boosting where none is named.
 *
 * <pre>{@code
 * MedleyRegressionModel model = new MedleyRegressor()
 *         .setModel("boosting").setLabelCol("price").setFeaturesCol("features").fit(rows);
 * }</pre>
 *
 * <p>Thread: the caller's.
 */
public class MedleyRegressor extends Regressor<Vector, MedleyRegressor, MedleyRegressionModel>
        implements MedleyParams<MedleyRegressor>, DefaultParamsWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;

    /** Of that name. */
    public MedleyRegressor(String uid) {
        this(EarlyUid.of(uid), "boosting");
    }

    private MedleyRegressor(String uid, String family) {
        this.uid = uid;
        setMedleyDefaults(family);
    }

    /** With defaults. */
    public MedleyRegressor() {
        this(Identifiable$.MODULE$.randomUID("medley_regressor"));
    }

    /** Reads one that was written. */
    public static MedleyRegressor load(String path) {
        return read().load(path);
    }

    /** Reads those that were written. */
    public static MLReader<MedleyRegressor> read() {
        return new DefaultParamsReader<>();
    }

    @Override
    public String uid() {
        return uid == null ? EarlyUid.pending() : uid; // Asked for by constructors above this one.
    }

    @Override
    public MedleyRegressor self() {
        return this;
    }

    @Override
    public MLWriter write() {
        return DefaultParamsWritable.super.write();
    }

    @Override
    public MedleyRegressor copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public StructType transformSchema(StructType schema) {
        if (getOrDefault(inputCols()).length == 0) {
            return super.transformSchema(schema);
        }
        return schema.add(getPredictionCol(), DataTypes.DoubleType);
    }

    /**
     * Trains on the executors.
     *
     * @throws dev.medley.base.ConfigException if columns, rows or parameters cannot be used
     * @throws dev.medley.api.TrainingFailedException if training ended without a model
     */
    @Override
    public MedleyRegressionModel train(Dataset<?> rows) {
        List<String> inputs = FrameTraining.inputs(this, getFeaturesCol());
        JobSpec job = JobOfParams.of(this, getLabelCol(), "regression");
        FrameColumns.Wanted wanted =
                new FrameColumns.Wanted(
                        inputs,
                        getLabelCol(),
                        FrameTraining.orNull(getOrDefault(weightCol())),
                        FrameTraining.orNull(getOrDefault(validationIndicatorCol())));
        FrameTraining.Trained trained = FrameTraining.train(rows, wanted, job, this);
        MedleyRegressionModel model =
                new MedleyRegressionModel(uid, trained.files()).withInputs(inputs);
        return model;
    }
}
