package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.ImageEncoding;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images that a trained model learns more from are read as that model reads them. */
@Tag("unit")
class GivenImageEncodingTest {
    private final Path folder;
    private final GivenEncoding data;

    GivenImageEncodingTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void imagesShouldKeepSizeBrightnessAndClassesOfTheModel() throws IOException {
        SplitSpec half = new SplitSpec(SplitKind.STRATIFIED, 0.5, null);
        ImageSpec normalised = new ImageSpec(0, 0, false, 0, true);
        for (String name : List.of("a", "b", "c")) {
            images("first/" + name, 4, 40);
            images("more/" + name, 8, 200);
        }
        Path first = folder.resolve("first");
        Encoding model = data.trained(Given.files(first).image(normalised).split(half));
        remove(folder.resolve("more/a"));
        Given given = Given.files(folder.resolve("more")).image(normalised).split(half);
        PreparedData more = data.prepareAs(model, given);
        assertThat(more.encoding()).isEqualTo(model);
        assertThat(more.findings().classCounts()).containsExactly(0L, 4L, 4L);
        assertThat(brightness(more))
                .isEqualTo(brightness(data.prepare(given)))
                .allMatch(value -> value >= 200);
        try (TrainingData training = TrainingData.open(more, 1, Clock.system())) {
            assertThat(Given.longs(training.validation(0, 8).target()))
                    .containsExactly(1, 1, 1, 1, 2, 2, 2, 2);
        }
        data.assertRefused(
                model,
                given.image(new ImageSpec(8, 0, false, 0, true)),
                "data.image.height=8",
                "data.image.height=4");
        data.assertRefused(
                model, given.image(ImageSpec.defaults()), "normalise=false", "normalise=true");
        images("more/d", 4, 7);
        data.assertRefused(model, given.image(normalised), "folder 'd'", "[a, b, c]");
    }

    @Test
    void idxImagesShouldKeepTheClassesOfTheModel() throws IOException {
        ImageEncoding model =
                new ImageEncoding(1, 2, 2, List.of("0", "1", "2", "3"), List.of(0.0), List.of(1.0));
        Given given = Given.files(idx(30, 3)).split(new SplitSpec(SplitKind.STRATIFIED, 0.2, null));
        PreparedData more = data.prepareAs(model, given);
        assertThat(more.encoding()).isEqualTo(model);
        assertThat(more.findings().classCounts()).containsExactly(8L, 8L, 8L, 0L);
        float[] own = GivenEncoding.held(data.prepare(given));
        assertThat(GivenEncoding.held(more)).isEqualTo(own);
        data.assertRefused(model, Given.files(idx(30, 5)), "class 4", "classes 0 to 3");
        data.assertRefused(
                new ImageEncoding(1, 2, 2, List.of("cat", "dog"), List.of(0.0), List.of(1.0)),
                given,
                "numbers from 0",
                "[cat, dog]");
    }

    /** Class 0 of a file need not be the class that the model has first. */
    @Test
    void idxImagesShouldBeJudgedByNumbersAloneAndPredictedByAll() throws IOException {
        for (String name : List.of("cat", "dog", "emu")) {
            images("set/" + name, 4, 40);
        }
        ImageSpec small = new ImageSpec(2, 2, false, 0, false);
        Encoding model = data.trained(Given.files(folder.resolve("set")).image(small));
        Given given = Given.files(idx(30, 3));
        assertThatThrownBy(() -> data.encode(model, given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("train-labels-idx1-ubyte", "from 0", "[cat, dog, emu]");
        PreparedData predicted = data.encodeInputs(model, given);
        assertThat(predicted.findings().targets()).isFalse();
        assertThat(predicted.validationSamples()).isEqualTo(30);
        float[] pixels = GivenEncoding.held(data.encodeInputs(model, Given.files(idx(30, 5))));
        assertThat(pixels).hasSize(120).isEqualTo(GivenEncoding.held(predicted));
        Encoding numbers =
                new ImageEncoding(1, 2, 2, List.of("0", "1", "2"), List.of(0.0), List.of(1.0));
        assertThat(data.encode(numbers, given).findings().targets()).isTrue();
    }

    /** The first pixel of each image that is held out, as its file has it. */
    private static List<Long> brightness(PreparedData data) {
        ImageEncoding image = (ImageEncoding) data.encoding();
        float[] pixels = GivenEncoding.held(data);
        List<Long> first = new ArrayList<>();
        for (int i = 0; i < pixels.length; i += image.pixels()) {
            double value = pixels[i] * image.deviation().get(0) + image.mean().get(0);
            first.add(Math.round(255 * value));
        }
        return first;
    }

    private void images(String name, int count, int from) throws IOException {
        Path into = Files.createDirectories(folder.resolve(name));
        for (int i = 0; i < count; i++) {
            BufferedImage image = new BufferedImage(4, 4, BufferedImage.TYPE_BYTE_GRAY);
            for (int p = 0; p < 16; p++) {
                image.getRaster().setSample(p % 4, p / 4, 0, from + i);
            }
            ImageIO.write(image, "png", into.resolve(i + ".png").toFile());
        }
    }

    private static void remove(Path images) throws IOException {
        try (Stream<Path> files = Files.list(images)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(images);
    }

    /** Image i of 2 x 2 pixels i has class i % classes. */
    private Path idx(int count, int classes) throws IOException {
        Path into = Files.createDirectories(folder.resolve("idx" + classes));
        ByteArrayOutputStream images = new ByteArrayOutputStream();
        ByteArrayOutputStream labels = new ByteArrayOutputStream();
        DataOutputStream image = new DataOutputStream(images);
        DataOutputStream label = new DataOutputStream(labels);
        for (int header : new int[] {0x803, count, 2, 2}) {
            image.writeInt(header);
        }
        label.writeInt(0x801);
        label.writeInt(count);
        for (int i = 0; i < count; i++) {
            byte[] pixels = new byte[4];
            Arrays.fill(pixels, (byte) i);
            image.write(pixels);
            label.writeByte(i % classes);
        }
        Files.write(into.resolve("train-images-idx3-ubyte"), images.toByteArray());
        Files.write(into.resolve("train-labels-idx1-ubyte"), labels.toByteArray());
        return into;
    }
}
