package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Cursor;
import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.data.order.SampleRange;
import dev.medley.training.GivenTrain;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StepScheduleTest {
    private static final int EPOCHS = 3;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldGiveEverySampleOncePerEpochWhoeverComesAndGoes(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int batch = 1 + random.nextInt(40);
        int samples = 1 + random.nextInt(random.nextBoolean() ? 30 : 700);
        StepSchedule schedule = schedule(GivenTrain.of(EPOCHS, 0, batch), samples);
        int[][] taken = new int[EPOCHS][samples];
        Plan plan = plan(random, batch);
        for (long step = 1; step <= schedule.lastStep(); step++) {
            if (random.nextInt(4) == 0) {
                plan = plan(random, batch);
            }
            long inStep = 0;
            for (int rank = 0; rank < plan.shares().size(); rank++) {
                SampleRange share = schedule.share(step, plan, rank);
                for (long at = share.from(); at < share.to(); at++) {
                    taken[(int) share.epoch()][(int) at]++;
                }
                inStep += share.samples();
            }
            assertThat(inStep).as("step %d", step).isEqualTo(schedule.samples(step)).isPositive();
        }
        for (int[] epoch : taken) {
            assertThat(epoch).containsOnly(1);
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldGiveFullStepsExactlyAsPlanned(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int batch = 1 + random.nextInt(40);
        StepSchedule schedule = schedule(GivenTrain.of(EPOCHS, 0, batch), batch * 5L + 1);
        Plan plan = plan(random, batch);
        for (int rank = 0; rank < plan.shares().size(); rank++) {
            assertThat(schedule.share(3, plan, rank).samples()).isEqualTo(plan.shares().get(rank));
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldFindTheCursorWithoutWalkingThere(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int batch = 1 + random.nextInt(50);
        long samples = 1L + random.nextInt(400);
        Cursor cursor = Cursor.START;
        for (long step = 1; step <= 60; step++) {
            assertThat(Cursor.beforeStep(step, batch, samples)).isEqualTo(cursor);
            assertThat(cursor.position()).isLessThan(samples);
            cursor = cursor.afterStep(batch, samples);
        }
    }

    @Test
    @Tag("unit")
    void shouldCountBeyondTwoBillionSamples() {
        StepSchedule schedule = schedule(GivenTrain.of(2, 0, 1000), 5_000_000_000L);
        assertThat(schedule.stepsPerEpoch()).isEqualTo(5_000_000);
        assertThat(schedule.lastStep()).isEqualTo(10_000_000);
        Plan plan = new Plan(1, List.of(999, 1), 1000, "");
        assertThat(schedule.share(5_000_000, plan, 1))
                .isEqualTo(new SampleRange(0, 4_999_999_999L, 5_000_000_000L));
        assertThat(schedule.share(5_000_001, plan, 0)).isEqualTo(new SampleRange(1, 0, 999));
    }

    @Test
    @Tag("unit")
    void shouldEndAtWhicheverLimitComesFirst() {
        assertThat(schedule(GivenTrain.of(2, 0, 32), 100).lastStep()).isEqualTo(8);
        assertThat(schedule(GivenTrain.of(2, 5, 32), 100).lastStep()).isEqualTo(5);
        assertThat(schedule(GivenTrain.of(2, 50, 32), 100).lastStep()).isEqualTo(8);
        assertThat(schedule(GivenTrain.of(0, 50, 32), 100).lastStep()).isEqualTo(50);
        assertThat(schedule(GivenTrain.of(0.5, 0, 32), 100).lastStep()).isEqualTo(2);
        assertThat(schedule(GivenTrain.of(0.001, 0, 32), 100).lastStep()).isEqualTo(1);
    }

    @Test
    @Tag("unit")
    void shouldEvaluateAtTheEndOfEachEpochAndOfTheRun() {
        StepSchedule schedule = schedule(GivenTrain.of(2.5, 0, 32), 100);
        assertThat(due(schedule)).containsExactly(4L, 8L, 10L);
        assertThat(schedule.endsEpoch(0)).isFalse();
        assertThat(schedule.endsEpoch(4)).isTrue();
        assertThat(schedule.endsEpoch(10)).isFalse();
    }

    @Test
    @Tag("unit")
    void shouldEvaluateAsOftenAsAskedAndAtTheEnd() {
        assertThat(due(schedule(GivenTrain.of(0, 10, 32).evaluateEvery(4), 100)))
                .containsExactly(4L, 8L, 10L);
    }

    @Test
    @Tag("unit")
    void epochsShouldComeToTheLeastStepsAndBeEvaluatedTogetherWhereTheyAreShort() {
        // Two steps an epoch, 4 epochs.
        assertThat(schedule(GivenTrain.of(4, 0, 50).leastSteps(7), 100).lastStep()).isEqualTo(8);
        assertThat(schedule(GivenTrain.of(4, 0, 50).leastSteps(9), 100).lastStep()).isEqualTo(9);
        assertThat(schedule(GivenTrain.of(4, 5, 50).leastSteps(9), 100).lastStep()).isEqualTo(5);
        assertThat(due(schedule(GivenTrain.of(4, 0, 50).leastSteps(9), 100)))
                .containsExactly(2L, 4L, 6L, 8L, 9L);
        assertThat(due(schedule(GivenTrain.of(4, 0, 50).leastSteps(1000), 100)))
                .hasSize(50)
                .startsWith(20L, 40L)
                .endsWith(1000L);
        assertThat(due(schedule(GivenTrain.of(4, 0, 50).leastSteps(1000).evaluateEvery(500), 100)))
                .containsExactly(500L, 1000L);
    }

    @Test
    @Tag("unit")
    void shouldTakeTheLearningRateFromTheJobsSchedule() {
        ScheduleSpec drops = new ScheduleSpec(ScheduleSpec.Kind.STEP, 0, 1, 0.1, 0);
        StepSchedule schedule = schedule(GivenTrain.of(3, 0, 50).schedule(drops), 100);
        assertThat(schedule.learningRateFactor(2)).isEqualTo(1);
        assertThat(schedule.learningRateFactor(3)).isEqualTo(0.1);
    }

    /** 25 batches an epoch, the last round of which has one. */
    @Test
    @Tag("unit")
    void roundsShouldTakeTheirBatches() {
        StepSchedule rounds =
                new StepSchedule(
                        GivenTrain.of(0, 100, 4).spec(), new StepSchedule.Round(8, 4), 100);
        assertThat(LongStream.rangeClosed(1, 5).mapToInt(rounds::batches))
                .containsExactly(8, 8, 8, 1, 8);
        assertThat(rounds.word()).isEqualTo("round");
        assertThat(schedule(GivenTrain.of(1, 0, 4), 100).word()).isEqualTo("step");
        assertThat(rounds.completes(0, 8)).isFalse();
    }

    private static List<Long> due(StepSchedule schedule) {
        return LongStream.rangeClosed(0, schedule.lastStep())
                .filter(schedule::isEvaluationDue)
                .boxed()
                .toList();
    }

    private static StepSchedule schedule(GivenTrain train, long samples) {
        return new StepSchedule(train.spec(), samples);
    }

    /** One to seven workers with shares of any size, also none, that sum to the batch. */
    private static Plan plan(RandomGenerator random, int batch) {
        int workers = 1 + random.nextInt(7);
        int[] shares = new int[workers];
        for (int i = 0; i < batch; i++) {
            shares[random.nextInt(random.nextBoolean() ? workers : 1)]++;
        }
        List<Integer> list = new ArrayList<>();
        for (int share : shares) {
            list.add(share);
        }
        return new Plan(1, list, batch, "test");
    }
}
