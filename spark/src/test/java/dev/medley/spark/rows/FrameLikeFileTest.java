package dev.medley.spark.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.shard.ShardFile;
import dev.medley.spark.LocalCluster;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of a DataFrame are those of a file with the same rows. */
@Tag("real")
class FrameLikeFileTest {
    private static final String TEXTS =
            """
            name: texts
            model: linear
            data:
              label: y
              table: {text: [review], hashed: [city, zip], min_frequency: 2, vocabulary: 40, hash_bits: 6}
            """;
    private static final String GROUPS =
            "{name: ranked, model: boosting, data: {label: grade, group: query}}";

    private final SparkSession session = LocalCluster.shared();
    @TempDir Path folder;

    private static DataSpec spec(String job, String... settings) {
        return JobFile.parse("test", job, Path.of(""), Settings.of(List.of(settings)))
                .spec()
                .data();
    }

    private Path file(String name, List<Row> rows) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(String.join(",", rows.get(0).schema().fieldNames()));
        for (Row row : rows) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                cells.add(row.isNullAt(i) ? "" : row.get(i).toString());
            }
            lines.add(String.join(",", cells));
        }
        return Files.write(folder.resolve(name), lines);
    }

    private static byte[] bytes(FrameData data, ShardFile file) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (long block = 0; block < file.layout().blocks(); block++) {
            all.write(((HeldRows) data.rows()).block(file, block));
        }
        return all.toByteArray();
    }

    private static byte[] bytes(PreparedData data, ShardFile file) throws IOException {
        return Files.readAllBytes(data.path().resolve(file.name()));
    }

    /** Words of different numbers of rows, an empty text, a number that is hashed. */
    private Dataset<Row> reviews() {
        return session.range(0, 500, 1, 5)
                .selectExpr(
                        "id % 17 / 4 AS stars",
                        "IF(id % 41 = 0, NULL, id % 13) AS zip",
                        "IF(id % 29 = 0, NULL, concat_ws(' ', transform(sequence(0, id % 9),"
                                + " i -> concat(IF(i % 2 = 0, 'Wort', 'wo'), CAST(id * i % 60 AS"
                                + " STRING))))) AS review",
                        "element_at(array('Rom', 'Paris ', 'Oslo', NULL), CAST(id % 4 AS INT) + 1)"
                                + " AS city",
                        "IF(id * 7 % 11 < 5, 'good', 'bad') AS y",
                        "id % 7 = 3 AS held");
    }

    @Test
    void shouldEncodeTextsAndHashesAsAFileWithTheSameRows() throws Exception {
        Dataset<Row> rows = reviews();
        Path train = file("train.csv", rows.where("NOT held").drop("held").collectAsList());
        Path held = file("held.csv", rows.where("held").drop("held").collectAsList());
        PreparedData like =
                Datasets.prepare(
                        spec(TEXTS, "data.train=" + train, "data.validation=" + held),
                        1,
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        FrameColumns.Wanted wanted =
                new FrameColumns.Wanted(
                        List.of("stars", "zip", "review", "city"), "y", null, "held");
        try (FrameData data =
                FrameData.of(rows, wanted, spec(TEXTS, "data.train=DataFrame"), null, 1)) {
            TableEncoding encoding = (TableEncoding) data.prepared().encoding();
            TableEncoding ofFile = (TableEncoding) like.encoding();
            assertThat(encoding.ofTerms()).isEqualTo(ofFile.ofTerms()).hasSize(3);
            assertThat(encoding.columns()).containsAll(ofFile.columns());
            assertThat(encoding.label()).isEqualTo(ofFile.label());
            assertThat(bytes(data, data.prepared().train())).isEqualTo(bytes(like, like.train()));
            assertThat(bytes(data, data.prepared().validation()))
                    .isEqualTo(bytes(like, like.validation()));
            assertThat(data.prepared().findings().sentences())
                    .anyMatch(sentence -> sentence.startsWith("text 'review': 40 of "));
        }
    }

    /** Rows of a query lie in several partitions. */
    private Dataset<Row> documents() {
        return session.range(0, 600, 1, 6)
                .selectExpr(
                        "CAST(id * 37 % 100 AS DOUBLE) / 8 AS x",
                        "id * id % 23 AS z",
                        "concat('q', id % 31) AS query",
                        "CAST(id * 37 % 100 / 25 AS INT) AS grade");
    }

    @Test
    void shouldEncodeGroupsAsAFileInWhichTheyLieTogether() throws Exception {
        FrameColumns.Wanted wanted =
                new FrameColumns.Wanted(List.of("x", "z"), "grade", null, null).rankedBy("query");
        Dataset<Row> rows = documents();
        List<Row> inOrder =
                FrameColumns.find(rows, wanted).together(rows).drop("place").collectAsList();
        Path train = folder.resolve("train.csv");
        Files.writeString(
                train,
                "x,z,grade,query\n"
                        + inOrder.stream()
                                .map(
                                        row ->
                                                Arrays.stream(new int[] {0, 1, 2, 3})
                                                        .mapToObj(i -> row.get(i).toString())
                                                        .collect(Collectors.joining(",")))
                                .collect(Collectors.joining("\n", "", "\n")));
        PreparedData like =
                Datasets.prepare(
                        spec(GROUPS, "data.train=" + train, "data.split.validation=0"),
                        1,
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        DataSpec all = spec(GROUPS, "data.train=DataFrame", "data.split.validation=0");
        try (FrameData data = FrameData.of(rows, wanted, all, null, 1)) {
            TableEncoding encoding = (TableEncoding) data.prepared().encoding();
            Blocks blocks = new Blocks(Integer.parseInt(data.rows().name().replaceAll("\\D", "")));
            // What the shuffle wrote is lost with an executor, and these are not.
            assertThat(
                            IntStream.range(0, 4)
                                    .map(part -> blocks.holders(Encode.block(part, true, 0))))
                    .containsOnly(2);
            assertThat(encoding.columns()).isEqualTo(((TableEncoding) like.encoding()).columns());
            assertThat(encoding.label()).isEqualTo(((TableEncoding) like.encoding()).label());
            assertThat(bytes(data, data.prepared().train())).isEqualTo(bytes(like, like.train()));
        }
    }

    @Test
    void shouldKeepGroupsWholeAndRefuseThoseThatAreTorn() throws Exception {
        Dataset<Row> rows = documents().selectExpr("*", "z % 2 = 0 AS torn");
        FrameColumns.Wanted wanted =
                new FrameColumns.Wanted(List.of("x", "z"), "grade", null, null).rankedBy("query");
        DataSpec some = spec(GROUPS, "data.train=DataFrame", "data.split.validation=0.3");
        try (FrameData data = FrameData.of(rows, wanted, some, null, 1)) {
            ShardFile held = data.prepared().validation();
            byte[] records = bytes(data, held);
            int record = held.sampleBytes();
            int groups = 0;
            for (int at = 0; at < records.length; at += record) {
                groups +=
                        ByteBuffer.wrap(records, at, record)
                                                .order(ByteOrder.nativeOrder())
                                                .getFloat(at + record - Float.BYTES)
                                        > 0
                                ? 1
                                : 0;
            }
            assertThat(groups).isBetween(3, 17);
            // 600 rows of 31 queries: each has 19 or 20.
            assertThat(held.samples()).isBetween(19L * groups, 20L * groups);
        }
        FrameColumns.Wanted marked =
                new FrameColumns.Wanted(List.of("x", "z"), "grade", null, "torn").rankedBy("query");
        assertThatThrownBy(() -> FrameData.of(rows, marked, some, null, 1).close())
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("validationIndicatorCol", "group 'q", "as a whole");
        assertThatThrownBy(
                        () ->
                                FrameData.of(
                                                rows.selectExpr(
                                                        "x", "z", "query", "grade + 0.5 AS grade"),
                                                wanted,
                                                some,
                                                null,
                                                1)
                                        .close())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is no whole number");
    }

    @Test
    void shouldEncodeTokensAsAFileWithTheSameRows() throws Exception {
        String job =
                "{name: t, model: gru, data: {label: y, text: {column: review, unit: bpe,"
                        + " vocabulary: 300, context: 16}, split: {validation: 0}}}";
        Dataset<Row> rows = reviews().select("review", "y");
        Path train = file("train.csv", rows.collectAsList());
        PreparedData like =
                Datasets.prepare(
                        spec(job, "data.train=" + train),
                        1,
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        FrameColumns.Wanted wanted = new FrameColumns.Wanted(List.of("review"), "y", null, null);
        try (FrameData data =
                FrameData.of(rows, wanted, spec(job, "data.train=DataFrame"), null, 1)) {
            LabelledTextEncoding encoding = (LabelledTextEncoding) data.prepared().encoding();
            LabelledTextEncoding ofFile = (LabelledTextEncoding) like.encoding();
            assertThat(encoding.tokens()).isEqualTo(ofFile.tokens());
            assertThat(encoding.label()).isEqualTo(ofFile.label());
            assertThat(bytes(data, data.prepared().train())).isEqualTo(bytes(like, like.train()));
        }
    }

    /** Images of two sizes, grey and in colour. */
    private Path images() throws IOException {
        for (int n = 0; n < 40; n++) {
            int type = n % 3 == 0 ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB;
            BufferedImage image = new BufferedImage(9 + n % 2, 7, type);
            for (int i = 0; i < image.getWidth() * 7; i++) {
                image.setRGB(i % image.getWidth(), i / image.getWidth(), 0x010503 * i + 7 * n);
            }
            Path file = folder.resolve("images/%s/%02d.png".formatted("abc".charAt(n % 3), n));
            Files.createDirectories(file.getParent());
            ImageIO.write(image, "png", file.toFile());
        }
        return folder.resolve("images");
    }

    @Test
    void shouldEncodeImagesAsAFolderWithTheSameFiles() throws Exception {
        String job =
                "{name: i, model: cnn, data: {label: kind, image: {width: 8, height: 6}, split:"
                        + " {validation: 0}}}";
        Path images = images();
        PreparedData like =
                Datasets.prepare(
                        spec(
                                "{name: i, model: cnn, data: {image: {width: 8, height: 6}, split:"
                                        + " {validation: 0}}}",
                                "data.train=" + images),
                        1,
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        Dataset<Row> rows =
                session.read()
                        .format("binaryFile")
                        .option("recursiveFileLookup", true)
                        .load(images.toString())
                        .selectExpr("content", "element_at(split(path, '/'), -2) AS kind", "path")
                        .repartitionByRange(3, functions.col("path"))
                        .sortWithinPartitions("path");
        FrameColumns.Wanted wanted =
                new FrameColumns.Wanted(List.of("content"), "kind", null, null);
        try (FrameData data =
                FrameData.of(rows, wanted, spec(job, "data.train=DataFrame"), null, 1)) {
            assertThat(data.prepared().encoding()).isEqualTo(like.encoding());
            assertThat(bytes(data, data.prepared().train())).isEqualTo(bytes(like, like.train()));
            assertThat(data.prepared().findings().classCounts())
                    .isEqualTo(like.findings().classCounts());
        }
    }
}
