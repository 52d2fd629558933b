package dev.medley.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.spark.LocalCluster;
import java.nio.file.Path;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.ml.tuning.TrainValidationSplit;
import org.apache.spark.ml.tuning.TrainValidationSplitModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class EstimatorsTest {
    private final SparkSession session = LocalCluster.shared();
    @TempDir Path folder;

    /** Rows whose label follows from two numbers and a text. */
    private Dataset<Row> rows(int count) {
        return session.range(0, count, 1, 4)
                .selectExpr(
                        "id",
                        "randn(1) AS a",
                        "IF(id % 50 = 0, NULL, randn(2)) AS b",
                        "element_at(array('red', 'green', 'blue'), CAST(id % 3 AS INT) + 1) AS c",
                        "date_add(DATE'2024-01-01', CAST(id % 300 AS INT)) AS d")
                .selectExpr(
                        "*",
                        "CAST(a + coalesce(b, 0) + IF(c = 'red', 1, 0) > 0.3 AS DOUBLE) AS label")
                .cache();
    }

    @Test
    void shouldTrainAndPredictInAPipeline() throws Exception {
        Dataset<Row> rows = rows(3000).na().fill(0);
        Pipeline pipeline =
                new Pipeline()
                        .setStages(
                                new PipelineStage[] {
                                    new VectorAssembler()
                                            .setInputCols(new String[] {"a", "b"})
                                            .setOutputCol("features"),
                                    new MedleyClassifier()
                                            .setModel("boosting")
                                            .setNumWorkers(2)
                                            .setRunsFolder(folder.resolve("runs").toString())
                                            .setMaxIter(20)
                                });
        PipelineModel model = pipeline.fit(rows);
        Dataset<Row> predicted = model.transform(rows);
        double auc = new BinaryClassificationEvaluator().evaluate(predicted);
        assertThat(auc).isGreaterThan(0.9);
        String path = folder.resolve("saved").toString();
        model.write().overwrite().save(path);
        Dataset<Row> again = PipelineModel.load(path).transform(rows);
        assertThat(again.select("prediction", "probability").collectAsList())
                .isEqualTo(predicted.select("prediction", "probability").collectAsList());
        pipeline.write().overwrite().save(path);
        assertThat(Pipeline.load(path).getStages()).hasSize(2);
    }

    @Test
    void shouldTrainAJobOnColumnsOfAllTypes() throws Exception {
        Dataset<Row> rows =
                rows(3000).selectExpr("a", "b", "c", "d", "IF(label > 0, 'yes', 'no') AS y");
        MedleyModel model =
                new MedleyEstimator()
                        .setJob("name: typed\ndata: {label: y}\nmodel: mlp\ntrain: {epochs: 6}\n")
                        .setNumWorkers(2)
                        .setRunsFolder(folder.resolve("runs").toString())
                        .fit(rows);
        assertThat(model.labels()).containsExactly("no", "yes");
        Dataset<Row> predicted = model.transform(rows);
        long right = predicted.where("prediction = y").count();
        assertThat(right).isGreaterThan(2700);
        String path = folder.resolve("model").toString();
        model.write().overwrite().save(path);
        assertThat(MedleyModel.load(path).transform(rows).where("prediction = y").count())
                .isEqualTo(right);
    }

    @Test
    void shouldBeChosenByCrossValidation() {
        MedleyClassifier classifier =
                new MedleyClassifier()
                        .setModel("boosting")
                        .setNumWorkers(2)
                        .setRunsFolder(folder.resolve("runs").toString());
        ParamMap[] grid =
                new ParamGridBuilder().addGrid(classifier.maxIter(), new int[] {1, 15}).build();
        Dataset<Row> rows =
                new VectorAssembler()
                        .setInputCols(new String[] {"a", "b"})
                        .setOutputCol("features")
                        .transform(rows(800).na().fill(0));
        BinaryClassificationEvaluator auc = new BinaryClassificationEvaluator();
        CrossValidatorModel chosen =
                new CrossValidator()
                        .setEstimator(classifier)
                        .setEvaluator(auc)
                        .setEstimatorParamMaps(grid)
                        .setNumFolds(2)
                        .setParallelism(2)
                        .fit(rows);
        assertThat(chosen.avgMetrics()[1]).isGreaterThan(chosen.avgMetrics()[0]);
        assertThat(auc.evaluate(chosen.transform(rows))).isGreaterThan(0.85);
        TrainValidationSplitModel split =
                new TrainValidationSplit()
                        .setEstimator(classifier)
                        .setEvaluator(auc)
                        .setEstimatorParamMaps(new ParamMap[] {grid[1]})
                        .fit(rows);
        assertThat(split.validationMetrics()[0]).isGreaterThan(0.85);
        assertThat(split.bestModel()).isInstanceOf(MedleyClassificationModel.class);
    }

    /** A system's OpenBLAS and that of LibTorch want the same name in a process. */
    @Test
    void shouldLeaveMllibItsOwnBlas() {
        Dataset<Row> rows =
                new VectorAssembler()
                        .setInputCols(new String[] {"a", "b"})
                        .setOutputCol("features")
                        .transform(rows(2000).na().fill(0).selectExpr("*", "2 * a - b + 1 AS y"));
        MedleyRegressor medley =
                new MedleyRegressor()
                        .setModel("linear")
                        .setNumWorkers(2)
                        .setRunsFolder(folder.resolve("runs").toString());
        medley.setLabelCol("y");
        medley.fit(rows).transform(rows).count();
        LinearRegressionModel theirs =
                new LinearRegression().setLabelCol("y").setSolver("l-bfgs").fit(rows);
        assertThat(theirs.coefficients().toArray())
                .containsExactly(new double[] {2, -1}, Offset.offset(1e-3));
        assertThat(theirs.intercept()).isCloseTo(1, Offset.offset(1e-3));
    }
}
