package dev.medley.training.gossip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Members that move, send and end rounds at a pace of their own, with letters that take unlike
 * long, in order between any two; each goes on with the next round while others are in the last.
 */
@Tag("property")
class PushSumCutTest {
    private static final int ROUNDS = 12;

    private static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    /** Of one value; no values for "this round has ended here". */
    private record Letter(long round, @Nullable Span values, double weight) {}

    private static final class World {
        final RandomGenerator random;
        final int size;
        final List<Member> members = new ArrayList<>();

        /** By sender and receiver. */
        final List<List<Deque<Letter>>> ways = new ArrayList<>();

        /** What the average moved by in each round. */
        final double[] moved = new double[ROUNDS + 2];

        /** What the members' notes say of it. */
        final double[] noted = new double[ROUNDS + 2];

        /** Rounds of which all notes are complete, from the first. */
        int complete;

        World(long seed) {
            random = Seeds.generator(seed);
            size = 1 + random.nextInt(6);
            for (int rank = 0; rank < size; rank++) {
                members.add(new Member(rank));
                List<Deque<Letter>> row = new ArrayList<>();
                for (int to = 0; to < size; to++) {
                    row.add(new ArrayDeque<>());
                }
                ways.add(row);
            }
        }

        void run() {
            while (complete < ROUNDS) {
                // Some are slower than others.
                int rank = Math.min(random.nextInt(size), random.nextInt(size));
                members.get(rank).turn();
                if (random.nextInt(3) > 0) {
                    deliver(random.nextInt(size), random.nextInt(size));
                }
            }
        }

        private void deliver(int from, int to) {
            Letter letter = ways.get(from).get(to).poll();
            if (letter != null) {
                members.get(to).receive(from, letter);
            }
        }

        final class Member {
            final int rank;
            final Span values = one();
            final PushSum sum = new PushSum(values, ElementType.FLOAT64);
            final Span start = one();
            final Span change = one();
            final long[] ended;
            int round = 1;
            int steps;

            Member(int rank) {
                this.rank = rank;
                this.ended = new long[size];
                sum.begin(1);
            }

            /** A step and a letter; or the end of the round, where the one before is complete. */
            void turn() {
                if (steps < 4) {
                    step();
                } else if (round == complete + 1) {
                    end();
                }
            }

            private void step() {
                steps++;
                double by = random.nextGaussian();
                values.buffer().putDouble(0, value(values) - by / sum.weight());
                moved[round] += by;
                sum.mix();
                double spare = sum.spare();
                int to = random.nextInt(size);
                if (spare > 0 && to != rank) {
                    Span copy = one();
                    copy.copyFrom(values);
                    sum.give(spare);
                    ways.get(rank).get(to).add(new Letter(round, copy, spare));
                }
            }

            private void end() {
                start.buffer().putDouble(0, 7); // Whatever all begin with.
                sum.cut(start, change);
                for (int to = 0; to < size; to++) {
                    ways.get(rank).get(to).add(new Letter(round, null, 0));
                }
                round++;
                steps = 0;
            }

            void receive(int from, Letter letter) {
                if (letter.values() != null) {
                    sum.receive(letter.round(), letter.values(), letter.weight());
                    return;
                }
                ended[from] = letter.round();
                completeIfAllHave();
            }
        }

        private void completeIfAllHave() {
            int round = complete + 1;
            for (Member member : members) {
                for (long ended : member.ended) {
                    if (ended < round) {
                        return;
                    }
                }
            }
            for (Member member : members) {
                noted[round] += value(member.change);
            }
            complete = round;
        }
    }

    private static Span one() {
        Span span = Span.allocate(Double.BYTES);
        span.clear();
        return span;
    }

    private static double value(Span span) {
        return span.buffer().getDouble(0);
    }

    /** From 0, where all began, to the sum of all that has moved it until the end of a round. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theNotesOfARoundShouldBeTheChangeOfTheAverage(long seed) {
        World world = new World(seed);
        world.run();
        double average = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            average -= world.moved[round] / world.size;
            double seen = 7 - world.noted[round] / world.size;
            assertThat(seen).as("round %d", round).isCloseTo(average, within(1e-10));
        }
    }
}
