package dev.medley.base.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounds on virtual time: workers of random speed and numbers of pushes, nobody a real one. */
@Tag("simulation")
class ClocksTest {
    private static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    /** One round; a worker begins a batch as soon as it may, and pushes when it is through. */
    private static final class Simulated {
        final RandomGenerator random;
        final int total;
        final List<Integer> pushes;
        final Clocks clocks;
        final double[] endsAt;
        long applied;
        double now;

        Simulated(long seed) {
            random = Seeds.generator(seed);
            total = 1 + random.nextInt(12);
            pushes =
                    IntStream.range(0, 1 + random.nextInt(6))
                            .mapToObj(rank -> 1 + random.nextInt(20))
                            .toList();
            clocks = new Clocks(total, pushes);
            endsAt = new double[pushes.size()];
            java.util.Arrays.fill(endsAt, Double.POSITIVE_INFINITY);
        }

        double progress(int rank) {
            return (double) total * clocks.pushed(rank) / pushes.get(rank);
        }

        boolean isIdle(int rank) {
            return endsAt[rank] == Double.POSITIVE_INFINITY
                    && clocks.pushed(rank) < pushes.get(rank);
        }

        void begin(int rank) {
            endsAt[rank] = now + random.nextDouble() * (1 + rank * rank);
        }

        /** The next push on virtual time; the rank. */
        int push() {
            int next =
                    IntStream.range(0, endsAt.length)
                            .boxed()
                            .min(java.util.Comparator.comparingDouble(rank -> endsAt[rank]))
                            .orElseThrow();
            assertThat(endsAt[next]).as("somebody goes on").isFinite();
            now = endsAt[next];
            endsAt[next] = Double.POSITIVE_INFINITY;
            clocks.moved(next, clocks.pushed(next) + 1);
            return next;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyShouldGetFartherAheadThanTheBoundAndNobodyStandStill(long seed) {
        Simulated round = new Simulated(seed);
        int staleness = round.random.nextInt(5);
        while (!round.clocks.isDone()) {
            double slowest =
                    IntStream.range(0, round.pushes.size())
                            .mapToDouble(round::progress)
                            .min()
                            .orElseThrow();
            assertThat(round.progress(round.clocks.slowest())).isEqualTo(slowest);
            for (int rank = 0; rank < round.pushes.size(); rank++) {
                boolean mayBegin = round.clocks.mayBegin(rank, staleness);
                assertThat(mayBegin).isEqualTo(round.progress(rank) - slowest <= staleness + 1e-9);
                if (round.isIdle(rank) && mayBegin) {
                    round.begin(rank);
                }
            }
            round.push();
        }
        assertThat(round.pushes)
                .isEqualTo(
                        IntStream.range(0, round.pushes.size())
                                .mapToObj(rank -> (int) round.clocks.pushed(rank))
                                .toList());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void inOrderAllClocksShouldBeAppliedWithThePushesThatAreDue(long seed) {
        Simulated round = new Simulated(seed);
        List<Integer> counted = new ArrayList<>();
        while (round.applied < round.total) {
            for (int rank = 0; rank < round.pushes.size(); rank++) {
                if (round.isIdle(rank) && round.clocks.mayBeginInOrder(rank, round.applied)) {
                    round.begin(rank);
                }
            }
            int rank = round.push();
            assertThat(round.clocks.due(rank, round.clocks.pushed(rank)))
                    .as("a push comes before its clock is applied")
                    .isGreaterThan(round.applied);
            while (round.applied < round.total && round.clocks.isComplete(round.applied + 1)) {
                round.applied++;
                counted.add(dueIn(round));
            }
        }
        assertThat(counted.stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(round.pushes.stream().mapToInt(Integer::intValue).sum());
        assertThat(round.clocks.isDone()).isTrue();
    }

    private static int dueIn(Simulated round) {
        int due = 0;
        for (int rank = 0; rank < round.pushes.size(); rank++) {
            for (int push = 1; push <= round.clocks.pushed(rank); push++) {
                due += round.clocks.due(rank, push) == round.applied ? 1 : 0;
            }
        }
        return due;
    }
}
