package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.InputFiles;
import dev.medley.data.shard.PreparationProgress;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class ImageDataTest {
    @TempDir Path folder;

    @Test
    void shouldFindTheFilesOfAFolderByName() throws IOException {
        idx("train", 40, 40, 4);
        idx("t10k", 10, 10, 4);
        PreparedData data = prepare(Given.files(folder.resolve("idx")));
        assertThat(data.trainSamples()).isEqualTo(40);
        assertThat(data.validationSamples()).isEqualTo(10);
        assertThat(data.signature().inputs().get(0).shape()).containsExactly(1, 2, 3);
        assertThat(data.signature().target().kind()).isEqualTo(TargetKind.CLASSES);
        assertThat(data.findings().classCounts()).containsExactly(10L, 10L, 10L, 10L);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            Batch batch = training.validation(3, 5);
            assertThat(Given.longs(batch.target())).containsExactly(3, 0);
            assertThat(Given.floats(batch.inputs().get(0))).containsExactly(pixels(3, 4));
        }
    }

    @Test
    void shouldTakeExplicitFilesAndSplitByClass() throws IOException {
        idx("train", 40, 40, 4);
        PreparedData data =
                prepare(
                        Given.files(
                                        folder.resolve("idx/train-labels-idx1-ubyte.gz"),
                                        folder.resolve("idx/train-images-idx3-ubyte.gz"))
                                .split(new SplitSpec(SplitKind.STRATIFIED, 0.2, null)));
        assertThat(data.findings().classCounts()).containsExactly(8L, 8L, 8L, 8L);
        assertThat(data.validationSamples()).isEqualTo(8);
    }

    @Test
    void shouldNormaliseByTheTrainingImages() throws IOException {
        idx("train", 40, 40, 4);
        idx("t10k", 10, 10, 4);
        PreparedData data =
                prepare(
                        Given.files(folder.resolve("idx"))
                                .image(new ImageSpec(0, 0, false, 0, true)));
        try (TrainingData training = TrainingData.open(data, 1, Clock.system());
                BatchStream stream = training.train(s -> new SampleRange(0, 0, 40), 1, 1)) {
            float[] values = Given.floats(stream.next().inputs().get(0));
            double mean = 0;
            double square = 0;
            for (float value : values) {
                mean += value / values.length;
                square += (double) value * value / values.length;
            }
            assertThat(mean).isCloseTo(0, org.assertj.core.data.Offset.offset(1e-5));
            assertThat(square).isCloseTo(1, org.assertj.core.data.Offset.offset(1e-5));
        }
    }

    @Test
    void shouldAugmentBySeedEpochAndSampleOnly() throws IOException {
        idx("train", 40, 40, 4);
        idx("t10k", 10, 10, 4);
        PreparedData data =
                prepare(
                        Given.files(folder.resolve("idx"))
                                .image(new ImageSpec(0, 0, true, 1, false)));
        float[] whole = epoch(data, 0, 0, 40);
        float[] part = epoch(data, 0, 10, 20);
        assertThat(part).isEqualTo(Arrays.copyOfRange(whole, 10 * 6, 20 * 6));
        assertThat(epoch(data, 0, 0, 40)).isEqualTo(whole);
        PreparedData plain = prepare(Given.files(folder.resolve("idx")));
        assertThat(epoch(plain, 0, 0, 40)).isNotEqualTo(whole);
    }

    @Test
    void shouldJitterAndCutOutBySeedEpochAndSampleOnly() throws IOException {
        idx("train", 40, 40, 4);
        idx("t10k", 10, 10, 4);
        float[] plain = epoch(prepare(Given.files(folder.resolve("idx"))), 0, 0, 40);
        float[] jittered = mixed(0.5, 0, 0, 0, 40);
        float[] cut = mixed(0, 2, 0, 0, 40);
        int cutPixels = 0;
        for (int i = 0; i < plain.length; i++) {
            assertThat(jittered[i]).isBetween(0f, 1f);
            assertThat(cut[i]).isIn(plain[i], 0f);
            cutPixels += cut[i] == plain[i] ? 0 : 1;
        }
        assertThat(cutPixels).as("of %d, in squares of 4", plain.length).isBetween(39, 4 * 40);
        assertThat(jittered).isNotEqualTo(plain);
        float[] both = mixed(0.5, 2, 0, 0, 40);
        assertThat(mixed(0.5, 2, 0, 10, 20)).isEqualTo(Arrays.copyOfRange(both, 10 * 6, 20 * 6));
        assertThat(mixed(0.5, 2, 1, 0, 40)).isNotEqualTo(both);
    }

    private float[] mixed(double jitter, int cutout, long epoch, long from, long to) {
        ImageSpec spec = new ImageSpec(0, 0, false, 0, false, jitter, cutout);
        return epoch(prepare(Given.files(folder.resolve("idx")).image(spec)), epoch, from, to);
    }

    @Test
    void shouldResizeOnRequest() throws IOException {
        idx("train", 40, 40, 4);
        idx("t10k", 10, 10, 4);
        PreparedData data =
                prepare(
                        Given.files(folder.resolve("idx"))
                                .image(new ImageSpec(4, 6, false, 0, false)));
        assertThat(((ImageEncoding) data.encoding()).pixels()).isEqualTo(24);
    }

    @Test
    void shouldEncodeNewImagesForATrainedModel() throws IOException {
        idx("train", 40, 40, 4);
        PreparedData data =
                prepare(
                        Given.files(folder.resolve("idx"))
                                .image(new ImageSpec(0, 0, false, 0, true)));
        Files.createDirectories(folder.resolve("new"));
        for (String kind : new String[] {"images-idx3", "labels-idx1"}) {
            Files.copy(
                    folder.resolve("idx/train-" + kind + "-ubyte.gz"),
                    folder.resolve("new/new-" + kind + "-ubyte.gz"));
        }
        PreparedData encoded =
                Datasets.encode(
                        data.encoding(),
                        Given.files(folder.resolve("new")).spec(),
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        assertThat(encoded.validationSamples()).isEqualTo(40);
        ImageEncoding encoding = (ImageEncoding) data.encoding();
        try (TrainingData training = TrainingData.open(encoded, 1, Clock.system())) {
            assertThat(Given.floats(training.validation(0, 1).inputs().get(0))[0])
                    .isEqualTo((float) (-encoding.mean().get(0) / encoding.deviation().get(0)));
        }
    }

    @Test
    void shouldSayThatAFileIsCutOff() throws IOException {
        idx("train", 40, 40, 4);
        Path images = folder.resolve("idx/train-images-idx3-ubyte.gz");
        byte[] bytes = Files.readAllBytes(images);
        Files.write(images, Arrays.copyOf(bytes, bytes.length / 2));
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("idx"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("train-images-idx3-ubyte.gz: ends too early");
        assertThat(folder.resolve("cache")).isDirectoryNotContaining("glob:**tmp-*");
    }

    /** A header is a claim: nothing is allocated for what cannot be in the file. */
    @ParameterizedTest
    @CsvSource({
        "train-images-idx3-ubyte, 4, -2147483648, 2147483648 x 2 x 3",
        "train-images-idx3-ubyte, 8, 65536, 20 x 65536 x 3",
        "train-images-idx3-ubyte, 4, 21, 21 x 2 x 3",
        "train-labels-idx1-ubyte, 4, -2147483648, 2147483648",
        "train-labels-idx1-ubyte, 4, 2147483647, 2147483647"
    })
    void aHeaderThatClaimsMoreThanThereIsShouldBeRefused(
            String name, int at, int length, String said) throws IOException {
        idx("train", 20, 20, 2);
        Path gzip = folder.resolve("idx/" + name + ".gz");
        byte[] bytes;
        try (InputStream in = InputFiles.open(gzip)) {
            bytes = in.readAllBytes();
        }
        ByteBuffer.wrap(bytes).putInt(at, length);
        Files.delete(gzip);
        Path plain = Files.write(folder.resolve("idx/" + name), bytes);
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("idx"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(plain + ": its header says " + said + " values");
        if (length != 21) {
            Files.delete(plain);
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
                out.write(bytes);
            }
            assertThatThrownBy(() -> prepare(Given.files(folder.resolve("idx"))))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(gzip + ": its header says " + said + " values");
        }
    }

    @Test
    void shouldRefuseAWrongMagicNumber() throws IOException {
        idx("train", 40, 40, 4);
        Files.copy(
                folder.resolve("idx/train-labels-idx1-ubyte.gz"),
                folder.resolve("idx/train-images-idx3-ubyte.gz"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("idx"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("begins with 0x00000801")
                .hasMessageContaining("images begins with 0x00000803");
    }

    @Test
    void shouldRefuseUnequalCounts() throws IOException {
        idx("train", 40, 39, 4);
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("idx"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has 40 images")
                .hasMessageContaining("has 39 labels");
    }

    @Test
    void shouldRefuseOneClassOnly() throws IOException {
        idx("train", 40, 40, 1);
        assertThatThrownBy(() -> prepare(Given.files(folder.resolve("idx"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("have class 0");
    }

    @Test
    @Tag("real")
    void shouldPrepareFashionMnist() {
        Path idx = Given.shared("fashion-mnist/idx");
        PreparedData data = prepare(Given.files(idx));
        assertThat(data.trainSamples()).isEqualTo(60_000);
        assertThat(data.validationSamples()).isEqualTo(10_000);
        assertThat(data.findings().classCounts()).containsOnly(6_000L).hasSize(10);
    }

    private static float[] epoch(PreparedData data, long epoch, long from, long to) {
        try (TrainingData training = TrainingData.open(data, 7, Clock.system());
                BatchStream stream = training.train(s -> new SampleRange(epoch, from, to), 1, 1)) {
            return Given.floats(stream.next().inputs().get(0));
        }
    }

    private PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, folder.resolve("cache"), PreparationProgress.NONE);
    }

    /** Image i has class i % classes and pixels i, i + 1, and so on. */
    private void idx(String prefix, int images, int labels, int classes) throws IOException {
        Files.createDirectories(folder.resolve("idx"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            out.writeInt(0x803);
            out.writeInt(images);
            out.writeInt(2);
            out.writeInt(3);
            for (int i = 0; i < images; i++) {
                for (int p = 0; p < 6; p++) {
                    out.writeByte(i + p);
                }
            }
        }
        Files.write(folder.resolve("idx/" + prefix + "-images-idx3-ubyte.gz"), bytes.toByteArray());
        bytes.reset();
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            out.writeInt(0x801);
            out.writeInt(labels);
            for (int i = 0; i < labels; i++) {
                out.writeByte(i % classes);
            }
        }
        Files.write(folder.resolve("idx/" + prefix + "-labels-idx1-ubyte.gz"), bytes.toByteArray());
    }

    private static float[] pixels(int... images) {
        float[] values = new float[images.length * 6];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) ((images[i / 6] + i % 6) / 255.0);
        }
        return values;
    }
}
