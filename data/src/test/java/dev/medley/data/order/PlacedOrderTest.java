package dev.medley.data.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Cursor;
import dev.medley.base.Seeds;
import dev.medley.base.placement.ShardPlacement;
import dev.medley.base.placement.ShardPlacement.Holder;
import dev.medley.base.placement.ShardPlacement.Shard;
import dev.medley.data.order.PlacedEpoch.Section;
import dev.medley.data.shard.BlockLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
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

    /**
     * Who has less than it takes is lent some by those who have more; nobody else reads others'.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void aRankThatHasEnoughShouldTakeSamplesOfItsOwnShards(long seed) {
        Drawn drawn = new Drawn(seed);
        ShardCut cut = ShardCut.of(drawn.layout);
        Section section = drawn.placed.sections().get(0);
        PlacedOrder order =
                new PlacedOrder(drawn.layout, seed, new PlacedEpoch(0, List.of(section)));
        int batch = section.shares().stream().mapToInt(Integer::intValue).sum();
        long steps = drawn.layout.samples() / batch;
        long start = 0;
        for (int rank = 0; rank < section.shares().size(); rank++) {
            int share = section.shares().get(rank);
            long has = 0;
            for (int shard = 0; shard < cut.count(); shard++) {
                has += section.owners().get(shard) == rank ? cut.samplesOf(shard) : 0;
            }
            long taken = 0;
            for (long step = 0; step < steps; step++) {
                for (long i = 0; i < share; i++) {
                    int shard = cut.shardOf(order.sampleAt(step * batch + start + i));
                    taken += section.owners().get(shard) == rank ? 1 : 0;
                }
            }
            assertThat(taken).isEqualTo(Math.min(has, steps * share));
            start += share;
        }
        assertThat(order.restFrom()).isEqualTo(steps * batch);
    }

    /** As a run places them, few samples are lent. */
    @Test
    void shouldTakeNearlyAllOfItsOwnWherePlacedByShares() {
        BlockLayout layout = new BlockLayout(60_000, 512, Integer.MAX_VALUE);
        ShardCut cut = ShardCut.of(layout);
        Section section = bySpeed(layout, List.of(128, 64, 32, 32));
        PlacedOrder order = new PlacedOrder(layout, 3, new PlacedEpoch(0, List.of(section)));
        int own = 0;
        for (long position = 0; position < order.restFrom(); position++) {
            long offset = position % 256;
            int rank = offset < 128 ? 0 : offset < 192 ? 1 : offset < 224 ? 2 : 3;
            own += section.owners().get(cut.shardOf(order.sampleAt(position))) == rank ? 1 : 0;
        }
        assertThat(own).isGreaterThan((int) (0.97 * layout.samples()));
    }

    /** A group that forms anew, under the plan that it had, goes on with the order that it had. */
    @Test
    void anEqualPlanShouldChangeNothing() {
        BlockLayout layout = new BlockLayout(60_000, 512, Integer.MAX_VALUE);
        Section section = bySpeed(layout, List.of(128, 128));
        PlacedEpoch before = new PlacedEpoch(0, List.of(section));
        Cursor cursor = new Cursor(0, 2560);
        assertThat(PlacedEpoch.next(before, cursor, section.shares(), section.owners()))
                .isEqualTo(before);
    }

    /** What the epoch has taken by then was taken in another order. */
    @Test
    void anEpochThatBeganWithoutPlacesShouldGoOnWithout() {
        List<Integer> shares = List.of(4, 4);
        List<Integer> owners = List.of(0, 1);
        PlacedEpoch later = PlacedEpoch.next(null, new Cursor(2, 8), shares, owners);
        assertThat(later).isEqualTo(new PlacedEpoch(3, List.of(new Section(0, shares, owners))));
        PlacedEpoch again = PlacedEpoch.next(later, new Cursor(2, 16), List.of(8), List.of(0, 0));
        assertThat(again)
                .isEqualTo(new PlacedEpoch(3, List.of(new Section(0, List.of(8), List.of(0, 0)))));
        assertThat(PlacedEpoch.next(again, new Cursor(2, 24), List.of(8), List.of())).isNull();
        Section first = again.sections().get(0);
        assertThat(PlacedEpoch.next(again, new Cursor(3, 8), List.of(3, 2), List.of()))
                .as("a run that has no places any more ends the epoch as one worker would")
                .isEqualTo(
                        new PlacedEpoch(
                                3, List.of(first, new Section(8, List.of(5), List.of(0, 0)))));
        assertThat(PlacedEpoch.next(again, new Cursor(4, 0), List.of(8), List.of())).isNull();
    }

    @Test
    void plansOfAnotherSetShouldBeRefused() {
        BlockLayout layout = new BlockLayout(60_000, 512, Integer.MAX_VALUE);
        PlacedEpoch placed =
                new PlacedEpoch(0, List.of(new Section(0, List.of(4), List.of(0, 0, 0))));
        assertThatThrownBy(() -> new PlacedOrder(layout, 3, placed))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "the plans place 3 shards, and this data has 469: repeat a run with the"
                                + " data that it had");
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

    /**
     * Of a part that memory does not hold each block is read once, most of them ahead: as in a
     * cache of two windows, from which goes what was not used for longest.
     */
    @Test
    void shouldReadEachBlockOnce() {
        BlockLayout layout = new BlockLayout(80_000, 16, 100);
        PlacedEpoch placed = new PlacedEpoch(0, List.of(bySpeed(layout, List.of(8, 8))));
        PlacedOrder order = new PlacedOrder(layout, 3, placed);
        PlacedOrder next = new PlacedOrder(layout, 3, placed.of(1));
        LinkedHashMap<Long, Boolean> cache = new LinkedHashMap<>(16, 0.75f, true);
        Set<Long> distinct = new HashSet<>();
        int[] reads = {0, 0};
        for (long step = 0; 16 * (step + 1) <= order.restFrom(); step++) {
            SampleRange range = new SampleRange(0, 16 * step, 16 * step + 8);
            for (long position = range.from(); position < range.to(); position++) {
                long block = order.sampleAt(position) / layout.blockSamples();
                distinct.add(block);
                reads[0] += isRead(cache, block) ? 1 : 0;
            }
            order.readAhead(range, next, block -> reads[1] += isRead(cache, block) ? 1 : 0);
        }
        assertThat(distinct.size()).isGreaterThan(2000);
        assertThat(reads[0] + reads[1]).isLessThan((int) (1.1 * distinct.size()));
        assertThat(reads[0]).as("while a batch waits").isLessThan(distinct.size() / 5);
    }

    private static boolean isRead(LinkedHashMap<Long, Boolean> cache, long block) {
        boolean isThere = cache.get(block) != null;
        cache.put(block, true);
        if (cache.size() > 200) {
            cache.remove(cache.keySet().iterator().next());
        }
        return !isThere;
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
                drawn = PlacedEpoch.next(drawn, cursor, section.shares(), section.owners());
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
