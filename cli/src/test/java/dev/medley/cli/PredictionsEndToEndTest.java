package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.terminal.Screen;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What trained models say through the command line: of tables, pictures and text. */
@Tag("real")
@Timeout(120)
class PredictionsEndToEndTest {
    @TempDir private Path folder;
    private Pipeline here = new Pipeline(Path.of(""));

    @BeforeEach
    void go() {
        here = new Pipeline(folder);
    }

    @Test
    void shouldPredictATableInOrderInEveryFormat() throws Exception {
        Path table = here.table();
        String job =
                here.job(
                        "job.yaml",
                        """
                        data: {train: table.csv, label: y}
                        model: {family: mlp, hidden: [16]}
                        train: {steps: 60, batch: 256}
                        cluster: {workers: 1}
                        """);
        assertThat(here.medley("train", job).exitCode()).isZero();
        JsonNode metrics = here.json("evaluate", "latest", table.toString());
        assertThat(metrics.propertyNames())
                .as("as in training, the one that decides first")
                .containsExactly("auc", "accuracy", "log_loss", "confusion", "report");
        List<List<String>> csv = predicted(table, "out.csv", "--threads", "4");
        long right = csv.stream().filter(row -> row.get(3).equals(row.get(4))).count();
        assertThat((double) right / Pipeline.ROWS)
                .isEqualTo(metrics.path("accuracy").asDouble())
                .isGreaterThan(0.8);
        assertThat(csv).extracting(row -> row.get(0)).isEqualTo(numbers());
        assertThat(predicted(table, "workers.csv", "--workers", "2")).isEqualTo(csv);
        assertThat(predicted(table, "out.parquet")).isEqualTo(csv);
        assertThat(predicted(table, "out.jsonl")).isEqualTo(csv);
        assertThat(Files.readString(folder.resolve("out.csv")))
                .startsWith("id,x,c,y,prediction,p(no),p(yes)\n0,0,a,no,no,0.");
        assertRefused("predict latest " + table + " -o out.xlsx", ".csv", ".parquet", ".jsonl");
        assertRefused("predict latest " + table + " -o out.csv --threads 0", "--threads 0");
        assertRefused("predict latest " + table + " -o out.csv --workers 0", "--workers 0");
        assertRefused("generate latest --prompt a", "no language model", "trained on a table");
        shouldExport(folder.resolve("model.onnx"));
        Path one = Files.writeString(folder.resolve("one.csv"), "id,x,c,y\n1,2,a,no\n2,9,b,no\n");
        assertThat(here.medley("evaluate", "latest", "" + one).out())
                .contains("auc          not a number (all samples are of one class")
                .contains("accuracy     1.0000");
        Said asked = here.medley("evaluate", "latest", "" + one, "--json");
        assertThat(asked.out()).contains("\"auc\" : null");
        assertThat(asked.err())
                .isEqualToIgnoringNewLines(
                        "auc is not a number: all samples are of one class, and it compares two");
        Path bare = Files.writeString(folder.resolve("bare.csv"), "id,x,c\n1,2,a\n");
        assertRefused("evaluate latest " + bare, "bare.csv", "no label 'y'");
    }

    private void shouldExport(Path file) throws Exception {
        Said said = here.medley("export", "latest", "--onnx", file.toString());
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("model.onnx")
                .containsPattern("in +x +double\\[samples, 1\\] +a number; NaN where missing")
                .containsPattern("in +c +string\\[samples, 1\\] +a text; empty where missing")
                .containsPattern("out +prediction +string\\[samples\\] +the class")
                .containsPattern("out +probability +float\\[samples, 2\\] +of each class: no, yes");
        JsonNode json = here.json("export", "latest", "--onnx", file.toString());
        assertThat(json.path("bytes").asLong()).isEqualTo(Files.size(file));
        assertThat(json.at("/inputs/0/name").asString()).isEqualTo("x");
        assertRefused("export latest --onnx " + folder, "is a folder; name a file");
        assertRefused("export latest --onnx /proc/model.onnx", "/proc/model.onnx");
    }

    private void assertRefused(String command, String... words) throws Exception {
        Said said = here.medley(command.split(" "));
        assertThat(said.exitCode()).as(command).isEqualTo(2);
        assertThat(said.out()).as(command).isEmpty();
        assertThat(said.err().strip().lines()).singleElement().asString().contains(words);
    }

    private static List<String> numbers() {
        List<String> numbers = new ArrayList<>();
        for (int i = 0; i < Pipeline.ROWS; i++) {
            numbers.add(Integer.toString(i));
        }
        return numbers;
    }

