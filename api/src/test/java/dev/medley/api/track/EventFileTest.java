package dev.medley.api.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.StepRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads event files back frame by frame, with checksums, as TensorFlow's own readers do. */
@Tag("unit")
class EventFileTest {
    @TempDir private Path folder;

    @Test
    void shouldWriteFramesWhoseChecksumsHold() throws IOException {
        try (EventFile events = EventFile.begin(folder.resolve("a"), 0, Clock.system(), w -> {})) {
            events.step(step(1, 0.75));
            events.evaluation(evaluation(1, Double.NaN));
            events.step(step(300, 0.5));
        }
        List<byte[]> frames = frames(onlyFile(folder.resolve("a")));
        assertThat(frames).hasSize(4);
        assertThat(text(frames.get(0))).contains("brain.Event:2");
        assertThat(text(frames.get(1))).contains("loss", "learning_rate", "samples_per_second");
        assertThat(text(frames.get(2))).contains("validation/ndcg_10").doesNotContain("/loss");
        // Step 300 as a varint, after the wall time's tag and eight bytes.
        assertThat(frames.get(3)).startsWith((byte) 9).contains((byte) 0xac, (byte) 2);
        assertThat(frames.get(3)[9]).isEqualTo((byte) (2 << 3));
        // A value of 0.5 as the float that follows the tag "loss".
        assertThat(text(frames.get(3))).contains("loss\u0015\0\0\0\u003f");
    }

    @Test
    void shouldKnowTheMaskedChecksumOfTheStandard() {
        // RFC 3720, B.4: 32 bytes of zeros have the CRC32C 8a9136aa.
        int crc = 0x8a9136aa;
        assertThat(EventFile.masked(new byte[32])).isEqualTo((crc >>> 15 | crc << 17) + 0xa282ead8);
    }

    @Test
    void shouldVoidLaterEventsOfARunThatGoesOn() throws IOException {
        EventFile.begin(folder.resolve("b"), 0, Clock.system(), w -> {}).close();
        EventFile.begin(folder.resolve("b"), 40, Clock.system(), w -> {}).close();
        List<Path> files = files(folder.resolve("b"));
        assertThat(files).hasSize(2);
        List<byte[]> last = new ArrayList<>();
        for (Path file : files) {
            last.add(frames(file).get(frames(file).size() - 1));
        }
        // One of them ends with a SessionLog START of step 41.
        assertThat(last)
                .anySatisfy(frame -> assertThat(frame).endsWith(16, 41, 7 << 3 | 2, 2, 8, 1));
    }

    @Test
    void shouldRefuseAFolderThatIsAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> EventFile.begin(file, 0, Clock.system(), w -> {}))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("track.tensorboard")
                .hasMessageContaining(file.toString());
    }

    static StepRecord step(long step, double loss) {
        return new StepRecord(step, 0, 1, 1, loss, 0.1, null, 32, 1000 + step, 1000, List.of());
    }

    static EvaluationRecord evaluation(long step, double loss) {
        MetricValue metric = new MetricValue("ndcg@10", 0.25, MetricValue.Better.HIGHER);
        return new EvaluationRecord(step, 0, 32, 1000 + step, 5, loss, null, List.of(metric));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static Path onlyFile(Path folder) throws IOException {
        assertThat(files(folder)).hasSize(1);
        assertThat(files(folder).get(0).getFileName().toString()).contains("tfevents");
        return files(folder).get(0);
    }

    private static List<byte[]> frames(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> frames = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte[] length = new byte[Long.BYTES];
            bytes.get(length);
            assertThat(bytes.getInt()).isEqualTo(masked(length));
            int size = (int) ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getLong();
            byte[] frame = new byte[size];
            bytes.get(frame);
            assertThat(bytes.getInt()).isEqualTo(masked(frame));
            frames.add(frame);
        }
        return frames;
    }

    private static int masked(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        int value = (int) crc.getValue();
        return (value >>> 15 | value << 17) + 0xa282ead8;
    }

    private static String text(byte[] frame) {
        return new String(frame, StandardCharsets.ISO_8859_1);
    }
}
