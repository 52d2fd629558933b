package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.GBTRegressionModel;
import org.apache.spark.ml.regression.GBTRegressor;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.sql.Dataset;

/** Spark's boosting of a number, grown by Medley over all workers. */
public class MedleyGbtRegressor extends GBTRegressor {
    private static final long serialVersionUID = 1L;

    /** Made by Spark Connect. */
    public MedleyGbtRegressor(String uid) {
        super(uid);
    }

    /** Made by a service loader. */
    public MedleyGbtRegressor() {}

    /** Reads one that was written. */
    public static MedleyGbtRegressor load(String path) {
        return new DefaultParamsReader<MedleyGbtRegressor>().load(path);
    }

    @Override
    public MedleyGbtRegressor copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public GBTRegressionModel train(Dataset<?> rows) {
        Asked asked = new Asked(this);
        int features = Frames.size(rows, getFeaturesCol());
        if (Asked.isForSpark(
                this,
                asked.set("lossType", "squared"::equals),
                asked.set("featureSubsetStrategy", "all"::equals),
                asked.set("minInstancesPerNode", Integer.valueOf(1)::equals),
                asked.set("minInfoGain", Double.valueOf(0)::equals),
                asked.set("minWeightFractionPerNode", Double.valueOf(0)::equals))) {
            return super.train(rows);
        }
        try (TrainedModel trained = asked.model(rows, job(), "regression")) {
            SparkTrees trees = SparkTrees.of(trained, features);
            double[] weights = new double[trees.trees()];
            Arrays.fill(weights, 1);
            return new GBTRegressionModel(
                    uid(), trees.regression(1, trees.start()), weights, features);
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
