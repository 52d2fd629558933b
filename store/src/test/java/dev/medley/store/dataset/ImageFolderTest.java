package dev.medley.store.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Clock;
import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.memory.Batch;
import dev.medley.store.shard.Progress;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        return Datasets.prepare(given.spec(), 1, folder.resolve("cache"), Progress.NONE);
    }
}
