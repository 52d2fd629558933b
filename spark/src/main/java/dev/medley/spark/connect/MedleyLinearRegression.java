package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import java.util.Locale;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.sql.Dataset;

/** Spark's linear regression, fitted by Medley over all workers with L-BFGS. */
public class MedleyLinearRegression extends LinearRegression {
    private static final long serialVersionUID = 1L;

    /** Made by Spark Connect. */
    public MedleyLinearRegression(String uid) {
        super(uid);
    }

    /** Made by a service loader. */
    public MedleyLinearRegression() {}

    /** Reads one that was written. */
    public static MedleyLinearRegression load(String path) {
        return new DefaultParamsReader<MedleyLinearRegression>().load(path);
    }

    @Override
    public MedleyLinearRegression copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public LinearRegressionModel train(Dataset<?> rows) {
        Asked asked = new Asked(this);
        boolean isForSpark =
                Asked.isForSpark(
                        this,
                        getFitIntercept() ? null : "fitIntercept is false",
                        getRegParam() == 0 ? null : "regParam is above 0",
                        asked.set("loss", "squaredError"::equals));
        if (isForSpark) {
            return super.train(rows);
        }
        try (TrainedModel trained = asked.model(rows, job(), "regression")) {
            LinearParts parts = LinearParts.of(trained, Frames.size(rows, getFeaturesCol()));
            return new LinearRegressionModel(
                    uid(), new DenseVector(parts.weights[0]), parts.intercepts[0]);
        }
    }

    private String job() {
        return String.format(
                Locale.ROOT,
                "name: linear-regression%nmodel: linear%ndata: {split: 0, table: {scaling:"
                        + " standard}}%ntrain: {epochs: %d, optimizer: {kind: lbfgs,"
                        + " standard_errors: false}}%n",
                Math.max(1, getMaxIter()));
    }
}
