package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import dev.medley.base.job.Signature.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.sql.Dataset;

/** Spark's logistic regression, fitted by Medley over all workers with L-BFGS. */
public class MedleyLogisticRegression extends LogisticRegression {
    private static final long serialVersionUID = 1L;

    /** Made by Spark Connect. */
    public MedleyLogisticRegression(String uid) {
        super(uid);
    }

    /** Made by a service loader. */
    public MedleyLogisticRegression() {}

    /** Reads one that was written. */
    public static MedleyLogisticRegression load(String path) {
        return new DefaultParamsReader<MedleyLogisticRegression>().load(path);
    }

    @Override
    public MedleyLogisticRegression copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public LogisticRegressionModel train(Dataset<?> rows) {
        Asked asked = new Asked(this);
        boolean isForSpark =
                Asked.isForSpark(
                        this,
                        getFitIntercept() ? null : "fitIntercept is false",
                        asked.set("family", "auto"::equals),
                        asked.set("lowerBoundsOnCoefficients", any -> false),
                        asked.set("upperBoundsOnCoefficients", any -> false),
                        asked.set("lowerBoundsOnIntercepts", any -> false),
                        asked.set("upperBoundsOnIntercepts", any -> false));
        if (isForSpark) {
            return super.train(rows);
        }
        try (TrainedModel trained = asked.model(rows, job(), "classification")) {
            int features = Frames.size(rows, getFeaturesCol());
            LinearParts parts = LinearParts.of(trained, features);
            Target target = trained.description().signature().target();
            String odd =
                    target.labels().stream()
                            .filter(label -> !label.matches("\\d{1,6}"))
                            .findFirst()
                            .orElse(null);
            if (Asked.isForSpark(this, odd == null ? null : "there is a label " + odd)) {
                return super.train(rows);
            }
            List<Integer> labels = target.labels().stream().map(Integer::valueOf).toList();
            int classes =
                    Math.max(2, labels.stream().mapToInt(Integer::intValue).max().orElse(1) + 1);
            if (classes == 2) {
                return new LogisticRegressionModel(
                        uid(), new DenseVector(parts.weights[0]), parts.intercepts[0]);
            }
            return multinomial(parts, labels, classes, features);
        }
    }

    private LogisticRegressionModel multinomial(
            LinearParts parts, List<Integer> labels, int classes, int features) {
        double[] weights = new double[classes * features]; // Column by column.
        double[] intercepts = new double[classes];
        Arrays.fill(intercepts, Double.NEGATIVE_INFINITY);
        for (int i = 0; i < labels.size(); i++) {
            int row = labels.get(i);
            boolean isSecond = parts.intercepts.length == 1;
            int output = isSecond ? 0 : i;
            double sign = isSecond ? (i == 1 ? 0.5 : -0.5) : 1;
            intercepts[row] = sign * parts.intercepts[output];
            for (int feature = 0; feature < features; feature++) {
                weights[feature * classes + row] = sign * parts.weights[output][feature];
            }
        }
        return new LogisticRegressionModel(
                uid(),
                new DenseMatrix(classes, features, weights),
                new DenseVector(intercepts),
                classes,
                true);
    }

    /** Spark's penalty is of coefficients of standardised features, unless it is told otherwise. */
    private String job() {
        return String.format(
                Locale.ROOT,
                "name: logistic-regression%nmodel: linear%ndata: {split: 0, table: {scaling:"
                    + " %s}}%ntrain: {epochs: %d, optimizer: {kind: lbfgs, weight_decay: %s, l1:"
                    + " %s, standard_errors: false}}%n",
                getStandardization() ? "standard" : "none",
                Math.max(1, getMaxIter()),
                Double.toString(getRegParam() * (1 - getElasticNetParam())),
                Double.toString(getRegParam() * getElasticNetParam()));
    }
}
