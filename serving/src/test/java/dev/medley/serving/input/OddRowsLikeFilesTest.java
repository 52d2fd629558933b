package dev.medley.serving.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.protocol.CsvBody;
import dev.medley.serving.protocol.Rows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rows with odd cells become, bit by bit, the same of a request and of a file that a prediction
 * reads. And what the file may not have is refused of the request.
 */
@Tag("property")
class OddRowsLikeFilesTest {
    private static final int DRAWN = 120;
    private static final int ALONE = 10;

    @TempDir private Path folder;
    private final AtomicInteger files = new AtomicInteger();
    private TableEncoding encoding;
    private char delimiter;
    private boolean hasCommas;
    private @Nullable String refusal;

    static LongStream seeds() {
        return LongStream.range(0, Math.min(40, Long.getLong("medley.seeds", 15)) / 3);
    }

    /** A row with one odd cell, and what a request says of it: null if it is refused. */
    private record Asked(List<String> cells, String odd, @Nullable List<ByteBuffer> inputs) {}

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBecomeTheSame(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        hasCommas = seed % 2 == 1;
        delimiter = hasCommas ? ';' : ',';
        List<List<String>> usual = OddCells.usual(hasCommas, random);
        Path train = folder.resolve("train.csv");
        Files.writeString(train, csv(usual, random));
        encoding =
                (TableEncoding)
                        Datasets.prepare(
                                        spec(train),
                                        1,
                                        folder.resolve("cache"),
                                        PreparationProgress.NONE)
                                .encoding();
        List<String> wrong = new ArrayList<>();
        // A decimal comma is of CSV alone: numbers of other formats are no texts.
        for (Form form : hasCommas ? List.of(Form.CSV) : List.of(Form.values())) {
            List<Asked> all = new ArrayList<>();
            try (InputReader reader = InputReader.of(encoding)) {
                for (int i = 0; i < DRAWN; i++) {
                    List<String> cells = new ArrayList<>(usual.get(1 + i % 16));
                    int column = random.nextInt(cells.size());
                    String odd = OddCells.text(OddCells.COLUMNS.get(column), random);
                    cells.set(column, odd);
                    String words =
                            form + " " + OddCells.COLUMNS.get(column) + " \"" + shown(odd) + "\"";
                    all.add(new Asked(cells, words, asked(reader, form, cells, random)));
                }
            }
            compare(form, all, wrong, random);
        }
        assertThat(wrong).as("seed %d", seed).isEmpty();
    }

    private enum Form {
        CSV,
        JSON
    }

    private void compare(Form form, List<Asked> all, List<String> wrong, RandomGenerator random)
            throws Exception {
        List<Asked> taken = all.stream().filter(each -> each.inputs() != null).toList();
        @Nullable List<List<ByteBuffer>> together = ofFile(form, rows(taken), random);
        for (int i = 0; i < taken.size(); i++) {
            Asked asked = taken.get(i);
            @Nullable List<List<ByteBuffer>> found =
                    together != null
                            ? together.subList(i, i + 1)
                            : ofFile(form, rows(List.of(asked)), random);
            if (found == null) {
                wrong.add(asked.odd() + ": a file with it is refused: " + refusal);
            } else if (!found.get(0).equals(asked.inputs())) {
                wrong.add(asked.odd() + ": a file has other numbers");
            }
        }
        List<Asked> refused = all.stream().filter(each -> each.inputs() == null).toList();
        for (Asked asked : refused.subList(0, Math.min(ALONE, refused.size()))) {
            if (ofFile(form, rows(List.of(asked)), random) != null) {
                wrong.add(asked.odd() + ": is refused, and a file may have it");
            }
        }
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars()
                .forEach(
                        c ->
                                shown.append(
                                        c >= ' ' && c < 127
                                                ? "" + (char) c
                                                : "\\u%04x".formatted(c)));
        return shown.toString();
    }

    private static List<List<String>> rows(List<Asked> all) {
        return all.stream().map(Asked::cells).toList();
    }