    /** Predicts into a file, and reads it with another reader than Medley's. */
    private List<List<String>> predicted(Path data, String name, String... options)
            throws Exception {
        Path out = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of("predict", "latest", "" + data));
        command.addAll(List.of("-o", out.toString()));
        command.addAll(List.of(options));
        JsonNode said = here.json(command.toArray(String[]::new));
        List<List<String>> rows = new ArrayList<>();
        String from = name.endsWith("csv") ? "read_csv('%s', all_varchar = true)" : "'%s'";
        from = from.formatted(out);
        try (var db = DriverManager.getConnection("jdbc:duckdb:");
                var result = db.createStatement().executeQuery("SELECT * FROM " + from)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(result.getString(i));
                }
                rows.add(row);
            }
        }
        assertThat(rows).hasSize(said.path("samples").asInt());
        return rows;
    }

    @Test
    void shouldTrainOnAFolderOfPicturesAndPredictAnother() throws Exception {
        for (int i = 0; i < 40; i++) {
            picture("set/dark/%02d.png".formatted(i), 10 + i);
            picture("set/light/%02d.jpg".formatted(i), 200 + i);
        }
        String job =
                here.job(
                        "job.yaml",
                        """
                        data: set
                        model: {family: cnn, channels: [4]}
                        train: {steps: 60, batch: 16, optimizer: {kind: adam, learning_rate: 0.01}}
                        cluster: {workers: 1}
                        """);
        Said trained = here.medley("train", job);
        assertThat(trained.exitCode()).as(trained.err()).isZero();
        picture("new/dark/1.png", 12);
        picture("new/light/2.png", 230);
        picture("new/light/3.jpeg", 210);
        String pictures = folder.resolve("new").toString();
        assertThat(here.json("evaluate", "latest", pictures).path("accuracy").asDouble())
                .isEqualTo(1);
        assertRefused(
                "evaluate latest " + pictures + " --importance",
                "importance is of columns",
                "trained on images");
        List<List<String>> rows = predicted(Path.of(pictures), "out.parquet");
        assertThat(rows).extracting(row -> row.get(1)).containsExactly("dark", "light", "light");
        assertThat(rows.get(0).get(0)).endsWith("1.png");
        picture("unsorted/a.png", 230);
        picture("unsorted/b.png", 20);
        assertThat(predicted(folder.resolve("unsorted"), "unsorted.csv"))
                .extracting(row -> row.get(1))
                .containsExactly("light", "dark");
    }

    private void picture(String name, int grey) throws IOException {
        BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_GRAY);
        for (int i = 0; i < 64; i++) {
            image.getRaster().setSample(i % 8, i / 8, 0, Math.min(255, grey + i % 5));
        }
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        ImageIO.write(image, name.endsWith("png") ? "png" : "jpg", file.toFile());
    }

    @Test
    void shouldGenerateTheSameTextTwice() throws IOException {
        Path text =
                Files.writeString(folder.resolve("text.txt"), "the quick brown fox. ".repeat(400));
        String job =
                here.job(
                        "job.yaml",
                        """
                        data: {train: text.txt, text: {unit: bytes, context: 16}}
                        model: {family: transformer, layers: 1, width: 32, heads: 2}
                        train: {steps: 30, batch: 16}
                        cluster: {workers: 1}
                        """);
        Said trained = here.medley("train", job);
        assertThat(trained.exitCode()).as(trained.err()).isZero();
        assertThat(trained.out()).contains("A sample of the model's text:");
        String[] command = {"generate", "latest", "--prompt", "the ", "--tokens", "40"};
        Said once = here.medley(command);
        assertThat(once.exitCode()).as(once.err()).isZero();
        assertThat(once.out()).startsWith("the ");
        assertThat(here.medley(command).out()).isEqualTo(once.out());
        assertThat(here.json(command).path("text").asString()).isNotEmpty();
        String[] other = {
            "generate", "latest", "--prompt", "the ", "--tokens", "40", "--seed", "2"
        };
        assertThat(here.medley(other).out()).isNotEqualTo(once.out());
        assertControlsAreShownOnAScreenOnly();
        Said table =
                here.medley("predict", "latest", "" + text, "-o", "" + folder.resolve("p.csv"));
        assertThat(table.exitCode()).isEqualTo(2);
        assertThat(table.err()).contains("medley generate");
    }

    private void assertControlsAreShownOnAScreenOnly() {
        String[] command = {
            "generate",
            "latest",
            "--prompt",
            "a\u0007b\u001b[2Jc\rd",
            "--tokens",
            "1",
            "--run-dir",
            folder.resolve("runs").toString()
        };
        Screen outOnly = new Screen(false, true, false, 80);
        assertThat(Said.when(outOnly, new StringWriter(), command).out().lines().toList())
                .hasSizeGreaterThan(1)
                .startsWith("a\uFFFDb\uFFFD[2Jc");
        assertThat(Said.when(command).out()).startsWith("a\u0007b\u001b[2Jc\rd");
    }
}
