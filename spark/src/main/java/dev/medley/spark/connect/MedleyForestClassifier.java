package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import java.util.Locale;
import org.apache.spark.ml.classification.RandomForestClassificationModel;
import org.apache.spark.ml.classification.RandomForestClassifier;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.sql.Dataset;

/** Spark's random forest of two classes, grown by Medley over all workers. */
public class MedleyForestClassifier extends RandomForestClassifier {
    private static final long serialVersionUID = 1L;

    /** Made by Spark Connect. */
    public MedleyForestClassifier(String uid) {
        super(uid);
    }

    /** Made by a service loader. */
    public MedleyForestClassifier() {}

    /** Reads one that was written. */
    public static MedleyForestClassifier load(String path) {
        return new DefaultParamsReader<MedleyForestClassifier>().load(path);
    }

    @Override
    public MedleyForestClassifier copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public RandomForestClassificationModel train(Dataset<?> rows) {
        Asked asked = new Asked(this);
        int features = Frames.size(rows, getFeaturesCol());
        if (Asked.isForSpark(
                this,
                asked.set("minInstancesPerNode", Integer.valueOf(1)::equals),
                asked.set("minInfoGain", Double.valueOf(0)::equals),
                asked.set("minWeightFractionPerNode", Double.valueOf(0)::equals))) {
            return super.train(rows);
        }
        try (TrainedModel trained = asked.model(rows, job(features), "classification")) {
            if (Asked.isForSpark(this, Asked.unlessTwoClasses(trained))) {
                return super.train(rows);
            }
            SparkTrees trees = SparkTrees.of(trained, features);
            // A leaf holds its share of the mean of all trees.
            return new RandomForestClassificationModel(
                    uid(), trees.ofTwoClasses(trees.trees(), trees.start()), features, 2);
        }
    }

    private String job(int features) {
        return String.format(
                Locale.ROOT,
                "name: forest%nmodel: {family: forest, trees: %d, depth: %d, bins: %d, subsample:"
                        + " %s, colsample: %s}%ndata: {split: 0}%nseed: %d%n",
                getNumTrees(),
                getMaxDepth(),
                getMaxBins(),
                Double.toString(Forests.rows(getSubsamplingRate(), getBootstrap())),
                Double.toString(
                        Forests.columns(getFeatureSubsetStrategy(), features, getNumTrees(), true)),
                getSeed() & Long.MAX_VALUE);
    }
}