    private @Nullable List<ByteBuffer> asked(
            InputReader reader, Form form, List<String> cells, RandomGenerator random) {
        try {
            RowTable table =
                    form == Form.CSV
                            ? CsvBody.read(csv(List.of(cells), random), delimiter)
                            : Rows.read(
                                    json(cells).getBytes(StandardCharsets.UTF_8), OddCells.COLUMNS);
            EncodedRows rows = reader.rows(table);
            BatchBuffers buffers = new BatchBuffers(encoding.signature());
            buffers.reserve(1);
            rows.put(0, 1, TrainingData.decoder(encoding), buffers, 0);
            return inputs(buffers.batch(1), 0);
        } catch (ServingFailure e) {
            return null;
        }
    }

    /** The inputs of each row of a file; null if it cannot be read. */
    private @Nullable List<List<ByteBuffer>> ofFile(
            Form form, List<List<String>> rows, RandomGenerator random) throws Exception {
        String name = "new-" + files.incrementAndGet() + (form == Form.CSV ? ".csv" : ".jsonl");
        StringBuilder lines = new StringBuilder();
        rows.forEach(row -> lines.append(json(row)).append('\n'));
        Path file = folder.resolve(name);
        Files.writeString(file, form == Form.CSV ? csv(rows, random) : lines.toString());
        try {
            PreparedData data =
                    Datasets.encodeInputs(
                            encoding,
                            spec(file),
                            folder.resolve("cache"),
                            PreparationProgress.NONE);
            try (TrainingData samples = TrainingData.open(data, 1, Clock.system())) {
                Batch batch = samples.validation(0, rows.size());
                List<List<ByteBuffer>> all = new ArrayList<>();
                for (int i = 0; i < rows.size(); i++) {
                    all.add(inputs(batch, i));
                }
                return all;
            }
        } catch (ConfigException e) {
            refusal = e.getMessage();
            return null;
        }
    }

    private static List<ByteBuffer> inputs(Batch batch, int row) {
        List<ByteBuffer> all = new ArrayList<>();
        batch.inputs()
                .forEach(
                        input -> {
                            ByteBuffer bytes = input.data().buffer();
                            int each =
                                    (int) (input.count() / batch.samples()) * input.type().bytes();
                            byte[] own = new byte[each];
                            bytes.get(row * each, own);
                            all.add(ByteBuffer.wrap(own));
                        });
        return all;
    }

    private String csv(List<List<String>> rows, RandomGenerator random) {
        StringBuilder text =
                new StringBuilder(String.join("" + delimiter, OddCells.COLUMNS)).append('\n');
        for (List<String> row : rows) {
            text.append(
                            String.join(
                                    "" + delimiter,
                                    row.stream()
                                            .map(cell -> OddCells.csv(cell, delimiter, random))
                                            .toList()))
                    .append('\n');
        }
        return text.toString();
    }

    private static String json(List<String> cells) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < cells.size(); i++) {
            row.put(OddCells.COLUMNS.get(i), cells.get(i));
        }
        return Json.line(row);
    }

    private DataSpec spec(Path file) {
        TableSpec usual = TableSpec.defaults();
        TableSpec table =
                new TableSpec(
                        null,
                        true,
                        hasCommas ? "," : ".",
                        usual.missing(),
                        List.of(),
                        List.of("kind"),
                        usual.oneHotLimit(),
                        usual.badRows());
        return new DataSpec(
                        DataFormat.AUTO,
                        List.of(file.toString()),
                        List.of(),
                        null,
                        SplitSpec.defaults(),
                        table,
                        ImageSpec.defaults(),
                        TextSpec.defaults(),
                        CacheSpec.defaults(),
                        2,
                        null,
                        Placement.EVERYWHERE,
                        Task.FOUND,
                        null,
                        null,
                        null)
                .withoutLabel(table.scaled(DataSpec.NumberScaling.STANDARD));
    }
}
