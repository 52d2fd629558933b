package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.shard.PreparationProgress;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class ImageFolderTest {
    @TempDir Path folder;

    @Test
    void shouldReadColourImagesByFolder() throws IOException {
        images("cat", 5, 4, 6, 0xFF0000);
        images("dog", 5, 4, 6, 0x0000FF);
        PreparedData data = prepare(Given.files(folder.resolve("set")).split(half()));
        assertThat(data.format()).isEqualTo(DataFormat.IMAGES);
        assertThat(data.signature().inputs().get(0).shape()).containsExactly(3, 4, 6);
        assertThat(data.signature().target().labels()).containsExactly("cat", "dog");
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            Batch batch = training.validation(0, 4);
            assertThat(Given.floats(batch.target())).containsExactly(0, 0, 1, 1);
            float[] pixels = Given.floats(batch.inputs().get(0));
            assertThat(pixels[0]).isEqualTo(1);
            assertThat(pixels[2 * 24]).isEqualTo(0);
            assertThat(pixels[3 * 72]).isEqualTo(0);
            assertThat(pixels[3 * 72 + 2 * 24]).isEqualTo(1);
        }
    }

    @Test
    void shouldReadGreyImagesAndResizeThem() throws IOException {
        for (int i = 0; i < 4; i++) {
            grey("a/" + i, 8, 8, 100);
            grey("b/" + i, 16, 12, 200);
        }
        PreparedData data =
                prepare(
                        Given.files(folder.resolve("set"))
                                .image(new ImageSpec(4, 4, false, 0, false))
                                .split(half()));
        assertThat(data.signature().inputs().get(0).shape()).containsExactly(1, 4, 4);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            float[] pixels = Given.floats(training.validation(0, 4).inputs().get(0));
            assertThat(pixels[0]).isEqualTo((float) (100 / 255.0));
            assertThat(pixels[3 * 16]).isEqualTo((float) (200 / 255.0));
        }
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("set")).split(half())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is 12 wide and 16 high, other images are 8 wide and 8 high");
    }

    @Test
    void shouldNameAFileThatIsNoImage() throws IOException {
        images("cat", 3, 4, 4, 0xFF0000);
        images("dog", 3, 4, 4, 0x0000FF);
        Path broken = folder.resolve("set/dog/1.png");
        byte[] bytes = Files.readAllBytes(broken);
        Files.write(broken, java.util.Arrays.copyOf(bytes, 20));
        Given given = Given.files(folder.resolve("set")).split(half());
        assertThatThrownBy(() -> prepare(given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("1.png: cannot be decoded");
        PreparedData data = prepare(given.badRows(BadRows.SKIP));
        assertThat(data.findings().badRows()).isEqualTo(1);
        assertThat(data.trainSamples() + data.validationSamples()).isEqualTo(5);
    }

    @Test
    void foldersForTrainingAndValidationShouldBeTheSplit() throws IOException {
        images("Train/cat", 5, 4, 4, 0xFF0000);
        images("Train/dog", 4, 4, 4, 0x0000FF);
        images("val/cat", 1, 4, 4, 0xFF0000);
        images("val/dog", 2, 4, 4, 0x0000FF);
        Given given = Given.files(folder.resolve("set"));
        PreparedData data = prepare(given);
        assertThat(data.trainSamples()).isEqualTo(9);
        assertThat(data.validationSamples()).isEqualTo(3);
        assertThat(data.signature().target().labels()).containsExactly("cat", "dog");
        assertThat(data.findings().sentences()).contains("the folders give the split");
        PreparedData all =
                Datasets.encode(
                        data.encoding(),
                        given.spec(),
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        assertThat(all.validationSamples()).as("to predict, all of them").isEqualTo(12);
    }

    @Test
    void imagesThatCannotBeReadShouldBeNamedWithTheirCount() throws IOException {
        images("cat", 3, 4, 4, 0xFF0000);
        images("dog", 3, 4, 4, 0x0000FF);
        for (String other : List.of("cat/a.webp", "dog/b.WEBP", "dog/c.heic", "dog/notes.txt")) {
            Files.writeString(folder.resolve("set").resolve(other), "x");
        }
        BufferedImage bitmap = new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB);
        ImageIO.write(bitmap, "bmp", folder.resolve("set/dog/d.BMP").toFile());
        PreparedData data = prepare(Given.files(folder.resolve("set")).split(half()));
        assertThat(data.trainSamples() + data.validationSamples()).isEqualTo(7);
        String left = "files left out: 2 .webp, 1 .heic, 1 .txt; PNG, JPEG and BMP are read";
        assertThat(data.findings().sentences()).contains(left);
        assertThat(prepare(Given.files(folder.resolve("set")).split(half())).findings().sentences())
                .as("also where the set is known")
                .contains(left);
        Files.createDirectories(folder.resolve("other/a"));
        Files.writeString(folder.resolve("other/a/1.webp"), "x");
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("other"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("by ending there are {.webp=1}");
    }

    @Test
    void coloursThatAreReadInGreyShouldBeAWarning() throws IOException {
        for (int i = 0; i < 4; i++) {
            grey("cat/" + i, 4, 4, 100);
            grey("dog/" + i, 4, 4, 200);
        }
        images("zebra", 3, 4, 4, 0x707070);
        Files.move(folder.resolve("set/zebra/0.png"), folder.resolve("set/cat/g0.png"));
        Files.move(folder.resolve("set/zebra/1.png"), folder.resolve("set/dog/g1.png"));
        Files.delete(folder.resolve("set/zebra/2.png"));
        Given given = Given.files(folder.resolve("set")).split(half());
        PreparedData plain = prepare(given);
        assertThat(plain.signature().inputs().get(0).shape()).containsExactly(1, 4, 4);
        assertThat(plain.findings().warnings()).as("saved in colour, and grey").isEmpty();
        images("red", 2, 4, 4, 0xFF0000);
        Path first = Files.move(folder.resolve("set/red/0.png"), folder.resolve("set/cat/r.png"));
        Files.move(folder.resolve("set/red/1.png"), folder.resolve("set/dog/r.png"));
        assertThat(prepare(given).findings().warnings())
                .containsExactly(
                        "2 images have colours that are lost, the first of them "
                                + first
                                + ": all are read in grey, as the first image of each folder is;"
                                + " let one in colour be the first to keep colours");
        assertThat(
                        Datasets.encode(
                                        plain.encoding(),
                                        given.spec(),
                                        folder.resolve("cache"),
                                        PreparationProgress.NONE)
                                .findings()
                                .warnings())
                .containsExactly(
                        "2 images have colours that are lost, the first of them "
                                + first
                                + ": the model reads grey images");
        Files.move(first, folder.resolve("set/cat/#.png"));
        PreparedData coloured = prepare(given);
        assertThat(coloured.signature().inputs().get(0).shape()).containsExactly(3, 4, 4);
        assertThat(coloured.findings().warnings()).isEmpty();
    }

    /** Some bytes that claim to be 65,535 pixels wide and high. */
    @Test
    void aPictureThatNoMemoryHoldsShouldBeRefusedByItsHeader() throws IOException {
        images("cat", 2, 4, 4, 0xFF0000);
        images("dog", 2, 4, 4, 0x0000FF);
        Path bomb = folder.resolve("set/dog/1.png");
        byte[] bytes = Files.readAllBytes(bomb);
        ByteBuffer header = ByteBuffer.wrap(bytes);
        header.putInt(16, 65_535).putInt(20, 65_535);
        CRC32 crc = new CRC32();
        crc.update(bytes, 12, 17);
        header.putInt(29, (int) crc.getValue());
        Files.write(bomb, bytes);
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("set")).split(half())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("1.png: says that it is 65,535 wide and 65,535 high");
    }

    @Test
    void shouldRefuseOneFolderOnly() throws IOException {
        images("cat", 3, 4, 4, 0xFF0000);
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("set"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("lie in one folder");
    }

    private static SplitSpec half() {
        return new SplitSpec(SplitKind.STRATIFIED, 0.4, null);
    }

    private void images(String name, int count, int height, int width, int rgb) throws IOException {
        for (int i = 0; i < count; i++) {
            BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
            for (int p = 0; p < width * height; p++) {
                image.setRGB(p % width, p / width, rgb);
            }
            write(image, name + "/" + i);
        }
    }

    private void grey(String name, int height, int width, int value) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        for (int p = 0; p < width * height; p++) {
            image.getRaster().setSample(p % width, p / width, 0, value);
        }
        write(image, name);
    }

    private void write(BufferedImage image, String name) throws IOException {
        Path file = folder.resolve("set/" + name + ".png");
        Files.createDirectories(file.getParent());
        ImageIO.write(image, "png", file.toFile());
    }

    private PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, folder.resolve("cache"), PreparationProgress.NONE);
    }
}
