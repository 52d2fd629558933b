package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.ml.classification.GBTClassificationModel;
import org.apache.spark.ml.classification.GBTClassifier;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.sql.Dataset;

/** Spark's boosting of two classes, grown by Medley over all workers. */
public class MedleyGbtClassifier extends GBTClassifier {
    private static final long serialVersionUID = 1L;

    /** Made by Spark Connect. */
    public MedleyGbtClassifier(String uid) {
        super(uid);
    }

    /** Made by a service loader. */
    public MedleyGbtClassifier() {}

    /** Reads one that was written. */
    public static MedleyGbtClassifier load(String path) {
        return new DefaultParamsReader<MedleyGbtClassifier>().load(path);
    }

    @Override
    public MedleyGbtClassifier copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public GBTClassificationModel train(Dataset<?> rows) {
        Asked asked = new Asked(this);
        int features = Frames.size(rows, getFeaturesCol());
        if (Asked.isForSpark(
                this,
                asked.set("lossType", "logistic"::equals),
                asked.set("featureSubsetStrategy", "all"::equals),
                asked.set("minInstancesPerNode", Integer.valueOf(1)::equals),
                asked.set("minInfoGain", Double.valueOf(0)::equals),
                asked.set("minWeightFractionPerNode", Double.valueOf(0)::equals))) {
            return super.train(rows);
        }
        try (TrainedModel trained = asked.model(rows, job(), "classification")) {
            if (Asked.isForSpark(this, Asked.unlessTwoClasses(trained))) {
                return super.train(rows);
            }
            SparkTrees trees = SparkTrees.of(trained, features);
            // Spark's margin is half of the logit.
            double[] weights = new double[trees.trees()];
            Arrays.fill(weights, 1);
            return new GBTClassificationModel(
                    uid(), trees.regression(0.5, 0.5 * trees.start()), weights, features, 2);
        }
    }

    private String job() {
        return String.format(
                Locale.ROOT,
                "name: boosting%nmodel: {family: boosting, rounds: %d, learning_rate: %s, depth:"
                        + " %d, bins: %d, subsample: %s}%ndata: {split: 0}%nseed: %d%n",
                getMaxIter(),
                Double.toString(getStepSize()),
                getMaxDepth(),
                getMaxBins(),
                Double.toString(getSubsamplingRate()),
                getSeed() & Long.MAX_VALUE);
    }
}
