package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.PreparationProgress;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prepares and reads a set in a process whose heap is a fraction of it. */
@Tag("real")
class LargeSetTest {
    private static final int IMAGES = 160_000;
    private static final int SIDE = 28;

    @TempDir Path folder;

    @Test
    void shouldPrepareAndReadASetThatIsLargerThanTheHeap() throws Exception {
        Path images = folder.resolve("train-images-idx3-ubyte");
        write(images, folder.resolve("train-labels-idx1-ubyte"));
        assertThat(Files.size(images)).isGreaterThan(120_000_000);
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx48m",
                                "-XX:MaxDirectMemorySize=32m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Reader.class.getName(),
                                folder.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean ended = process.waitFor(90, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as(Files.readString(output)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output)).contains("read 144000 samples once");
    }

    /** The child. Every image carries its number in its first four pixels. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) {
            Path folder = Path.of(arguments[0]);
            DataSpec spec =
                    Given.files(
                                    folder.resolve("train-images-idx3-ubyte"),
                                    folder.resolve("train-labels-idx1-ubyte"))
                            .cache(16 << 20, 1 << 30)
                            .spec();
            PreparedData data =
                    Datasets.prepare(spec, 1, folder.resolve("cache"), PreparationProgress.NONE);
            BitSet seen = new BitSet();
            try (TrainingData training = TrainingData.open(data, 1, Clock.system());
                    BatchStream stream =
                            training.train(
                                    step -> new SampleRange(0, (step - 1) * 1000, step * 1000),
                                    1,
                                    2)) {
                for (int step = 0; step < data.trainSamples() / 1000; step++) {
                    Batch batch = stream.next();
                    float[] pixels = Given.floats(batch.inputs().get(0));
                    for (int row = 0; row < batch.samples(); row++) {
                        seen.set(number(pixels, row * SIDE * SIDE));
                    }
                }
            }
            System.out.println("read " + seen.cardinality() + " samples once");
        }

        private static int number(float[] pixels, int at) {
            int number = 0;
            for (int i = 0; i < 4; i++) {
                number = number << 8 | Math.round(pixels[at + i] * 255);
            }
            return number;
        }
    }

    private static void write(Path images, Path labels) throws IOException {
        try (DataOutputStream out = open(images)) {
            out.writeInt(0x803);
            out.writeInt(IMAGES);
            out.writeInt(SIDE);
            out.writeInt(SIDE);
            byte[] rest = new byte[SIDE * SIDE - 4];
            for (int i = 0; i < IMAGES; i++) {
                out.writeInt(i);
                out.write(rest);
            }
        }
        try (DataOutputStream out = open(labels)) {
            out.writeInt(0x801);
            out.writeInt(IMAGES);
            for (int i = 0; i < IMAGES; i++) {
                out.writeByte(i % 10);
            }
        }
    }

    private static DataOutputStream open(Path file) throws IOException {
        return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 20));
    }
}
