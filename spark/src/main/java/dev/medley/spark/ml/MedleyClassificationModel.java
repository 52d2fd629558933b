package dev.medley.spark.ml;

import dev.medley.base.job.Signature.Target;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Tuple3;

/**
 * Predicts classes, with their probabilities. {@link #transform} computes some hundred rows at a
 * time; each executor loads the model once.
 *
 * <p>Thread: any.
 */
public class MedleyClassificationModel
        extends ProbabilisticClassificationModel<Vector, MedleyClassificationModel>
        implements MLWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final ModelFiles files;
    private final LabelScores scores;

    MedleyClassificationModel(String uid, ModelFiles files) {
        this(files, EarlyUid.of(uid));
    }

    private MedleyClassificationModel(ModelFiles files, String uid) {
        this.uid = uid;
        this.files = files;
        Target target = files.description().signature().target();
        this.scores = LabelScores.of(target);
        setDefault(inputCols(), new String[0]);
    }

    MedleyClassificationModel withInputs(List<String> inputs) {
        set(inputCols(), inputs.toArray(String[]::new));
        return this;
    }

    /** Reads one that was written. */
    public static MedleyClassificationModel load(String path) {
        return read().load(path);
    }

    /** Reads those that were written. */
    public static MLReader<MedleyClassificationModel> read() {
        return ModelWriter.reader(MedleyClassificationModel.class, MedleyClassificationModel::new);
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
    public MedleyClassificationModel copy(ParamMap extra) {
        MedleyClassificationModel copy = new MedleyClassificationModel(uid, files);
        copyValues(copy, extra);
        copy.setParent(parent());
        return copy;
    }

    /** As Scala sees it; raw, since Java takes the ones above it for different methods. */
    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public Tuple3 findSummaryModel() {
        return new Tuple3(this, getProbabilityCol(), getPredictionCol());
    }

    @Override
    public int numClasses() {
        return scores.classes();
    }

    @Override
    public Vector predictRaw(Vector features) {
        return new DenseVector(scores.raw(OneRow.outputs(files, features)));
    }

    @Override
    public Vector raw2probabilityInPlace(Vector raw) {
        return scores.probabilities(raw);
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
        List<StructField> added = new ArrayList<>();
        add(added, getRawPredictionCol(), true);
        add(added, getProbabilityCol(), true);
        add(added, getPredictionCol(), false);
        return added;
    }

    private static void add(List<StructField> added, String name, boolean isVector) {
        if (!name.isEmpty()) {
            added.add(
                    new StructField(
                            name,
                            isVector ? SQLDataTypes.VectorType() : DataTypes.DoubleType,
                            false,
                            Metadata.empty()));
        }
    }

    /** What is asked for of each row: an empty name of a column leaves it out. */
    private static final class Columns implements Scoring.Answer {
        private static final long serialVersionUID = 1L;

        private final LabelScores scores;
        private final boolean hasRaw;
        private final boolean hasProbability;
        private final boolean hasPrediction;
        private final double[] thresholds;

        Columns(LabelScores scores, MedleyClassificationModel model) {
            this.scores = scores;
            this.hasRaw = !model.getRawPredictionCol().isEmpty();
            this.hasProbability = !model.getProbabilityCol().isEmpty();
            this.hasPrediction = !model.getPredictionCol().isEmpty();
            this.thresholds =
                    model.isDefined(model.thresholds()) ? model.getThresholds() : new double[0];
        }

        @Override
        public Object[] of(float[] outputs) {
            List<Object> values = new ArrayList<>();
            double[] raw = scores.raw(outputs);
            if (hasRaw) {
                values.add(new DenseVector(raw.clone()));
            }
            Vector probability = scores.probabilities(new DenseVector(raw));
            if (hasProbability) {
                values.add(probability);
            }
            if (hasPrediction) {
                values.add(decided(probability));
            }
            return values.toArray();
        }

        /** As {@code ProbabilisticClassificationModel.probability2prediction}. */
        private double decided(Vector probability) {
            if (thresholds.length == 0) {
                return probability.argmax();
            }
            int best = 0;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < probability.size(); i++) {
                double scaled =
                        thresholds[i] == 0
                                ? (probability.apply(i) == 0 ? 0 : Double.POSITIVE_INFINITY)
                                : probability.apply(i) / thresholds[i];
                if (scaled > most) {
                    most = scaled;
                    best = i;
                }
            }
            return best;
        }
    }

    @Override
    public Dataset<Row> transform(Dataset<?> rows) {
        return Scoring.add(rows, files, inputs(), added(), new Columns(scores, this));
    }
}
