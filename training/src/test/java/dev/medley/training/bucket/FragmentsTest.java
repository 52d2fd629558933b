package dev.medley.training.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.Samples;
import dev.medley.training.bucket.BucketRanges.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FragmentsTest {
    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldCoverEverythingFromTheLastToTheFirstWithTheShortestLongest(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Long> offsets = new ArrayList<>();
        long bytes = 0;
        int parameters = 1 + random.nextInt(8);
        for (int i = 0; i < parameters; i++) {
            offsets.add(bytes);
            bytes += 1 + random.nextInt(random.nextBoolean() ? 10 : 1000);
        }
        int count = 1 + random.nextInt(parameters);
        List<Range> fragments = Fragments.of(offsets, bytes, count);
        assertThat(fragments).hasSize(count);
        int end = parameters;
        long endBytes = bytes;
        for (Range fragment : fragments) {
            assertThat(fragment.endSlot()).isEqualTo(end);
            assertThat(fragment.firstSlot()).isLessThan(end);
            assertThat(fragment.offsetBytes()).isEqualTo(offsets.get(fragment.firstSlot()));
            assertThat(fragment.offsetBytes() + fragment.bytes()).isEqualTo(endBytes);
            end = fragment.firstSlot();
            endBytes = fragment.offsetBytes();
        }
        assertThat(end).isZero();
        long longest = fragments.stream().mapToLong(Range::bytes).max().orElseThrow();
        assertThat(longest).isEqualTo(shortest(offsets, bytes, parameters, count));
    }

    /** The length of the longest of {@code count} fragments of the first parameters, at best. */
    private static long shortest(List<Long> offsets, long endBytes, int parameters, int count) {
        if (count == 1) {
            return endBytes;
        }
        long best = Long.MAX_VALUE;
        for (int first = count - 1; first < parameters; first++) {
            long last = endBytes - offsets.get(first);
            long others = shortest(offsets, offsets.get(first), first, count - 1);
            best = Math.min(best, Math.max(last, others));
        }
        return best;
    }

    @Test
    @Tag("unit")
    void bucketsShouldEndWhereFragmentsDo() {
        try (Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32)) {
            List<Range> fragments = Fragments.of(replica.layout(), 3);
            List<Range> buckets = BucketRanges.of(replica.layout(), 100, fragments);
            assertThat(buckets).hasSizeGreaterThan(3);
            int end = replica.layout().slots().size();
            for (Range bucket : buckets) {
                assertThat(bucket.endSlot()).isEqualTo(end);
                assertThat(fragments)
                        .anyMatch(
                                f ->
                                        f.firstSlot() <= bucket.firstSlot()
                                                && bucket.endSlot() <= f.endSlot());
                end = bucket.firstSlot();
            }
            assertThat(end).isZero();
            assertThat(buckets.stream().mapToLong(Range::bytes).sum())
                    .isEqualTo(replica.layout().gradientBytes());
        }
    }

    @Test
    @Tag("unit")
    void shouldRefuseMoreFragmentsThanParameters() {
        try (Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32)) {
            assertThat(Fragments.of(replica.layout(), 6)).hasSize(6);
            assertThatThrownBy(() -> Fragments.of(replica.layout(), 7))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage(
                            "strategy.fragments=7, but the model's parameters are 6 arrays, each of"
                                    + " which travels whole: 6 at most");
        }
    }
}
