package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.order.SampleOrder;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class TrainingDataTest {
    private static final int CONTEXT = 16;

    @TempDir Path folder;
    private PreparedData data;

    @BeforeEach
    void prepare() throws IOException {
        byte[] text = new byte[400_000];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (i * 31 + i / 251);
        }
        Files.write(folder.resolve("t.txt"), text);
        data = prepare(Given.files(folder.resolve("t.txt")));
    }

    @Test
    void shouldGiveTheStepsInOrderWhateverIsAhead() {
        List<long[]> one = steps(1, 5, 1);
        assertThat(steps(1, 5, 8)).usingRecursiveComparison().isEqualTo(one);
        assertThat(steps(3, 3, 2)).usingRecursiveComparison().isEqualTo(one.subList(2, 5));
    }

    /** Two that are with the caller, one that is being filled, three that may be ready. */
    @Test
    void aSampleShouldCountOnceForEachBatchThatIsHeld() {
        Signature signature = data.signature();
        assertThat(signature.inputs()).hasSize(1);
        long context = signature.inputs().get(0).shape().get(0);
        assertThat(TrainingData.bytesPerSample(signature, 3))
                .as("tokens and the next ones, of eight bytes")
                .isEqualTo((2 + 1 + 3) * 2 * context * Long.BYTES);
    }

    @Test
    void shouldCutSharesThatAreUnevenOrEmpty() {
        try (TrainingData training = open();
                BatchStream stream =
                        training.train(
                                step ->
                                        step % 3 == 0
                                                ? new SampleRange(0, 40, 40)
                                                : new SampleRange(0, 0, 10 * step),
                                1,
                                2)) {
            assertThat(stream.next().samples()).isEqualTo(10);
            assertThat(stream.next().samples()).isEqualTo(20);
            Batch empty = stream.next();
            assertThat(empty.samples()).isZero();
            assertThat(empty.inputs().get(0).shape()).containsExactly(0, CONTEXT);
            assertThat(stream.next().samples()).isEqualTo(40);
        }
    }

    @Test
    void shouldKeepABatchUntilTheSecondNextOne() {
        try (TrainingData training = open();
                BatchStream stream = training.train(TrainingDataTest::tens, 1, 3)) {
            Batch first = stream.next();
            long[] before = Given.longs(first.inputs().get(0));
            stream.next();
            assertThat(Given.longs(first.inputs().get(0))).isEqualTo(before);
        }
    }

    @Test
    void shouldUseTheSameMemoryForEveryStep() {
        try (TrainingData training = open();
                BatchStream stream = training.train(TrainingDataTest::tens, 1, 3)) {
            for (int i = 0; i < 50; i++) {
                stream.next();
            }
            long before = directBytes();
            for (int i = 0; i < 3_000; i++) {
                stream.next();
            }
            assertThat(directBytes()).isLessThanOrEqualTo(before);
        }
    }

    @Test
    void shouldHandMemoryFromOneStreamToTheNext() {
        try (TrainingData training = open()) {
            long before = 0;
            for (int plan = 0; plan < 50; plan++) {
                try (BatchStream stream = training.train(TrainingDataTest::tens, 1, 3)) {
                    stream.next();
                    stream.next();
                }
                before = plan == 9 ? directBytes() : before;
            }
            assertThat(directBytes()).isLessThanOrEqualTo(before + (64 << 10));
        }
    }

    @Test
    void shouldMeasureTheWaitForABatchThatIsLate() {
        CountDownLatch late = new CountDownLatch(1);
        // The clock is read when a wait begins and when it ends; reading it lets the batch go on.
        Clock clock = new Ticking(late);
        try (TrainingData training = TrainingData.open(data, 1, clock);
                BatchStream stream =
                        training.train(
                                step -> {
                                    await(late);
                                    return tens(step);
                                },
                                1,
                                1)) {
            stream.next();
            assertThat(stream.stallNs()).isEqualTo(1);
            assertThat(stream.stallNs()).isZero();
        }
    }

    @Test
    void shouldTellTheCallerWhyThereIsNoBatch() throws IOException {
        try (TrainingData training = open();
                BatchStream stream =
                        training.train(
                                step -> {
                                    if (step == 3) {
                                        throw new IllegalArgumentException("no step three");
                                    }
                                    return tens(step);
                                },
                                1,
                                4)) {
            stream.next();
            stream.next();
            assertThatThrownBy(stream::next)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("data of step 3")
                    .hasMessageContaining("no step three");
            assertThatThrownBy(stream::next).hasMessageContaining("data of step 3");
        }
        try (FileChannel file =
                FileChannel.open(
                        data.path().resolve(data.train().name()), StandardOpenOption.WRITE)) {
            file.truncate(1_000);
        }
        try (TrainingData training = open();
                BatchStream stream = training.train(s -> new SampleRange(0, 0, 500), 1, 1)) {
            assertThatThrownBy(stream::next)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("cannot be read: tokens.bin ends at byte 1000");
        }
    }

    @Test
    void shouldRefusePositionsBeyondTheEpoch() {
        try (TrainingData training = open();
                BatchStream stream =
                        training.train(s -> new SampleRange(0, 0, data.trainSamples() + 1), 1, 1)) {
            assertThatThrownBy(stream::next).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldReadASetLargerThanTheCacheOncePerEpochAndInWindows() throws IOException {
        byte[] text = new byte[24 << 20];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (i * 7 + i / 1009);
        }
        Files.write(folder.resolve("big.txt"), text);
        long limit = 8L << 20;
        PreparedData big = prepare(Given.files(folder.resolve("big.txt")).cache(limit, 1L << 30));
        assertThat(big.train().decodedBytes()).isGreaterThan(2 * limit);
        boolean[] seen = new boolean[(int) big.trainSamples()];
        int twice = 0;
        int wrong = 0;
        try (TrainingData training = TrainingData.open(big, 1, Clock.system());
                BatchStream stream =
                        training.train(step -> range(step, 4096, big.trainSamples(), 0), 1, 2)) {
            SampleOrder order = new SampleOrder(big.train().layout(), 1, 0);
            for (long at = 0; at < big.trainSamples(); at += 4096) {
                Batch batch = stream.next();
                long[] tokens = Given.longs(batch.inputs().get(0));
                for (int row = 0; row < batch.samples(); row++) {
                    int sample = (int) order.sampleAt(at + row);
                    twice += seen[sample] ? 1 : 0;
                    seen[sample] = true;
                    wrong += tokens[row * CONTEXT] == (text[sample * CONTEXT] & 0xFF) ? 0 : 1;
                }
                assertThat(training.residentBytes()).isLessThanOrEqualTo(limit);
            }
            assertThat(training.blockReads()).isLessThan(big.train().layout().blocks() * 3 / 2);
        }
        assertThat(wrong).isZero();
        assertThat(twice).isZero();
        int missed = 0;
        for (boolean was : seen) {
            missed += was ? 0 : 1;
        }
        assertThat(missed).isZero();
    }

    private List<long[]> steps(long first, int count, int ahead) {
        List<long[]> steps = new ArrayList<>();
        try (TrainingData training = open();
                BatchStream stream = training.train(TrainingDataTest::tens, first, ahead)) {
            for (int i = 0; i < count; i++) {
                steps.add(Given.longs(stream.next().inputs().get(0)));
            }
        }
        return steps;
    }

    private static SampleRange tens(long step) {
        return range(step, 10, 20_000, 0);
    }

    private static SampleRange range(long step, int batch, long samples, long epoch) {
        long from = (step - 1) * batch % samples;
        return new SampleRange(epoch, from, Math.min(samples, from + batch));
    }

    private TrainingData open() {
        return TrainingData.open(data, 1, Clock.system());
    }

    private PreparedData prepare(Given given) {
        return Datasets.prepare(
                given.text(new TextSpec(TextUnit.BYTES, CONTEXT, CONTEXT, List.of("*")))
                        .split(new SplitSpec(SplitKind.TAIL, 0.05, null))
                        .spec(),
                1,
                folder.resolve("cache"),
                PreparationProgress.NONE);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Every reading is one nanosecond after the last. */
    private static final class Ticking implements Clock {
        private final CountDownLatch read;
        private long now;

        Ticking(CountDownLatch read) {
            this.read = read;
        }

        @Override
        public synchronized long nowNs() {
            read.countDown();
            return now++;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    }
}
