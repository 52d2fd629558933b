package dev.medley.data.dataset;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.data.encoding.Encoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of tables: line ends, NUL, encodings, packed files, and the lines of messages. */
@Tag("unit")
class CsvTextTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);
    private static final String TABLE = table();

    private final Path folder;
    private final GivenEncoding data;

    CsvTextTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyMixtureOfLineEndsShouldBeReadAlike(long seed) throws IOException {
        RandomGenerator random = Seeds.generator(seed);
        List<String> ends = List.of("\n", "\r\n", "\r");
        int kinds = 1 + random.nextInt(3);
        int first = random.nextInt(3);
        StringBuilder text = new StringBuilder();
        for (String line : TABLE.split("\n")) {
            text.append(line).append(ends.get((first + random.nextInt(kinds)) % 3));
        }
        Encoding model = trained(write("lf.csv", TABLE.getBytes(UTF_8)));
        Path mixed = write("m.csv", text.toString().getBytes(UTF_8));
        assertThat(features(model, mixed))
                .isEqualTo(features(model, write("n.csv", TABLE.getBytes(UTF_8))));
        assertThat(trained(mixed)).isEqualTo(model);
        assertThat(Datasets.describe(mixed).samples()).isEqualTo(40);
        String quoted = text.toString().replace("short", "\"two\r\n\"\"lines\"\"\n,\rof it\"");
        Path quotedFile = write("q.csv", quoted.getBytes(UTF_8));
        assertThat(Datasets.describe(quotedFile).samples()).isEqualTo(40);
        assertThat(Datasets.describe(quotedFile).columns().get(2).different()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "\0\0\0\0\n", "\0\n\0\0", "\r\n\u001a", "\u001a\0"})
    void paddingAtTheEndShouldBeLeftOut(String padding) throws IOException {
        Encoding model = trained(write("t.csv", TABLE.getBytes(UTF_8)));
        for (String text : List.of(TABLE, TABLE.stripTrailing())) {
            Path padded = write("p.csv", (text + padding).getBytes(UTF_8));
            PreparedData prepared = data.prepare(Given.files(padded).label("y").split(ALL));
            assertThat(prepared.encoding()).isEqualTo(model);
            assertThat(prepared.findings().sentences())
                    .anyMatch(s -> s.contains("p.csv: ends with NUL bytes or the like"));
            assertThat(features(model, padded)).hasSameSizeAs(features(model, path("t.csv")));
        }
    }

    @Test
    void nulInTheTextShouldBeRefusedWithItsLine() throws IOException {
        String text = TABLE.replaceFirst("short", "\"a\nb\"");
        int at = text.indexOf("long");
        long line = 1 + text.substring(0, at).chars().filter(c -> c == '\n').count();
        Path file =
                write("n.csv", new StringBuilder(text).insert(at, '\0').toString().getBytes(UTF_8));
        assertRefused(file)
                .hasMessageContaining("n.csv, line %d: there is a NUL byte in the text", line)
                .hasMessageContaining("tr -d");
        assertThatThrownBy(() -> Datasets.describe(file)).hasMessageContaining("line " + line);
        assertRefused(write("z.csv", new byte[4096])).hasMessageContaining("holds NUL bytes only");
    }

    @Test
    void everyEncodingOfUnicodeShouldBeReadAlike() throws IOException {
        String text = TABLE.replace("short", "K\u00f6ln \ud83d\ude00");
        Encoding model = trained(write("t.csv", text.getBytes(UTF_8)));
        float[] read = features(model, path("t.csv"));
        for (Charset charset : List.of(UTF_8, UTF_16LE, UTF_16BE)) {
            for (String mark : List.of("", "\ufeff")) {
                Path file = write("u.csv", (mark + text).getBytes(charset));
                assertThat(features(model, file)).isEqualTo(read);
                assertThat(Datasets.describe(file).columns().get(0).name()).isEqualTo("a");
                assertThat(trained(file)).isEqualTo(model);
            }
        }
        Path packed = write("u.csv.gz", gzip(text.replace('\n', '\r').getBytes(UTF_16)));
        assertThat(features(model, packed)).isEqualTo(read);
        byte[] cut = text.getBytes(UTF_16LE);
        cut[101] = (byte) 0xDC;
        assertRefused(write("b.csv", cut)).hasMessageContaining("b.csv: looks like UTF-16");
    }

    @Test
    void packedFilesShouldBeReadUnderEveryName() throws IOException {
        byte[] bytes = TABLE.getBytes(UTF_8);
        Encoding model = trained(write("t.csv", bytes));
        float[] read = features(model, path("t.csv"));
        assertThat(features(model, write("packed.csv", gzip(bytes)))).isEqualTo(read);
        assertThat(features(model, write("plain.csv.gz", bytes))).isEqualTo(read);
        assertThat(trained(write("all[1].csv", gzip(bytes)))).isEqualTo(model);
        Path json = write("j.jsonl", gzip("{\"a\":1.5,\"b\":2,\"c\":\"short\"}\n".getBytes(UTF_8)));
        Path plain = write("k.jsonl.gz", "{\"a\":1.5,\"b\":2,\"c\":\"short\"}\n".getBytes(UTF_8));
        assertThat(features(model, json)).isEqualTo(features(model, plain));
        byte[] cut = gzip(bytes);
        assertRefused(write("cut.csv", Arrays.copyOf(cut, cut.length - 30)))
                .hasMessageContaining("cut.csv: ends too early: it was cut off");
    }

    @ParameterizedTest
    @CsvSource({
        "28b52ffd, packed with zstd",
        "504b030414000000, a zip archive",
        "fd377a585a00, packed with xz",
        "425a6839314159265359, packed with bzip2",
        "50415231, a Parquet file",
        "d0cf11e0a1b11ae1, an old Excel",
        "53514c69746520666f726d6174203300, an SQLite database",
        "894844460d0a1a0a, an HDF5 file",
        "25504446, a PDF document",
        "3c21444f43545950452068746d6c3e, a page of HTML"
    })
    void whatIsNoTableShouldBeNamed(String bytes, String name) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(HexFormat.of().parseHex(bytes));
        out.write(new byte[600]);
        for (String file : List.of("t.csv", "t.csv.gz", "t.jsonl")) {
            Path odd = write(file, out.toByteArray());
            assertRefused(odd).hasMessageContaining(file + ": is " + name);
            assertThatThrownBy(() -> Datasets.describe(odd))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(file + ": is " + name);
        }
        assertRefused(write("g.csv.gz", gzip(out.toByteArray()))).hasMessageContaining(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void linesShouldBeCountedThroughQuotedValuesAndBlankLines(String end) throws IOException {
        String text =
                "a,b,c,y\n"
                        + "1,2,\"two\n"
                        + "lines, \"\"and\n\n"
                        + " more\",A\n\n"
                        + "2,3,x,B\n"
                        + "3,4,\"\n"
                        + "\",A\n"
                        + "oops,1,x,B\n"
                        + "4,5,\"y\n\",A\n".repeat(4);
        Path file = write("l.csv", text.replace("\n", end).getBytes(UTF_8));
        assertRefused(file)
                .hasMessageContaining("l.csv, row 4 (line 10), column 'a': the text \"oops\"");
        Path ragged =
                write(
                        "r.csv",
                        text.replace("oops,1,x,B", "5,6").replace("\n", end).getBytes(UTF_8));
        assertRefused(ragged).hasMessageContaining("r.csv, line 10: has 2 columns instead of 4");
        Path both =
                write(
                        "b.csv",
                        text.replace("2,3,x,B\n", "7,7\n2,3,x,B\n")
                                .replace("\n", end)
                                .getBytes(UTF_8));
        Given skip = Given.files(both).label("y").split(ALL).badRows(BadRows.SKIP);
        assertThat(data.prepare(skip).findings().badRows()).isEqualTo(2);
        assertThat(Datasets.describe(both).findings())
                .anyMatch(s -> s.contains("b.csv, line 7: has 2 columns instead of 4: '7,7'"));
        Path late = write("d.csv", text.replace("\n", end).getBytes(UTF_8));
        assertThat(Datasets.describe(late).findings())
                .anyMatch(s -> s.contains("d.csv, row 4 (line 10), column 'a': the text \"oops\""));
    }

    @Test
    void linesOfJsonShouldBeCountedThroughBlankOnes() throws IOException {
        String rows = "{\"a\":1,\"y\":\"A\"}\n\n{\"a\":2,\"y\":\"B\"}\n\n";
        Path file =
                write(
                        "t.jsonl",
                        (rows + "{\"a\":\"oops\",\"y\":\"A\"}\n" + rows.repeat(4)).getBytes(UTF_8));
        assertRefused(file).hasMessageContaining("t.jsonl, row 3 (line 5), column 'a'");
    }

    @Test
    void aHeaderInTheMiddleShouldBeABadRow() throws IOException {
        Path file = write("h.csv", (TABLE + TABLE).getBytes(UTF_8));
        assertRefused(file)
                .hasMessageContaining("h.csv, row 41 (line 42), the line of the names stands here");
        PreparedData read =
                data.prepare(Given.files(file).label("y").split(ALL).badRows(BadRows.SKIP));
        assertThat(read.trainSamples()).isEqualTo(80);
        assertThat(Datasets.describe(file).samples()).isEqualTo(80);
        Path texts = write("x.csv", ("c,y\nu,A\nv,B\n".repeat(20)).getBytes(UTF_8));
        assertRefused(texts).hasMessageContaining("x.csv, row 3 (line 4), the line of the names");
    }

    @ParameterizedTest
    @ValueSource(strings = {",b,b,y", "a,b,NA,y", "a,b, ,y", " a,b,b,y"})
    void aHeaderOfOddNamesInTheMiddleShouldBeABadRow(String names) throws IOException {
        String table = TABLE.replaceFirst("a,b,c,y", names);
        Path file = write("odd.csv", (table + table).getBytes(UTF_8));
        assertRefused(file)
                .hasMessageContaining("odd.csv, row 41 (line 42), the line of the names");
        PreparedData read =
                data.prepare(Given.files(file).label("y").split(ALL).badRows(BadRows.SKIP));
        assertThat(read.trainSamples()).isEqualTo(80);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-32LE", "UTF-32BE", "X-UTF-32LE-BOM", "X-UTF-32BE-BOM"})
    void wideTextShouldBeReadWithAndWithoutAMark(String charset) throws IOException {
        Path file = write("wide.csv", TABLE.getBytes(Charset.forName(charset)));
        assertThat(features(trained(file), file))
                .isEqualTo(features(trained(file), write("n.csv", TABLE.getBytes(UTF_8))));
    }

    @Test
    void anOpenQuotationMarkShouldBeFoundOnItsLine() throws IOException {
        String open = TABLE.replaceFirst("long", "\"long");
        long line = 1 + open.substring(0, open.indexOf('"')).chars().filter(c -> c == '\n').count();
        assertRefused(write("o.csv", open.getBytes(UTF_8)))
                .hasMessageContaining("o.csv, line " + line + ": is a quotation mark not closed?");
        Path wide = write("w.csv", ("a,y\n1,A\n2," + "x".repeat(3_000_000) + "\n").getBytes(UTF_8));
        assertRefused(wide)
                .hasMessageContaining(
                        "w.csv, line 3: is longer than 2,000,000 bytes; is a quotation");
    }

    private static String table() {
        StringBuilder text = new StringBuilder("a,b,c,y\n");
        for (int i = 0; i < 40; i++) {
            text.append(
                    "%s,%d,%s,%s\n"
                            .formatted(
                                    i % 7 + 0.5,
                                    i % 5,
                                    i % 3 == 0 ? "short" : "long",
                                    i % 2 == 0 ? "A" : "B"));
        }
        return text.toString();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private AbstractThrowableAssert<?, ?> assertRefused(Path file) {
        return assertThatThrownBy(() -> data.prepare(Given.files(file).label("y").split(ALL)))
                .isInstanceOf(ConfigException.class);
    }

    private Encoding trained(Path file) {
        return data.trained(Given.files(file).label("y").split(ALL));
    }

    private float[] features(Encoding model, Path file) {
        return GivenEncoding.held(data.encode(model, Given.files(file)));
    }

    private Path path(String name) {
        return folder.resolve(name);
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }
}
