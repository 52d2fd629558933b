package dev.medley.data.dataset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.encoding.TextEncoding;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is learnt as text that is none, and no character becomes another one. */
@Tag("unit")
class TextFilesTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.TAIL, 0, null);
    private static final String TEXT = "Die Brücke, où l'été 😀 ends.\n".repeat(5);
    private static final TextSpec CHARACTERS =
            new TextSpec(TextUnit.CHARACTERS, 4, 1, List.of("*"));
    private static final TextSpec BYTES = new TextSpec(TextUnit.BYTES, 4, 1, List.of("*"));

    private final Path folder;
    private final GivenEncoding data;

    TextFilesTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "89504e470d0a1a0a0000000d49484452",
                "255044462d312e340a25e2e3cfd30a",
                "47494638396101000100f00000",
                "cafebabe00000034"
            })
    void aFolderShouldBeReadWithoutWhatIsNoText(String head) throws IOException {
        Path texts = texts();
        Given given = Given.files(texts).text(BYTES).split(ALL);
        long bare = data.prepare(given).trainSamples();
        Path other = texts.resolve("sub/figure");
        Files.write(other, HexFormat.of().parseHex(head));
        Files.write(texts.resolve("z"), HexFormat.of().parseHex(head));
        String left =
                "2 files of the folders are left out, since they are no texts, the first of them "
                        + other
                        + ": data.text.include says which are read";
        for (int again = 0; again < 2; again++) {
            PreparedData read = data.prepare(given);
            assertThat(read.trainSamples()).isEqualTo(bare);
            assertThat(read.findings().sentences()).contains(left);
        }
        assertThat(Datasets.describe(texts).findings()).contains(left);
        TextSpec named = new TextSpec(TextUnit.BYTES, 4, 1, List.of("*.txt", "figure"));
        assertThat(data.prepare(given.text(named)).trainSamples()).isGreaterThan(bare);
        Given both = Given.files(texts, other).text(BYTES).split(ALL);
        assertThat(data.prepare(both).trainSamples())
                .as("a file that is named itself")
                .isGreaterThan(bare);
    }

    @Test
    void textsInAnyEncodingAndPagesShouldBeTexts() throws IOException {
        Path texts = texts();
        Files.writeString(texts.resolve("page.html"), "<!DOCTYPE html><p>ORC</p>");
        Files.writeString(texts.resolve("ORC"), "ORC, a column format");
        Files.write(texts.resolve("latin"), TEXT.getBytes(ISO_8859_1));
        Files.write(texts.resolve("wide"), TEXT.getBytes(UTF_16LE));
        assertThat(data.prepare(Given.files(texts).split(ALL)).findings().sentences())
                .noneMatch(s -> s.contains("left out"));
    }

    @Test
    void aFolderThatHoldsNoTextShouldBeReadAsItIs() throws IOException {
        Path bytes = Files.createDirectories(folder.resolve("bytes"));
        Files.write(bytes.resolve("a"), HexFormat.of().parseHex("cafebabe00000034".repeat(50)));
        PreparedData read = data.prepare(Given.files(bytes).split(ALL));
        assertThat(read.findings().sentences().get(0)).startsWith("text: 400 bytes in 1 file,");
    }

    @Test
    void bytesThatAreNoCharacterShouldBeAnErrorWithTheirLine() throws IOException {
        String lines = "plain\n".repeat(5000);
        Path file = folder.resolve("latin.txt");
        Files.write(file, (lines + TEXT).getBytes(ISO_8859_1));
        Given given = Given.files(file).text(CHARACTERS).split(ALL);
        assertThatThrownBy(() -> data.prepare(given))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        file
                                + ", line 5001: is not UTF-8: convert the file, as with iconv -f"
                                + " LATIN1 -t UTF-8, or set data.text.unit: bytes");
        assertThat(data.prepare(Given.files(file).split(ALL)).trainSamples()).isPositive();
    }

    @Test
    void aTextThatEndsWithinACharacterShouldBeAnError() throws IOException {
        byte[] whole = "ends with é".getBytes(UTF_8);
        Path file = folder.resolve("cut.txt");
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(() -> data.prepare(Given.files(file).text(CHARACTERS).split(ALL)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cut.txt, line 1: is not UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "x-UTF-16LE-BOM"})
    void widerTextsShouldHaveTheSameCharacters(String charset) throws IOException {
        Path plain = Files.writeString(folder.resolve("a.txt"), TEXT.repeat(400));
        Path wide =
                Files.write(
                        folder.resolve("b.txt"),
                        TEXT.repeat(400).getBytes(Charset.forName(charset)));
        Path marked = Files.writeString(folder.resolve("c.txt"), "\uFEFF" + TEXT.repeat(400));
        PreparedData one = data.prepare(Given.files(plain).text(CHARACTERS).split(ALL));
        for (Path same : List.of(wide, marked)) {
            PreparedData two = data.prepare(Given.files(same).text(CHARACTERS).split(ALL));
            assertThat(two.encoding()).isEqualTo(one.encoding());
            assertThat(Files.readAllBytes(two.path().resolve(two.train().name())))
                    .isEqualTo(Files.readAllBytes(one.path().resolve(one.train().name())));
        }
        assertThat(((TextEncoding) one.encoding()).vocabulary()).contains("ü", "ù", "😀");
    }

    private Path texts() throws IOException {
        Path texts = Files.createDirectories(folder.resolve("texts/sub")).getParent();
        Files.writeString(texts.resolve("a.txt"), TEXT.repeat(4));
        Files.writeString(texts.resolve("sub/b.txt"), TEXT.repeat(3));
        return texts;
    }
}
