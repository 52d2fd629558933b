package dev.medley.training.gossip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.route.Neighbours;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Members that average by letters which take unlike long, each at a pace of its own. */
@Tag("property")
class PushSumTest {
    private static final int VALUES = 3;

    private static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    private record UnderWay(int to, Span values, double weight) {}

    private static final class World {
        final RandomGenerator random;
        final Neighbours neighbours;
        final List<Span> values = new ArrayList<>();
        final List<PushSum> members = new ArrayList<>();
        final List<UnderWay> letters = new ArrayList<>();
        final int[] sent;

        World(long seed) {
            random = Seeds.generator(seed);
            int size = 2 + random.nextInt(9);
            neighbours = new Neighbours(seed, 1, size);
            sent = new int[size];
            for (int member = 0; member < size; member++) {
                Span span = Span.allocate(VALUES * Double.BYTES);
                for (int i = 0; i < VALUES; i++) {
                    span.buffer().putDouble(i * Double.BYTES, random.nextGaussian());
                }
                values.add(span);
                PushSum sum = new PushSum(span, ElementType.FLOAT64);
                sum.begin(1);
                members.add(sum);
            }
        }

        void turn() {
            int member = Math.min(random.nextInt(sent.length), random.nextInt(sent.length));
            members.get(member).mix();
            double spare = members.get(member).spare();
            if (spare > 0) {
                Span copy = Span.allocate(VALUES * Double.BYTES);
                copy.copyFrom(values.get(member));
                int to = neighbours.of(member, sent[member]++);
                assertThat(to).isNotEqualTo(member);
                letters.add(new UnderWay(to, copy, spare));
                members.get(member).give(spare);
            }
            assertThat(members.get(member).weight()).isGreaterThanOrEqualTo(0.5);
            while (!letters.isEmpty() && random.nextBoolean()) {
                deliver(random.nextInt(letters.size()));
            }
        }

        void deliver(int index) {
            UnderWay letter = letters.remove(index);
            members.get(letter.to()).receive(1, letter.values(), letter.weight());
        }

        void settle() {
            while (!letters.isEmpty()) {
                deliver(0);
            }
            members.forEach(PushSum::mix);
        }

        double value(int member, int i) {
            return values.get(member).buffer().getDouble(i * Double.BYTES);
        }

        double weightedSum(int i) {
            return IntStream.range(0, sent.length)
                    .mapToDouble(member -> members.get(member).weight() * value(member, i))
                    .sum();
        }

        double spread() {
            double spread = 0;
            for (int i = 0; i < VALUES; i++) {
                int at = i;
                var all = IntStream.range(0, sent.length).mapToDouble(m -> value(m, at));
                var statistics = all.summaryStatistics();
                spread = Math.max(spread, statistics.getMax() - statistics.getMin());
            }
            return spread;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void membersShouldApproachTheMeanAndNothingGetLost(long seed) {
        World world = new World(seed);
        double[] sums = IntStream.range(0, VALUES).mapToDouble(world::weightedSum).toArray();
        double before = world.spread();
        for (int turn = 0; turn < 200 * world.sent.length; turn++) {
            world.turn();
        }
        world.settle();
        double weight = world.members.stream().mapToDouble(PushSum::weight).sum();
        assertThat(weight).isCloseTo(world.sent.length, within(1e-12));
        for (int i = 0; i < VALUES; i++) {
            assertThat(world.weightedSum(i)).isCloseTo(sums[i], within(1e-11));
            assertThat(world.value(0, i)).isCloseTo(sums[i] / weight, within(1e-3 * before));
        }
        assertThat(world.spread()).isLessThan(1e-3 * before);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void inLockstepEachShouldReceiveFromOneInEachTurn(long seed) {
        int size = 2 + (int) (seed % 9);
        Neighbours neighbours = new Neighbours(seed, 3, size);
        for (int turn = 0; turn < 8; turn++) {
            int at = turn;
            assertThat(IntStream.range(0, size).map(rank -> neighbours.of(rank, at)).boxed())
                    .doesNotHaveDuplicates()
                    .allMatch(to -> to >= 0 && to < size);
        }
    }

    /** In ceil(log2 n) turns, whoever knows it and whichever turn is the first. */
    @ParameterizedTest
    @MethodSource("seeds")
    void inLockstepWhatOneKnowsShouldSoonReachAll(long seed) {
        for (int size = 1; size <= 33; size++) {
            Neighbours neighbours = new Neighbours(seed, 4, size);
            int first = (int) (seed % size);
            Set<Integer> knowing = new HashSet<>(Set.of(first));
            for (int turn = 0; 1 << turn < size; turn++) {
                long number = seed + turn;
                knowing.addAll(knowing.stream().map(rank -> neighbours.of(rank, number)).toList());
            }
            assertThat(knowing).as("of %d members", size).hasSize(size);
        }
    }

    /** Members are dealt anew: of three there are two circles, of more there are many. */
    @ParameterizedTest
    @MethodSource("seeds")
    void neighboursShouldDifferBetweenSteps(long seed) {
        for (int size : new int[] {3, 5, 9}) {
            Set<List<Integer>> circles = new HashSet<>();
            for (int step = 1; step <= 40; step++) {
                Neighbours neighbours = new Neighbours(seed, step, size);
                circles.add(
                        IntStream.range(0, size).mapToObj(rank -> neighbours.of(rank, 0)).toList());
            }
            assertThat(circles).hasSizeGreaterThan(size == 3 ? 1 : 10);
        }
    }
}
