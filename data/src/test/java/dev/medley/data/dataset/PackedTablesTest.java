package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables packed by gzip: whole, cut off, and in several members. */
@Tag("unit")
class PackedTablesTest {
    private static final int ROWS = 30_000;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"t.csv.gz", "t.jsonl.gz"})
    void aFileOfSeveralMembersShouldBeReadWhole(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(header(name));
        for (int from : new int[] {1, 7, 500}) {
            bytes.writeBytes(packed(rows(name, from)));
            bytes.writeBytes(packed(""));
        }
        Path file = Files.write(folder.resolve(name), bytes.toByteArray());
        assertThat(Datasets.describe(file).samples()).isEqualTo(3 * ROWS);
    }

    @ParameterizedTest
    @CsvSource({"t.csv.gz, 9", "t.jsonl.gz, 9", "t.jsonl.gz, 4", "t.jsonl.gz, 40000"})
    void aFileThatWasCutOffShouldBeRefused(String name, int absent) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(header(name));
        bytes.writeBytes(packed(rows(name, 0)));
        byte[] cut = Arrays.copyOf(bytes.toByteArray(), bytes.size() - absent);
        Path file = Files.write(folder.resolve(name), cut);
        assertThatThrownBy(() -> Datasets.describe(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(file.toString(), "ends too early");
    }

    @ParameterizedTest
    @ValueSource(strings = {"t.csv.gz", "t.jsonl.gz"})
    void aFileThatIsDamagedShouldBeRefused(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(header(name));
        bytes.writeBytes(packed(rows(name, 0)));
        byte[] damaged = bytes.toByteArray();
        damaged[damaged.length - 7] ^= 1;
        Path file = Files.write(folder.resolve(name), damaged);
        assertThatThrownBy(() -> Datasets.describe(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(file.toString(), "is broken gzip");
    }

    @ParameterizedTest
    @ValueSource(strings = {"t.csv.gz", "t.jsonl.gz"})
    void manyMembersShouldBeReadWhole(String name) throws IOException {
        RandomGenerator random = Seeds.generator(3);
        String row = name.startsWith("t.csv") ? "%d,%d%n" : "{\"a\":%d,\"y\":%d}%n";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(header(name));
        int rows = 0;
        for (int member = 0; member < 1500; member++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60); i >= 0; i--, rows++) {
                text.append(row.formatted(random.nextInt(1_000_000), rows % 2));
            }
            bytes.writeBytes(packed(text.toString()));
        }
        Path file = Files.write(folder.resolve(name), bytes.toByteArray());
        assertThat(Datasets.describe(file).samples()).isEqualTo(rows);
    }

    private static byte[] header(String name) throws IOException {
        return name.startsWith("t.csv") ? packed("a,y\n") : new byte[0];
    }

    private static String rows(String name, int from) {
        String row = name.startsWith("t.csv") ? "%d,%d%n" : "{\"a\":%d,\"y\":%d}%n";
        return IntStream.range(0, ROWS)
                .mapToObj(i -> row.formatted(from + i * 7919L, i % 2))
                .collect(Collectors.joining());
    }

    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
