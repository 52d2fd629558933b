package dev.medley.spark.ml;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.inference.model.Prediction;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Predicts what its job learnt: the label of a class with the probabilities of all, a number, or a
 * cluster with the distance to its centre.
 *
 * <p>Thread: any.
 */
public class MedleyModel extends Model<MedleyModel> implements MLWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final ModelFiles files;

    MedleyModel(String uid, ModelFiles files) {
        this(files, EarlyUid.of(uid));
    }

    private MedleyModel(ModelFiles files, String uid) {
        this.uid = uid;
        this.files = files;
        setDefault(inputCols(), new String[0]);
        setDefault(predictionCol(), "prediction");
        setDefault(probabilityCol(), "probability");
    }

    MedleyModel withInputs(List<String> inputs) {
        set(inputCols(), inputs.toArray(String[]::new));
        return this;
    }

    /** Reads one that was written. */
    public static MedleyModel load(String path) {
        return read().load(path);
    }

    /** Reads those that were written. */
    public static MLReader<MedleyModel> read() {
        return ModelWriter.reader(MedleyModel.class, MedleyModel::new);
    }

    /** Columns that the model reads. */
    public final StringArrayParam inputCols() {
        return new StringArrayParam(this, "inputCols", "columns that the model reads");
    }

    /** See {@link MedleyEstimator#predictionCol}. */
    public final Param<String> predictionCol() {
        return new Param<>(this, "predictionCol", "name of the prediction");
    }

    /** See {@link MedleyEstimator#probabilityCol}. */
    public final Param<String> probabilityCol() {
        return new Param<>(this, "probabilityCol", "name of the scores; empty for none");
    }

    /** Names of the classes, in the order of the probabilities; empty where there are none. */
    public List<String> labels() {
        return target().labels();
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
    public MedleyModel copy(ParamMap extra) {
        MedleyModel copy = new MedleyModel(uid, files);
        copyValues(copy, extra);
        return copy.setParent(parent());
    }

    private Target target() {
        return files.description().signature().target();
    }

    @Override
    public StructType transformSchema(StructType schema) {
        Encoding encoding = files.encoding();
        if (isOverTime(encoding)) {
            return SeriesScoring.schema(schema, encoding, added());
        }
        StructType all = schema;
        for (StructField field : added()) {
            all = all.add(field);
        }
        return all;
    }

    private static boolean isOverTime(Encoding encoding) {
        check(
                !(encoding instanceof TextEncoding),
                "a model of a language goes on with texts, and says nothing of rows: take its"
                        + " folder (keepRun) and medley generate");
        return encoding instanceof SeriesEncoding || encoding instanceof SequenceEncoding;
    }

    private List<StructField> added() {
        TargetKind kind = target().kind();
        boolean isClass = kind == TargetKind.BINARY || kind == TargetKind.CLASSES;
        DataType type =
                isClass
                        ? DataTypes.StringType
                        : kind == TargetKind.NONE ? DataTypes.IntegerType : DataTypes.DoubleType;
        List<StructField> added = new ArrayList<>();
        added.add(new StructField(getOrDefault(predictionCol()), type, false, Metadata.empty()));
        String scores = getOrDefault(probabilityCol());
        if (kind != TargetKind.VALUE && kind != TargetKind.GRADE && !scores.isEmpty()) {
            added.add(new StructField(scores, SQLDataTypes.VectorType(), false, Metadata.empty()));
        }
        return added;
    }

    /** The values of those columns. */
    private static final class Answers implements Scoring.Answer {
        private static final long serialVersionUID = 1L;

        private final ModelFiles files;
        private final int columns;
        private transient @Nullable Target target;
        private transient @Nullable DecisionThreshold threshold;

        Answers(ModelFiles files, int columns) {
            this.files = files;
            this.columns = columns;
        }

        @Override
        public Object[] of(float[] outputs) {
            Target known = target;
            if (known == null) {
                known = files.description().signature().target();
                threshold = files.description().threshold();
                target = known;
            }
            Prediction prediction = Prediction.of(known, threshold, outputs);
            Object answer =
                    switch (known.kind()) {
                        case BINARY, CLASSES -> prediction.answer();
                        case NONE -> Integer.parseInt(prediction.answer());
                        default -> (double) outputs[0];
                    };
            if (columns == 1) {
                return new Object[] {answer};
            }
            double[] scores =
                    prediction.scores().stream().mapToDouble(Double::doubleValue).toArray();
            return new Object[] {answer, new DenseVector(scores)};
        }
    }

    /**
     * The rows with what is predicted of each. Of series the rows that come after them, and of
     * sequences a row for each.
     */
    @Override
    public Dataset<Row> transform(Dataset<?> rows) {
        List<StructField> added = added();
        if (isOverTime(files.encoding())) {
            return SeriesScoring.of(rows, files, added);
        }
        return Scoring.add(
                rows,
                files,
                new Scoring.Inputs(
                        List.of(getOrDefault(inputCols())), List.of(getOrDefault(inputCols()))),
                added,
                new Answers(files, added.size()));
    }
}
