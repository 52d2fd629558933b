package dev.medley.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.spark.LocalCluster;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on texts and on groups learn from a DataFrame, and their models predict for one. */
@Tag("real")
class TextsAndGroupsTest {
    private final SparkSession session = LocalCluster.shared();
    @TempDir Path folder;

    private MedleyModel trained(String job, Dataset<Row> rows) {
        return new MedleyEstimator()
                .setJob(job)
                .setNumWorkers(2)
                .setRunsFolder(folder.resolve("runs").toString())
                .fit(rows);
    }

    @Test
    void shouldLearnFromTextsAndPredictForLongerOnes() {
        Dataset<Row> rows =
                session.range(0, 900, 1, 4)
                        .selectExpr(
                                "concat('word', id % 7, ' word', id % 5, IF(id % 3 = 0, ' good',"
                                        + " ' bad')) AS review",
                                "concat('user', id % 50) AS user",
                                "IF(id % 3 = 0, 'yes', 'no') AS y");
        MedleyModel model =
                trained(
                        """
                        name: reviews
                        model: linear
                        data: {label: y, table: {text: [review], hashed: [user]}}
                        train: {epochs: 30, optimizer: lbfgs}
                        """,
                        rows);
        assertThat(model.transform(rows).where("prediction = y").count()).isEqualTo(900);
        // More words than any row to learn from had: all of them are read.
        Dataset<Row> longer =
                session.range(0, 2100, 1, 1)
                        .selectExpr(
                                "IF(id = 1500, 'word0 word1 word2 word3 word4 word5 word6 good', "
                                        + "'word1 word1 bad') AS review",
                                "'user1' AS user");
        Dataset<Row> predicted = model.transform(longer);
        assertThat(predicted.where("prediction = 'yes'").count()).isEqualTo(1);
    }

    @Test
    void shouldRankRowsOfGroups() {
        Dataset<Row> rows =
                session.range(0, 1200, 1, 4)
                        .selectExpr(
                                "id % 60 AS query",
                                "id * 37 % 100 AS x", "CAST(id * 37 % 100 DIV 25 AS INT) AS grade");
        MedleyModel model =
                trained(
                        "{name: ranked, model: {family: boosting, rounds: 10}, data: {label: grade,"
                                + " group: query, split: 0.2}}",
                        rows);
        Dataset<Row> predicted = model.transform(rows);
        assertThat(predicted.columns()).containsExactly("query", "x", "grade", "prediction");
        assertThat(predicted.stat().corr("prediction", "grade")).isGreaterThan(0.9);
    }
}
