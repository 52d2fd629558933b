package dev.medley.spark.ml;

import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Predicts numbers. {@link #transform} computes some hundred rows at a time; each executor loads
 * the model once.
 *
 * <p>Thread: any.
 */
public class MedleyRegressionModel extends RegressionModel<Vector, MedleyRegressionModel>
        implements MLWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final ModelFiles files;

    MedleyRegressionModel(String uid, ModelFiles files) {
        this(files, EarlyUid.of(uid));
    }

    private MedleyRegressionModel(ModelFiles files, String uid) {
        this.uid = uid;
        this.files = files;
        setDefault(inputCols(), new String[0]);
    }

    MedleyRegressionModel withInputs(List<String> inputs) {
        set(inputCols(), inputs.toArray(String[]::new));
        return this;
    }

    /** Reads one that was written. */
    public static MedleyRegressionModel load(String path) {
        return read().load(path);
    }

    /** Reads those that were written. */
    public static MLReader<MedleyRegressionModel> read() {
        return ModelWriter.reader(MedleyRegressionModel.class, MedleyRegressionModel::new);
    }

    /** Columns that the model reads. */
    public final StringArrayParam inputCols() {
        return new StringArrayParam(this, "inputCols", "columns that the model reads");
    }

    @Override
    public String uid() {
        return uid == null ? EarlyUid.pending() : uid; // Asked for by constructors above this one.
    }

    @Override
    public MLWriter write() {
        return new ModelWriter(this, files);
    }

    @Override
    public MedleyRegressionModel copy(ParamMap extra) {
        MedleyRegressionModel copy = new MedleyRegressionModel(uid, files);
        copyValues(copy, extra);
        copy.setParent(parent());
        return copy;
    }

    @Override
    public double predict(Vector features) {
        return OneRow.outputs(files, features)[0];
    }

    private Scoring.Inputs inputs() {
        List<String> trained = List.of(getOrDefault(inputCols()));
        // One vector alone may be called otherwise now.
        return Scoring.Inputs.of(
                trained, getFeaturesCol(), trained.size() == 1 && isSet(featuresCol()));
    }

    @Override
    public StructType transformSchema(StructType schema) {
        StructType all = schema;
        for (StructField field : added()) {
            all = all.add(field);
        }
        return all;
    }

    private List<StructField> added() {
        return List.of(
                new StructField(getPredictionCol(), DataTypes.DoubleType, false, Metadata.empty()));
    }

    @Override
    public Dataset<Row> transform(Dataset<?> rows) {
        return Scoring.add(
                rows, files, inputs(), added(), outputs -> new Object[] {(double) outputs[0]});
    }
}
