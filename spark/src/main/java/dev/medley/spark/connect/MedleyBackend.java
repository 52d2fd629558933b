package dev.medley.spark.connect;

import java.util.Map;
import java.util.Optional;
import org.apache.spark.ml.classification.GBTClassifier;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.RandomForestClassifier;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.regression.GBTRegressor;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.RandomForestRegressor;
import org.apache.spark.sql.connect.plugin.MLBackendPlugin;

/**
 * Puts Medley in the place of Spark's estimators, in sessions whose setting {@code
 * spark.connect.ml.backend.classes} names this class.
 */
public final class MedleyBackend implements MLBackendPlugin {
    private static final Map<String, Class<?>> OURS =
            Map.of(
                    LogisticRegression.class.getName(), MedleyLogisticRegression.class,
                    LinearRegression.class.getName(), MedleyLinearRegression.class,
                    KMeans.class.getName(), MedleyKMeans.class,
                    GBTClassifier.class.getName(), MedleyGbtClassifier.class,
                    GBTRegressor.class.getName(), MedleyGbtRegressor.class,
                    RandomForestClassifier.class.getName(), MedleyForestClassifier.class,
                    RandomForestRegressor.class.getName(), MedleyForestRegressor.class);

    /** Made by Spark. */
    public MedleyBackend() {}

    @Override
    public Optional<String> transform(String mlName) {
        return Optional.ofNullable(OURS.get(mlName)).map(Class::getName);
    }
}
