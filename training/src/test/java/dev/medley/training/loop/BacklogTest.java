package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.data.order.SampleRange;
import dev.medley.training.GivenTrain;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.bucket.RoundTable.Row;
import dev.medley.training.strategy.Part;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever workers leave undone, every sample is in exactly one sum of its epoch. */
class BacklogTest {
    private static final int EPOCHS = 3;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void everySampleShouldCountOnceAnEpoch(long seed) {
        new Run(Seeds.generator(seed)).play();
    }

    /** A run of workers that stop early and miss rounds, and of groups that come and go. */
    private static final class Run {
        private final RandomGenerator random;
        private final QuorumSpec quorum;
        private final StepSchedule schedule;
        private final int[][] counted;
        private List<Worker> workers = List.of();
        private Plan plan = new Plan(1, List.of(1), 99, "");
        private Backlog backlog = Backlog.NONE;
        private long recorded;

        Run(RandomGenerator random) {
            this.random = random;
            this.quorum = QuorumSpec.of(1).gating(0.1, random.nextInt(4));
            int samples = 1 + random.nextInt(400);
            var round = new StepSchedule.Round(1 + random.nextInt(6), 1 + random.nextInt(9));
            schedule =
                    new StepSchedule(
                            GivenTrain.of(EPOCHS, 0, 1 + random.nextInt(12)).spec(),
                            round,
                            samples);
            counted = new int[EPOCHS][samples];
        }

        void play() {
            form();
            for (long step = 1; step <= schedule.lastStep(); step++) {
                if (random.nextInt(8) == 0) {
                    form();
                }
                round(step);
                if (schedule.endsEpoch(step)) {
                    assertThat(backlog.isNone()).isTrue();
                }
            }
            assertThat(recorded).isEqualTo(EPOCHS * schedule.samplesPerEpoch());
            for (int[] epoch : counted) {
                assertThat(epoch).containsOnly(1);
            }
        }

        /** Others, with another plan; late work is gone. */
        private void form() {
            int size = 1 + random.nextInt(4);
            int batch = Math.toIntExact((long) schedule.round().steps() * schedule.train().batch());
            List<Integer> shares = new ArrayList<>();
            for (int rank = 0, left = batch; rank < size; rank++) {
                int share = rank == size - 1 ? left : random.nextInt(left + 1);
                shares.add(share);
                left -= share;
            }
            plan = new Plan(1, shares, 99, "");
            workers = IntStream.range(0, size).mapToObj(rank -> new Worker()).toList();
            backlog = backlog.formed();
        }

        private void round(long step) {
            double[] table = new double[(int) RoundTable.bytes(workers.size()) / Double.BYTES];
            for (int rank = 0; rank < workers.size(); rank++) {
                ShareBatches shares = new ShareBatches(schedule, plan, rank);
                add(table, rank, workers.get(rank).round(shares, step));
            }
            RoundTable all = new RoundTable(DoubleBuffer.wrap(table), workers.size());
            recorded += all.samples();
            backlog = new ShareBatches(schedule, plan, 0).after(step, backlog, all, quorum);
        }

        private void add(double[] table, int rank, Row row) {
            double[] own = new double[table.length];
            new RoundTable(DoubleBuffer.wrap(own), workers.size()).write(rank, row);
            for (int i = 0; i < table.length; i++) {
                table[i] += own[i];
            }
        }

        /**
         * A worker that does some of its batches, and holds what missed a round as LateWork does.
         */
        private final class Worker {
            private final List<SampleRange> held = new ArrayList<>();
            private int age;
            private long takenBefore;

            Row round(ShareBatches shares, long step) {
                Part part = shares.part(step, backlog);
                List<SampleRange> batches = batches(shares, step);
                assertThat(batches).hasSize(part.ownBatches());
                boolean isLate = part.patience() == Part.Patience.NONE && random.nextInt(3) == 0;
                int most = batches.size();
                int taken = part.patience() == Part.Patience.ALL ? most : random.nextInt(most + 1);
                List<SampleRange> done = batches.subList(0, taken);
                long before = takenBefore;
                takenBefore = 0;
                if (isLate) {
                    miss(done);
                    return Row.late(before);
                }
                done.forEach(this::count);
                held.forEach(this::count);
                long late = Backlog.samples(held);
                held.clear();
                age = 0;
                return new Row(1, Backlog.samples(done), false, before, late);
            }

            private List<SampleRange> batches(ShareBatches shares, long step) {
                List<SampleRange> all = new ArrayList<>();
                for (int i = 0; i < shares.count(step); i++) {
                    all.add(shares.range(shares.first(step) + i));
                }
                all.addAll(shares.behind(backlog));
                return all;
            }

            private void miss(List<SampleRange> done) {
                if (age > 0 && quorum.isTooOld(++age)) {
                    age = 0;
                    held.clear();
                }
                if (Backlog.samples(done) > 0 && !quorum.isTooOld(1)) {
                    age = Math.max(age, 1);
                    held.addAll(done);
                }
                takenBefore = age > 0 ? Backlog.samples(done) : 0;
            }

            private void count(SampleRange range) {
                for (long at = range.from(); at < range.to(); at++) {
                    counted[(int) range.epoch()][(int) at]++;
                }
            }
        }
    }
}
