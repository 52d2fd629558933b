package dev.medley.data.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.PreparationProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("property")
class RowEncoderTest {
    private static final List<String> COLOURS =
            List.of(
                    "1.0",
                    "1",
                    "True",
                    "true",
                    "10",
                    "1e1",
                    "red",
                    "green",
                    "dark blue",
                    "\"odd, \"");

    @TempDir Path folder;

    /** Rows with their types give the records that a scan of a file with the same rows gives. */
    @ParameterizedTest
    @EnumSource(DataSpec.NumberScaling.class)
    void shouldEncodeARowAsAScanOfItsFileDoes(DataSpec.NumberScaling scaling) throws Exception {
        RandomGenerator random = Seeds.generator(7);
        List<Map<String, Object>> rows = new ArrayList<>();
        StringBuilder text = new StringBuilder("size,flag,colour,day,y\n");
        for (int i = 0; i < 500; i++) {
            Map<String, Object> row = new HashMap<>();
            row.put("size", i % 41 == 0 ? Double.NaN : random.nextGaussian() * 100);
            row.put("flag", (double) random.nextInt(2));
            row.put("colour", i % 37 == 0 ? null : COLOURS.get(random.nextInt(COLOURS.size())));
            LocalDateTime day = LocalDateTime.of(2024, 1, 1, 0, 0).plusHours(random.nextInt(9000));
            row.put("day", (double) day.toEpochSecond(ZoneOffset.UTC));
            row.put("y", random.nextInt(2));
            rows.add(row);
            text.append(Double.isNaN((double) row.get("size")) ? "" : row.get("size")).append(',');
            text.append((int) (double) row.get("flag")).append(',');
            Object colour = row.get("colour");
            text.append(colour == null ? "" : '"' + ((String) colour).replace("\"", "\"\"") + '"');
            text.append(',').append(day).append(":00Z").append(',').append(row.get("y"));
            text.append('\n');
        }
        Path file = folder.resolve("rows.csv");
        Files.writeString(file, text);
        PreparedData data =
                Datasets.prepare(
                        spec(file, scaling), 1, folder.resolve("cache"), PreparationProgress.NONE);
        byte[] scanned = Files.readAllBytes(data.path().resolve(data.train().name()));
        TableEncoding encoding = (TableEncoding) data.encoding();
        RowEncoder encoder = new RowEncoder(encoding);
        byte[] encoded = new byte[rows.size() * encoder.recordBytes()];
        Arrays.fill(encoded, (byte) 0x55);
        for (int i = 0; i < rows.size(); i++) {
            Map<String, Object> row = rows.get(i);
            double[] numbers =
                    encoder.numbers().stream().mapToDouble(n -> (double) row.get(n)).toArray();
            String[] texts =
                    encoder.texts().stream()
                            .map(name -> (String) row.get(name))
                            .map(value -> value == null ? null : value.strip())
                            .toArray(String[]::new);
            int label = encoding.label().classes().indexOf("" + row.get("y"));
            encoder.encode(numbers, texts, label, 1, encoded, i * encoder.recordBytes());
        }
        assertThat(encoder.numbers()).contains("size", "day");
        assertThat(encoder.texts()).contains("colour");
        assertThat(encoded).isEqualTo(scanned);
    }

    /**
     * So do rows with texts of words, and what they count or the groups that they are ranked in.
     */
    @ParameterizedTest
    @ValueSource(strings = {"weighted", "ranked"})
    void shouldEncodeWordsWeightsAndGroupsAsAScanDoes(String kind) throws Exception {
        boolean isRanked = kind.equals("ranked");
        String[][] rows = {
            {"1", "5", "2", "red apple red", "green", "a"},
            {"0", "6", "0.5", "apple", "", "a"},
            {"2", "7", "1", "blue", "green green leaf", "b"},
            {"0", "8", "3", "", "leaf tree green", "b"}
        };
        List<String> lines = new ArrayList<>();
        lines.add("g,x,t,u," + (isRanked ? "q" : "w"));
        for (String[] row : rows) {
            String[] used = {row[0], row[1], row[3], row[4], isRanked ? row[5] : row[2]};
            lines.add(String.join(",", used));
        }
        TermSpec words = new TermSpec(1, 0, List.of("t", "u"), List.of(), 1000, 5, true);
        Given given =
                Given.files(Files.write(folder.resolve("rows.csv"), lines))
                        .label("g")
                        .split(new SplitSpec(SplitKind.RANDOM, 0, null))
                        .terms(words);
        PreparedData data =
                new GivenEncoding(folder.resolve("cache"))
                        .prepare(
                                isRanked
                                        ? given.ranked("q")
                                        : given.weight("w").task(Task.REGRESSION));
        TableEncoding encoding = (TableEncoding) data.encoding();
        byte[] scanned = Files.readAllBytes(data.path().resolve(data.train().name()));
        RowEncoder encoder = new RowEncoder(encoding);
        RowEncoder narrow = new RowEncoder(encoding.withSlots(List.of(1, 1)));
        byte[] encoded = new byte[scanned.length];
        Arrays.fill(encoded, (byte) 0x55); // Rows of before: each place is written.
        byte[] few = new byte[narrow.recordBytes()];
        for (int i = 0; i < rows.length; i++) {
            double[] numbers = {Double.parseDouble(rows[i][1])};
            String[] texts = {rows[i][3], rows[i][4]};
            double label = Double.parseDouble(rows[i][0]);
            double weight = Double.parseDouble(rows[i][2]);
            int at = i * encoder.recordBytes();
            encoder.encode(numbers, texts, label, weight, encoded, at);
            narrow.encode(numbers, texts, label, weight, few, 0);
            if (isRanked && i % 2 == 0) {
                encoder.beginGroup(encoded, at);
            }
        }
        assertThat(encoder.numbers()).containsExactly("x");
        assertThat(encoder.texts()).containsExactly("t", "u");
        assertThat(encoded).isEqualTo(scanned);
        assertThat(narrow.roomy()).isEqualTo(encoding);
    }

    /** A row without a label has nothing of the row before it where a label would be. */
    @Test
    void placesOfNoLabelShouldBeZero() throws Exception {
        Path file = Files.write(folder.resolve("rows.csv"), List.of("x,c", "1,a", "2,b", "4,a"));
        Given given =
                Given.files(file).task(Task.NONE).split(new SplitSpec(SplitKind.RANDOM, 0, null));
        PreparedData data = new GivenEncoding(folder.resolve("cache")).prepare(given);
        RowEncoder encoder = new RowEncoder((TableEncoding) data.encoding());
        byte[] encoded = new byte[2 * encoder.recordBytes()];
        Arrays.fill(encoded, (byte) 0x55);
        encoder.encode(new double[] {1}, new String[] {"a"}, 7, 1, encoded, 0);
        encoder.encode(new double[] {2}, new String[] {"b"}, 7, 1, encoded, encoder.recordBytes());
        byte[] scanned = Files.readAllBytes(data.path().resolve(data.train().name()));
        assertThat(encoded).isEqualTo(Arrays.copyOf(scanned, encoded.length));
    }

    private static DataSpec spec(Path file, DataSpec.NumberScaling scaling) {
        return new DataSpec(
                DataFormat.CSV,
                List.of(file.toString()),
                List.of(),
                "y",
                new SplitSpec(SplitKind.RANDOM, 0, null),
                TableSpec.defaults()
                        .scaled(scaling)
                        .typed(List.of("size", "flag"), List.of("colour")),
                ImageSpec.defaults(),
                TextSpec.defaults(),
                CacheSpec.defaults(),
                2,
                null);
    }
}
