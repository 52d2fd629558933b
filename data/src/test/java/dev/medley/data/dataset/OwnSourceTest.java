package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.Targets;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.BatchBuffers;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.shard.SampleKey;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
public class OwnSourceTest {
    @TempDir Path folder;

    /** Sample i is (i, i + 0.5) with class i % 3. */
    public static final class Counting implements SampleSource {
        private final long size;

        public Counting(Map<String, String> options) {
            size = Long.parseLong(options.getOrDefault("size", "100"));
        }

        @Override
        public Signature signature() {
            return new Signature(
                    List.of(
                            new Signature.Input(
                                    "pair", ElementType.FLOAT32, List.of(2), List.of())),
                    Targets.ofClasses(List.of("a", "b", "c")));
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public void read(long index, List<ByteBuffer> inputs, ByteBuffer target) {
            if (index == 91) {
                target.putLong(0).putLong(0); // A class has room for one.
            }
            if (index == 77) {
                throw new ConfigException("sample 77 is broken");
            }
            inputs.get(0).putFloat((float) index).putFloat(index + 0.5f);
            target.putLong(index % 3);
        }
    }

    /** Not public. */
    static final class Hidden {}

    @Test
    void shouldReadEverySampleOnceInOneOfTheSplits() {
        PreparedData data = prepare(Map.of("size", "60"), SplitKind.RANDOM);
        assertThat(data.trainSamples()).isEqualTo(48);
        assertThat(data.validationSamples()).isEqualTo(12);
        Set<Float> seen = new TreeSet<>();
        try (TrainingData training = TrainingData.open(data, 9, Clock.system());
                BatchStream stream = training.train(s -> new SampleRange(0, 0, 48), 1, 1)) {
            for (Batch batch : List.of(stream.next(), training.validation(0, 12))) {
                float[] values = Given.floats(batch.inputs().get(0));
                long[] classes = Given.longs(batch.target());
                for (int row = 0; row < batch.samples(); row++) {
                    assertThat(seen.add(values[2 * row])).isTrue();
                    assertThat(values[2 * row + 1]).isEqualTo(values[2 * row] + 0.5f);
                    assertThat(classes[row]).isEqualTo((long) values[2 * row] % 3);
                }
            }
        }
        assertThat(seen).hasSize(60);
    }

    @Test
    void shouldKeepTheTailForValidationOnRequest() {
        PreparedData data = prepare(Map.of("size", "10"), SplitKind.TAIL);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            assertThat(Given.floats(training.validation(0, 2).inputs().get(0)))
                    .containsExactly(8, 8.5f, 9, 9.5f);
        }
    }

    @Test
    void shouldHandOnWhatTheSourceRefuses() {
        PreparedData data = prepare(Map.of(), SplitKind.TAIL);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system());
                BatchStream stream = training.train(s -> new SampleRange(0, 0, 80), 1, 1)) {
            assertThatThrownBy(stream::next)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("sample 77 is broken");
        }
    }

    @Test
    void shouldSayWhichSampleASourceFailedAtAndWhatRoomThereWas() {
        PreparedData data = prepare(Map.of(), SplitKind.TAIL);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            BatchBuffers room = new BatchBuffers(data.signature());
            assertThatThrownBy(() -> training.trainReader().read(new SampleKey(0, 91), room, 0))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("data.class=" + Counting.class.getName())
                    .hasMessageContaining("read(91, ...) failed: java.nio.BufferOverflowException")
                    .hasMessageContaining("inputs of [8] bytes and a target of 8");
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAClass() {
        assertRefused("com.example.None", "not found on the class path");
        assertRefused("java.lang.String", "does not implement");
        assertRefused(Hidden.class.getName(), "does not implement");
        assertThatThrownBy(() -> prepare(Map.of("size", "many"), SplitKind.TAIL))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("its constructor failed")
                .hasMessageContaining("many");
        assertThatThrownBy(() -> prepare(Map.of("size", "0"), SplitKind.TAIL))
                .hasMessageContaining("has no samples");
    }

    private void assertRefused(String type, String message) {
        Given given = Given.custom(new ClassSpec(type, Map.of()));
        assertThatThrownBy(
                        () -> Datasets.prepare(given.spec(), 1, folder, PreparationProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(type)
                .hasMessageContaining(message);
    }

    private PreparedData prepare(Map<String, String> options, SplitKind split) {
        ClassSpec type = new ClassSpec(Counting.class.getName(), options);
        return Datasets.prepare(
                Given.custom(type).split(new SplitSpec(split, 0.2, null)).spec(),
                1,
                folder,
                PreparationProgress.NONE);
    }
}
