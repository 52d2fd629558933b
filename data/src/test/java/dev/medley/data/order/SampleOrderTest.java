package dev.medley.data.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.data.shard.BlockLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class SampleOrderTest {
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldVisitEverySampleExactlyOnce(long seed) {
        BlockLayout layout = layout(seed);
        SampleOrder order = new SampleOrder(layout, seed, seed % 3);
        BitSet seen = new BitSet();
        for (long position = 0; position < layout.samples(); position++) {
            long sample = order.sampleAt(position);
            assertThat(sample).isBetween(0L, layout.samples() - 1);
            assertThat(seen.get((int) sample)).isFalse();
            seen.set((int) sample);
        }
        assertThat(seen.cardinality()).isEqualTo((int) layout.samples());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNotDependOnHowManyWorkersCutThePositions(long seed) {
        BlockLayout layout = layout(seed);
        List<Long> alone = visit(layout, seed, 1);
        assertThat(visit(layout, seed, 3)).isEqualTo(alone);
        assertThat(visit(layout, seed, 7)).isEqualTo(alone);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldStayWithinTheBlocksOfAWindow(long seed) {
        BlockLayout layout = layout(seed);
        SampleOrder order = new SampleOrder(layout, seed, 0);
        for (long w = 0; w < order.windows(); w++) {
            Set<Long> blocks = new HashSet<>();
            for (long p = order.windowStart(w); p < order.windowStart(w + 1); p++) {
                assertThat(order.windowOf(p)).isEqualTo(w);
                blocks.add(order.sampleAt(p) / layout.blockSamples());
            }
            Set<Long> expected = new HashSet<>();
            for (long place = order.firstPlace(w); place < order.firstPlace(w + 1); place++) {
                expected.add(order.blockAt(place));
            }
            assertThat(blocks).isEqualTo(expected);
            assertThat(blocks.size()).isLessThanOrEqualTo(layout.windowBlocks());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldDifferBetweenEpochsAndSeeds(long seed) {
        BlockLayout layout = new BlockLayout(500, 16, 4);
        List<Long> first = order(new SampleOrder(layout, seed, 0));
        assertThat(order(new SampleOrder(layout, seed, 1))).isNotEqualTo(first);
        assertThat(order(new SampleOrder(layout, seed + 1, 0))).isNotEqualTo(first);
        assertThat(order(new SampleOrder(layout, seed, 0))).isEqualTo(first);
    }

    /** Chi-square of where samples land; 99.99 % of uniform permutations stay below the bound. */
    @Test
    void shouldPutEverySampleAnywhereWithTheSameChance() {
        int cells = 20;
        for (int size : new int[] {20, 1200, 5000}) {
            int[][] counts = new int[cells][cells];
            int rounds = 200_000 / size;
            for (int round = 0; round < rounds; round++) {
                Permutation permutation = new Permutation(size, Seeds.of(99, size, round));
                for (int i = 0; i < size; i++) {
                    counts[i * cells / size][(int) (permutation.at(i) * cells / size)]++;
                }
            }
            double expected = (double) rounds * size / cells / cells;
            double chiSquare = 0;
            for (int[] row : counts) {
                for (int count : row) {
                    chiSquare += (count - expected) * (count - expected) / expected;
                }
            }
            assertThat(chiSquare).isLessThan(471); // 361 degrees of freedom
        }
    }

    @Test
    void shouldFindSamplesOfAHugeSetAtOnce() {
        BlockLayout layout = new BlockLayout(10_000_000_000L, 1 << 12, 64);
        SampleOrder order = new SampleOrder(layout, 1, 0);
        Set<Long> samples = new HashSet<>();
        for (long i = 0; i < 10_000; i++) {
            samples.add(order.sampleAt(i * 1_000_000L + i));
        }
        assertThat(samples).hasSize(10_000);
    }

    private static List<Long> order(SampleOrder order) {
        return LongStream.range(0, order.samples()).map(order::sampleAt).boxed().toList();
    }

    /** What an epoch visits when each step of 20 is cut into shares, in order of rank. */
    private static List<Long> visit(BlockLayout layout, long seed, int workers) {
        List<Long> visited = new ArrayList<>();
        List<SampleOrder> orders = new ArrayList<>();
        for (int rank = 0; rank < workers; rank++) {
            orders.add(new SampleOrder(layout, seed, 0));
        }
        for (long at = 0; at < layout.samples(); at += 20) {
            long batch = Math.min(20, layout.samples() - at);
            for (int rank = 0; rank < workers; rank++) {
                for (long p = batch * rank / workers; p < batch * (rank + 1) / workers; p++) {
                    visited.add(orders.get(rank).sampleAt(at + p));
                }
            }
        }
        return visited;
    }

    private static BlockLayout layout(long seed) {
        RandomGenerator random = Seeds.generator(seed, 4711);
        return new BlockLayout(
                random.nextLong(1, 3000), random.nextInt(1, 200), random.nextInt(1, 9));
    }
}
