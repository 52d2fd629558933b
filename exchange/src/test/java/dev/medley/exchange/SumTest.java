package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Seeds;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every transport, number of ranks, size and type gives the sum of a plain loop, bit for bit. */
@Tag("property")
class SumTest {
    private static final int SMALL_DIRECT = 1024;
    private static final int SMALL_SEGMENT = 4096;

    static Stream<Arguments> transportsAndRanks() {
        return Stream.of(Transport.TCP, Transport.SHARED_MEMORY)
                .flatMap(
                        transport ->
                                Stream.of(1, 2, 3, 4, 5)
                                        .map(ranks -> Arguments.of(transport, ranks)));
    }

    static Stream<Arguments> seeds() {
        return Stream.iterate(1L, seed -> seed <= 12, seed -> seed + 1).map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("transportsAndRanks")
    void shouldSumAsAPlainLoopDoes(Transport transport, int count) throws Exception {
        int[] elements = {0, 1, 2, 15, 17, 63, 127, 128, 255, 256, 257, 1001, 10_007, 100_003};
        try (Ranks ranks = new Ranks(count, Ranks.options().cutting(SMALL_DIRECT, SMALL_SEGMENT))) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, 1 << 20);
            long step = 0;
            for (ElementType type : List.of(ElementType.FLOAT32, ElementType.FLOAT64)) {
                for (int length : elements) {
                    checkSum(ranks, all, new StepTag(1, ++step, 1), 64, length, type);
                }
            }
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @MethodSource("transportsAndRanks")
    void shouldSumLargeSlicesWithTheUsualLengths(Transport transport, int count) throws Exception {
        try (Ranks ranks = new Ranks(count, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, 9 << 20);
            checkSum(ranks, all, new StepTag(1, 1, 1), 0, 2_000_003, ElementType.FLOAT32);
            checkSum(ranks, all, new StepTag(1, 2, 1), 8, 1_000_003, ElementType.FLOAT64);
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void shouldSumAlikeBetweenMachinesOfOneSite(int count) throws Exception {
        int[] elements = {0, 1, 17, 257, 100_003, 1_200_007};
        try (Ranks ranks = new Ranks(count, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.apart(1), Transport.TCP, 5 << 20);
            long step = 0;
            for (int length : elements) {
                checkSum(ranks, all, new StepTag(1, ++step, 1), 64, length, ElementType.FLOAT32);
            }
            checkSum(ranks, all, new StepTag(1, ++step, 1), 64, 300_007, ElementType.FLOAT64);
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldGiveTheSameBitsOnEveryTransportWhateverTheSlices(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        int count = 2 + random.nextInt(4);
        List<long[]> slices = slices(random, 300_000);
        List<Span> results = new ArrayList<>();
        for (Way way : Way.values()) {
            ExchangeOptions options = Ranks.options().cutting(SMALL_DIRECT, SMALL_SEGMENT);
            try (Ranks ranks = new Ranks(count, options)) {
                Group group = way == Way.BETWEEN_MACHINES ? ranks.apart(1) : ranks.everyone(1);
                List<Collective> all = ranks.form(group, way.transport, 300_000 * 4);
                for (long step = 1; step <= 3; step++) {
                    StepTag tag = new StepTag(1, step, 1);
                    ranks.play(all, each -> sumSlices(each, tag, seed, slices));
                }
                for (Collective each : all) {
                    Span copy = Span.allocate(each.buffer().bytes());
                    copy.copyFrom(each.buffer());
                    results.add(copy);
                }
                Ranks.close(all);
            }
        }
        for (Span result : results) {
            assertThat(result.buffer()).isEqualTo(results.get(0).buffer());
        }
    }

    private enum Way {
        SHARED_MEMORY(Transport.SHARED_MEMORY),
        TCP(Transport.TCP),
        BETWEEN_MACHINES(Transport.TCP);

        final Transport transport;

        Way(Transport transport) {
            this.transport = transport;
        }
    }

    private static Void sumSlices(Collective each, StepTag tag, long seed, List<long[]> slices) {
        Values.fill(each.buffer(), ElementType.FLOAT32, seed + tag.step(), each.rank());
        each.begin(tag);
        for (long[] slice : slices) {
            each.sum(slice[0], slice[1], ElementType.FLOAT32);
        }
        assertThat(each.finish()).isNull();
        return null;
    }

    /** A random cut of the buffer, in random order of offsets from the end. */
    private static List<long[]> slices(RandomGenerator random, int elements) {
        List<long[]> slices = new ArrayList<>();
        int end = elements;
        while (end > 0) {
            int length = Math.min(end, random.nextInt(random.nextBoolean() ? 300 : 60_000) + 1);
            slices.add(new long[] {4L * (end - length), 4L * length});
            end -= length;
        }
        return slices;
    }

    private static void checkSum(
            Ranks ranks,
            List<Collective> all,
            StepTag tag,
            long offset,
            int elements,
            ElementType type)
            throws Exception {
        long bytes = (long) elements * type.bytes();
        ByteBuffer expected = Values.sum(bytes, type, tag.step(), all.size()).buffer();
        ranks.play(
                all,
                each -> {
                    Span slice = each.buffer().slice(offset, bytes);
                    Values.fill(slice, type, tag.step(), each.rank());
                    each.begin(tag);
                    each.sum(offset, bytes, type);
                    assertThat(each.finish()).isNull();
                    assertThat(slice.buffer().mismatch(expected.duplicate()))
                            .as("rank %d, %d x %s", each.rank(), elements, type)
                            .isEqualTo(-1);
                    return null;
                });
    }
}
