package dev.medley.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.spark.LocalCluster;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on images and on texts that are cut into tokens learn from a DataFrame. */
@Tag("real")
class ImagesAndTokensTest {
    private static final String IMAGES =
            """
            name: stripes
            model: {family: cnn, channels: [4]}
            data: {label: way, split: 0.2}
            train: {epochs: 6, batch: 20}
            """;
    private static final int COUNT = 160;

    private final SparkSession session = LocalCluster.shared();
    @TempDir Path folder;

    private MedleyEstimator estimator(String job) {
        return new MedleyEstimator()
                .setJob(job)
                .setNumWorkers(2)
                .setRunsFolder(folder.resolve("runs").toString());
    }

    /** Stripes across or down, in a colour. */
    private Path stripes() throws IOException {
        for (int n = 0; n < COUNT; n++) {
            boolean isAcross = n % 2 == 0;
            BufferedImage image = new BufferedImage(12, 12, BufferedImage.TYPE_3BYTE_BGR);
            for (int i = 0; i < 144; i++) {
                int at = isAcross ? i / 12 : i % 12;
                image.setRGB(i % 12, i / 12, (at + n / 2) % 4 < 2 ? 0x20f040 + n : 0x101010 + i);
            }
            File file =
                    folder.resolve("images/%s/%03d.png".formatted(isAcross ? "across" : "down", n))
                            .toFile();
            Files.createDirectories(file.toPath().getParent());
            ImageIO.write(image, "png", file);
        }
        return folder.resolve("images");
    }

    @Test
    void shouldLearnFromFilesOfImagesAndPredictForSparksOwn() throws Exception {
        Path images = stripes();
        Dataset<Row> files =
                session.read()
                        .format("binaryFile")
                        .option("recursiveFileLookup", true)
                        .load(images.toString())
                        .selectExpr("*", "element_at(split(path, '/'), -2) AS way")
                        .repartition(4);
        MedleyModel model = estimator(IMAGES).fit(files);
        assertThat(model.labels()).containsExactly("across", "down");
        Dataset<Row> predicted = model.transform(files);
        assertThat(predicted.where("prediction = way").count()).isGreaterThan(COUNT * 9 / 10);
        Dataset<Row> pixels =
                session.read()
                        .format("image")
                        .option("recursiveFileLookup", true)
                        .load(images.toString())
                        .selectExpr("image AS content", "image.origin AS path");
        Dataset<Row> again = model.transform(pixels);
        assertThat(
                        again.as("a")
                                .join(
                                        predicted.as("b"),
                                        again.col("path")
                                                .substr(-20, 20)
                                                .equalTo(predicted.col("path").substr(-20, 20)))
                                .where("a.prediction = b.prediction")
                                .count())
                .isEqualTo(COUNT);
    }

    @Test
    void shouldSayWhatIsWrongWithImages() throws Exception {
        Path images = stripes();
        Files.writeString(images.resolve("down/broken.png"), "no image");
        Dataset<Row> files =
                session.read()
                        .format("binaryFile")
                        .option("recursiveFileLookup", true)
                        .load(images.toString())
                        .selectExpr("*", "element_at(split(path, '/'), -2) AS way");
        assertThatThrownBy(() -> estimator(IMAGES).fit(files))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("an image cannot be decoded", "filter it out");
        Dataset<Row> sound = files.where("path NOT LIKE '%broken%'");
        assertThatThrownBy(() -> estimator(IMAGES).fit(sound.drop("content")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("model=cnn", "bytes of PNG", "length");
        assertThatThrownBy(
                        () ->
                                estimator(IMAGES)
                                        .setInputCols(new String[] {"content", "length"})
                                        .fit(sound))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("content", "learnt from alone");
        assertThatThrownBy(() -> estimator(IMAGES).fit(sound.where("way = 'down'")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("all images are of one class (down)");
    }

    @Test
    void shouldLearnFromTextsThatAreCutIntoTokens() {
        Dataset<Row> rows =
                session.range(0, 400, 1, 4)
                        .selectExpr(
                                "concat('it was ', element_at(array('good', 'fine', 'bad', 'poor'),"
                                        + " CAST(id % 4 AS INT) + 1), ' number ', id) AS review",
                                "IF(id % 4 < 2, 'yes', 'no') AS liked", "id AS other");
        MedleyModel model =
                estimator(
                                """
                                name: reviews
                                model: {family: gru, width: 16}
                                data: {label: liked, text: {column: review, unit: bytes, context: 32}}
                                train: {epochs: 12, batch: 20, optimizer: {kind: adamw, learning_rate: 0.01}}
                                """)
                        .fit(rows);
        Dataset<Row> predicted = model.transform(rows);
        assertThat(predicted.columns())
                .containsExactly("review", "liked", "other", "prediction", "probability");
        assertThat(predicted.where("prediction = liked").count()).isGreaterThan(390);
        // A text that is null is an empty one.
        assertThat(model.transform(rows.selectExpr("CAST(NULL AS STRING) AS review")).count())
                .isEqualTo(400);
    }

    @Test
    void shouldLearnHowTextsGoOn() {
        Dataset<Row> rows =
                session.range(0, 300, 1, 3).selectExpr("'the same line again' AS line", "id");
        MedleyEstimator estimator =
                estimator(
                        """
                        name: lines
                        model: {family: gru, width: 16}
                        data: {text: {unit: bytes, context: 32}, split: 0.1}
                        train: {epochs: 2, batch: 8}
                        """);
        assertThatThrownBy(() -> estimator.fit(rows))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("how texts go on", "inputCols", "[line, id]");
        MedleyModel model = estimator.setInputCols(new String[] {"line"}).fit(rows);
        assertThatThrownBy(() -> model.transform(rows))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("medley generate");
    }

    @Test
    void shouldGoOnWithAPretrainedModel() {
        Path bert = Path.of("../inference/src/test/resources/pretrained/bert").toAbsolutePath();
        Dataset<Row> rows =
                session.range(0, 120, 1, 3)
                        .selectExpr(
                                "IF(id % 2 = 0, 'd', 'f') AS sort",
                                "concat('the lazy ', IF(id % 2 = 0, 'dog', 'fox'), IF(id % 3 = 0, '"
                                        + " jumps', ' over')) AS review");
        MedleyModel model =
                estimator(
                                """
                                name: sorts
                                data: {label: sort, text: {column: review, context: 16}}
                                model: {family: pretrained, from: %s, lora: {rank: 4}}
                                train: {steps: 60, batch: 16, optimizer: {learning_rate: 0.01}}
                                """
                                        .formatted(bert.normalize()))
                        .fit(rows);
        assertThat(model.transform(rows).where("prediction = sort").count()).isGreaterThan(110);
    }
}
