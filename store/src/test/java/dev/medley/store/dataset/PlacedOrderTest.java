package dev.medley.store.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Cursor;
import dev.medley.base.Seeds;
import dev.medley.base.ShardPlacement;
import dev.medley.base.ShardPlacement.Holder;
import dev.medley.base.ShardPlacement.Shard;
import dev.medley.store.dataset.PlacedEpoch.Section;
import dev.medley.store.shard.BlockLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class PlacedOrderTest {
    static LongStream seeds() {
        return LongStream.range(0, 150);
    }

    /** Whatever shares change to, whoever comes or goes, wherever shards are put. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldVisitEverySampleExactlyOnce(long seed) {
        Drawn drawn = new Drawn(seed);
        for (long epoch = 0; epoch < 2; epoch++) {
            PlacedOrder order = new PlacedOrder(drawn.layout, seed, drawn.placed.of(epoch));
            BitSet seen = new BitSet();
            for (long position = 0; position < drawn.layout.samples(); position++) {
                long sample = order.sampleAt(position);
                assertThat(sample).isBetween(0L, drawn.layout.samples() - 1);
                assertThat(seen.get((int) sample)).as("position %d", position).isFalse();
                seen.set((int) sample);
            }
            assertThat(seen.cardinality()).isEqualTo((int) drawn.layout.samples());
        }
    }

    /** What was taken before a change of plan is what it was when it was taken. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aLaterPlanShouldNotChangeWhatWasTaken(long seed) {
        Drawn drawn = new Drawn(seed);
        List<Section> all = drawn.placed.sections();
        for (int known = 1; known < all.size(); known++) {
            PlacedEpoch then = new PlacedEpoch(0, all.subList(0, known));
            PlacedOrder before = new PlacedOrder(drawn.layout, seed, then);
            PlacedOrder after = new PlacedOrder(drawn.layout, seed, drawn.placed);
            for (long position = 0; position < all.get(known).from(); position++) {
                assertThat(before.sampleAt(position)).isEqualTo(after.sampleAt(position));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRankShouldTakeSamplesOfItsOwnShards(long seed) {
        Drawn drawn = new Drawn(seed);
        ShardCut cut = ShardCut.of(drawn.layout);
        PlacedOrder order = new PlacedOrder(drawn.layout, seed, drawn.placed);
        List<Section> sections = drawn.placed.sections();
        for (long position = 0; position < order.restFrom(); position++) {
            Section at = sections.get(0);
            for (Section section : sections) {
                at = section.from() <= position ? section : at;
            }
            int batch = at.shares().stream().mapToInt(Integer::intValue).sum();
            long offset = (position - at.from()) % batch;
            int rank = 0;
            for (long end = at.shares().get(0); end <= offset; end += at.shares().get(rank)) {
                rank++;
            }
            int shard = cut.shardOf(order.sampleAt(position));
            assertThat(order.rankOf(position)).isEqualTo(rank);
            assertThat(at.owners().get(shard)).isEqualTo(rank);
        }
    }

    /** By speed, as a run places them: of an epoch few samples are left for all alike. */
    @Test
    void shouldLeaveLittleToAllAlike() {
        BlockLayout layout = new BlockLayout(60_000, 512, Integer.MAX_VALUE);
        List<Integer> shares = List.of(128, 64, 32, 32);
        PlacedEpoch placed = new PlacedEpoch(0, List.of(bySpeed(layout, shares)));
        PlacedOrder order = new PlacedOrder(layout, 3, placed);
        assertThat(order.restFrom()).isGreaterThan((long) (0.95 * layout.samples()));
    }

    /** A batch is made of many shards, and no two epochs are alike. */
    @Test
    void shouldMixShards() {
        BlockLayout layout = new BlockLayout(60_000, 512, Integer.MAX_VALUE);
        ShardCut cut = ShardCut.of(layout);
        PlacedEpoch placed = new PlacedEpoch(0, List.of(bySpeed(layout, List.of(64, 64))));
        PlacedOrder order = new PlacedOrder(layout, 3, placed);
        PlacedOrder next = new PlacedOrder(layout, 3, placed.of(1));
        Set<Integer> shards = new HashSet<>();
        int same = 0;
        for (long position = 0; position < 64; position++) {
            shards.add(cut.shardOf(order.sampleAt(position)));
            same += order.sampleAt(position) == next.sampleAt(position) ? 1 : 0;
        }
        assertThat(shards).hasSize(64);
        assertThat(same).isLessThan(3);
    }

    /** Of a set that memory does not hold, shards are read one after the other, each once. */
    @Test
    void shouldReadAheadOfAFewOpenShards() {
        BlockLayout layout = new BlockLayout(40_000, 16, 100);
        List<Integer> shares = List.of(8, 8);
        PlacedEpoch placed = new PlacedEpoch(0, List.of(bySpeed(layout, shares)));
        PlacedOrder order = new PlacedOrder(layout, 3, placed);
        PlacedOrder next = new PlacedOrder(layout, 3, placed.of(1));
        Set<Long> told = new HashSet<>();
        Set<Long> used = new HashSet<>();
        for (long step = 0; 16 * (step + 1) <= order.restFrom(); step++) {
            SampleRange range = new SampleRange(0, 16 * step, 16 * step + 8);
            for (long position = range.from(); position < range.to(); position++) {
                long block = order.sampleAt(position) / layout.blockSamples();
                used.add(block);
                assertThat(step == 0 || told.contains(block)).isTrue();
            }
            order.readAhead(range, next, block -> assertThat(told.add(block)).isTrue());
            assertThat(told.size()).isLessThan((int) (used.size() + 2 * 100));
        }
    }

    private static Section bySpeed(BlockLayout layout, List<Integer> shares) {
        ShardCut cut = ShardCut.of(layout);
        List<Shard> shards =
                IntStream.range(0, cut.count())
                        .mapToObj(s -> new Shard("s" + s, cut.samplesOf(s), "", ""))
                        .toList();
        List<Holder> holders =
                IntStream.range(0, shares.size())
                        .mapToObj(r -> new Holder("w" + r, shares.get(r), "", List.of()))
                        .toList();
        Map<String, String> placed = ShardPlacement.of(shards, holders, Map.of()).byShard();
        List<Integer> owners =
                shards.stream()
                        .map(s -> Integer.valueOf(placed.get(s.name()).substring(1)))
                        .toList();
        return new Section(0, shares, owners);
    }

    /** A set, and an epoch in which shares and places change a few times. */
    private static final class Drawn {
        final BlockLayout layout;
        final PlacedEpoch placed;

        Drawn(long seed) {
            RandomGenerator random = Seeds.generator(seed);
            long samples = 1 + random.nextInt(random.nextBoolean() ? 200 : 4000);
            int window = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(20);
            layout = new BlockLayout(samples, 1 << random.nextInt(6), window);
            PlacedEpoch drawn = null;
            long position = 0;
            while (position < samples && (drawn == null || random.nextInt(4) > 0)) {
                Section section = section(random);
                Cursor cursor = new Cursor(0, position);
                drawn =
                        drawn == null
                                ? new PlacedEpoch(0, List.of(section))
                                : drawn.from(cursor, section.shares(), section.owners());
                int batch = section.shares().stream().mapToInt(Integer::intValue).sum();
                long whole = (samples - position) / batch;
                position += (long) batch * random.nextLong(whole + 1);
            }
            placed = drawn;
        }

        private Section section(RandomGenerator random) {
            int ranks = 1 + random.nextInt(5);
            List<Integer> shares = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                shares.add(random.nextInt(6));
            }
            shares.set(random.nextInt(ranks), 1 + random.nextInt(6));
            int shards = ShardCut.of(layout).count();
            List<Integer> owners =
                    IntStream.range(0, shards).map(s -> random.nextInt(ranks)).boxed().toList();
            return new Section(0, shares, owners);
        }
    }
}
