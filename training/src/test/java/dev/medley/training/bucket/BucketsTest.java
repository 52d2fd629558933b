package dev.medley.training.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Fault;
import dev.medley.base.Seeds;
import dev.medley.base.StepTag;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeTimes;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.training.Samples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What leaves when, of a real model's backward. */
class BucketsTest {
    private static final long BUCKET_BYTES = 200;
    private static final StepTag TAG = new StepTag(1, 1, 1);

    private final Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32);
    private final ExchangeLayout layout =
            new ExchangeLayout(ElementType.FLOAT32, replica.layout().gradientBytes(), 0, 3, 0);
    private final Written written = new Written(layout.bytes());
    private final Buckets buckets = new Buckets(replica, written, layout, BUCKET_BYTES, 0);

    /** A collective that writes down what it is asked to sum. */
    private static final class Written implements Collective {
        private final Span buffer;
        private final List<String> sums = new ArrayList<>();

        Written(long bytes) {
            buffer = Span.allocate(bytes);
        }

        @Override
        public int rank() {
            return 1;
        }

        @Override
        public int size() {
            return 3;
        }

        @Override
        public String description() {
            return "written down";
        }

        @Override
        public Span buffer() {
            return buffer;
        }

        @Override
        public void begin(StepTag tag) {
            sums.clear();
        }

        @Override
        public void sum(long offsetBytes, long bytes, ElementType type, Fidelity fidelity) {
            sums.add(offsetBytes + "+" + bytes + " " + type);
        }

        @Override
        public List<Integer> mates() {
            return List.of(1);
        }

        @Override
        public void sumAtSite(long offsetBytes, long bytes, ElementType type) {
            sums.add(offsetBytes + "+" + bytes + " " + type + " at site");
        }

        @Override
        public void applied() {}

        @Override
        public boolean isSummed() {
            return true;
        }

        @Override
        public @Nullable Fault finish() {
            return null;
        }

        @Override
        public @Nullable Fault copy(int from, Set<Integer> to, List<Span> spans) {
            return null;
        }

        @Override
        public void abort(Fault why) {}

        @Override
        public ExchangeTimes times() {
            return ExchangeTimes.NONE;
        }

        @Override
        public void close() {}
    }

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldSendInOneOrderHoweverGradientsComplete(long seed) {
        int slots = replica.layout().slots().size();
        List<Integer> order = new ArrayList<>(IntStream.range(0, slots).boxed().toList());
        RandomGenerator random = Seeds.generator(seed);
        for (int i = slots - 1; i > 0; i--) {
            Collections.swap(order, i, random.nextInt(i + 1));
        }
        replica.bindGradients(written.buffer.slice(0, layout.gradientBytes()));
        replica.zeroGradients();
        replica.forwardBackward(Samples.of(TargetKind.CLASSES, 4, 1), 1, slot -> {});
        buckets.begin(TAG);
        boolean[] isReady = new boolean[slots];
        List<BucketRanges.Range> ranges = BucketRanges.of(replica.layout(), BUCKET_BYTES);
        for (int slot : order) {
            buckets.ready(slot);
            isReady[slot] = true;
            int complete = 0;
            while (complete < ranges.size() && isComplete(ranges.get(complete), isReady)) {
                complete++;
            }
            assertThat(written.sums).as("after slot %d", slot).hasSize(complete);
        }
        assertThat(written.sums).isEqualTo(expected(ranges));
    }

    @Test
    @Tag("unit")
    void aRankWithoutSamplesShouldSendTheSame() {
        replica.bindGradients(written.buffer.slice(0, layout.gradientBytes()));
        List<String> full = step(64);
        double norm = written.buffer.buffer().getDouble((int) tail(3));
        assertThat(norm)
                .isCloseTo(replica.gradientSquaredNorm(Arithmetic.LIBTORCH), within(1e-6 * norm))
                .isPositive();
        List<String> empty = step(0);
        assertThat(empty).isEqualTo(full).hasSizeGreaterThan(3);
        assertThat(full.get(full.size() - 1)).isEqualTo(layout.tailOffset() + "+120 FLOAT64");
        assertThat(replica.gradientSquaredNorm(Arithmetic.LIBTORCH)).isZero();
        assertThat(written.buffer.buffer().getDouble((int) tail(0))).as("weight").isZero();
        assertThat(written.buffer.buffer().getDouble((int) tail(2))).as("finite").isEqualTo(1);
    }

    @Test
    @Tag("unit")
    void shouldSendStatisticsBetweenGradientsAndTail() {
        ExchangeLayout normed =
                new ExchangeLayout(ElementType.FLOAT32, replica.layout().gradientBytes(), 32, 3, 0);
        Written other = new Written(normed.bytes());
        replica.bindGradients(other.buffer.slice(0, normed.gradientBytes()));
        Buckets one = new Buckets(replica, other, normed, Long.MAX_VALUE, 0);
        replica.zeroGradients();
        one.begin(TAG);
        replica.forwardBackward(Samples.of(TargetKind.CLASSES, 4, 1), 1, one);
        one.conclude(new StepLoss(1, 4), 0);
        assertThat(other.sums)
                .containsExactly(
                        "0+" + normed.gradientBytes() + " FLOAT32",
                        normed.bufferOffset() + "+32 FLOAT32",
                        normed.tailOffset() + "+120 FLOAT64");
    }

    @Test
    @Tag("unit")
    void shouldRefuseToEndAStepThatIsIncomplete() {
        buckets.begin(TAG);
        assertThatThrownBy(() -> buckets.finish())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("buckets incomplete");
    }

    private List<String> step(int samples) {
        replica.zeroGradients();
        buckets.begin(TAG);
        StepLoss loss =
                replica.forwardBackward(Samples.of(TargetKind.CLASSES, samples, 2), 1, buckets);
        buckets.conclude(loss, 0);
        assertThat(buckets.finish()).isNull();
        return List.copyOf(written.sums);
    }

    /** Where rank 1 writes a field of its slot. */
    private long tail(int field) {
        return layout.tailOffset() + (Tail.FIELDS + field) * (long) Double.BYTES;
    }

    private static boolean isComplete(BucketRanges.Range range, boolean[] isReady) {
        return IntStream.range(range.firstSlot(), range.endSlot()).allMatch(s -> isReady[s]);
    }

    private static List<String> expected(List<BucketRanges.Range> ranges) {
        return ranges.stream().map(r -> r.offsetBytes() + "+" + r.bytes() + " FLOAT32").toList();
    }
}
