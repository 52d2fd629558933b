package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.route.SiteMap;
import dev.medley.data.order.SampleRange;
import dev.medley.training.GivenTrain;
import dev.medley.training.strategy.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShareBatchesTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void batchesShouldMakeUpTheShareFromAnyStepOn(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int batch = 1 + random.nextInt(20);
        var round = new StepSchedule.Round(1 + random.nextInt(9), 1 + random.nextInt(12));
        long samples = 1L + random.nextInt(300);
        StepSchedule schedule = new StepSchedule(GivenTrain.of(3, 0, batch).spec(), round, samples);
        int first = random.nextInt(batch * round.steps() + 1);
        Plan plan = new Plan(1, List.of(first, batch * round.steps() - first), 99, "");
        int rank = random.nextInt(2);
        ShareBatches batches = new ShareBatches(schedule, plan, rank);
        long from = 1 + random.nextLong(schedule.lastStep());
        long number = batches.first(from);
        for (long step = from; step <= schedule.lastStep(); step++) {
            assertThat(batches.first(step)).isEqualTo(number);
            SampleRange share = schedule.share(step, plan, rank);
            Part part = batches.part(step);
            long at = share.from();
            for (int i = 0; i < part.ownBatches(); i++) {
                SampleRange range = batches.range(number++);
                assertThat(range.epoch()).isEqualTo(share.epoch());
                assertThat(range.from()).isEqualTo(at);
                assertThat(range.samples()).isLessThanOrEqualTo(round.innerBatch());
                assertThat(range.samples() > 0 || share.samples() == 0).isTrue();
                at = range.to();
            }
            assertThat(at).as("step %d", step).isEqualTo(share.to());
        }
    }

    /** Ranks of a team take as many batches each, which are its samples, from any step on. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void teamsShouldTakeEverySampleOnceInAsManyBatches(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int batch = 1 + random.nextInt(40);
        var round = new StepSchedule.Round(1 + random.nextInt(9), 1 + random.nextInt(12));
        long samples = 1L + random.nextInt(900);
        StepSchedule schedule = new StepSchedule(GivenTrain.of(3, 0, batch).spec(), round, samples);
        int all = batch * round.steps();
        int one = random.nextInt(all + 1);
        int two = random.nextInt(all - one + 1);
        Plan plan = new Plan(1, List.of(one, two, all - one - two), 99, "");
        SiteMap teams = new SiteMap(List.of(List.of(0, 2), List.of(1)));
        long from = 1 + random.nextLong(schedule.lastStep());
        for (int rank = 0; rank < 3; rank++) {
            ShareBatches batches = new ShareBatches(schedule, plan, rank, teams);
            long number = batches.first(from);
            for (long step = from; step <= schedule.lastStep(); step++) {
                assertThat(batches.first(step)).isEqualTo(number);
                SampleRange share = schedule.share(step, plan, rank);
                Part part = batches.part(step);
                assertThat(part.batches().get(2)).isEqualTo(part.batches().get(0));
                long at = share.from();
                for (int i = 0; i < part.ownBatches(); i++) {
                    SampleRange range = batches.range(number++);
                    assertThat(range.from()).isEqualTo(at);
                    assertThat((double) range.samples())
                            .isLessThanOrEqualTo(
                                    rank == 1
                                            ? round.innerBatch()
                                            : Math.ceil(
                                                    (double) share.samples() / part.ownBatches()));
                    at = range.to();
                }
                assertThat(at).as("step %d", step).isEqualTo(share.to());
            }
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void roundsShouldTakeEveryBatchOnceInOrder(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int batch = 1 + random.nextInt(20);
        var round = new StepSchedule.Round(1 + random.nextInt(9), batch);
        var train = GivenTrain.of(3, 0, batch).evaluateEvery(1 + random.nextInt(30)).spec();
        StepSchedule rounds = new StepSchedule(train, round, 1L + random.nextInt(300));
        StepSchedule each = new StepSchedule(train, rounds.samplesPerEpoch());
        long due = 0;
        for (long b = 1; b <= each.lastStep(); b++) {
            long number = b;
            long[] taking =
                    LongStream.rangeClosed(1, rounds.lastStep())
                            .filter(step -> rounds.takes(step, number))
                            .toArray();
            assertThat(taking).hasSize(1);
            assertThat(rounds.cursor(taking[0]).epoch()).isEqualTo(each.cursor(b).epoch());
            due = each.isEvaluationDue(b) ? taking[0] : due;
            assertThat(due == 0 || rounds.isEvaluationDue(due)).isTrue();
        }
        assertThat(
                        IntStream.rangeClosed(1, (int) rounds.lastStep())
                                .mapToLong(rounds::samples)
                                .sum())
                .isEqualTo(3 * rounds.samplesPerEpoch());
    }

    /** Batches have had five samples since step 3, in the middle of the first epoch. */
    @Test
    @Tag("unit")
    void sharesOfAnotherSizeShouldGoOnWhereTheFirstEnded() {
        StepSchedule before =
                new StepSchedule(GivenTrain.of(3, 0, 8).spec(), new StepSchedule.Round(1, 2), 30);
        StepSchedule schedule = before.with(before.sizes().from(3, 5));
        Plan plan = new Plan(1, List.of(5, 0), 5, "");
        ShareBatches batches = new ShareBatches(schedule, plan, 0);
        List<Long> borders = new ArrayList<>();
        long number = batches.first(3);
        assertThat(number).isEqualTo(1);
        for (long step = 3; step <= schedule.lastStep(); step++) {
            assertThat(batches.first(step)).isEqualTo(number);
            for (int i = 0; i < batches.count(step); i++) {
                SampleRange range = batches.range(number++);
                borders.add(30 * range.epoch() + range.from());
                borders.add(30 * range.epoch() + range.to());
            }
        }
        assertThat(borders.get(0)).as("two steps took 16").isEqualTo(16);
        assertThat(borders.get(borders.size() - 1)).isEqualTo(90);
        for (int i = 1; i < borders.size() - 1; i += 2) {
            assertThat(borders.get(i + 1)).isEqualTo(borders.get(i));
        }
    }

    /** Four steps an epoch, in the third of which the run ends. */
    @Test
    @Tag("unit")
    void theLastStepShouldWaitForAllAndTheOneBeforeForABatch() {
        StepSchedule schedule = new StepSchedule(GivenTrain.of(0, 7, 10).spec(), 40);
        ShareBatches batches = new ShareBatches(schedule, new Plan(1, List.of(6, 4), 6, ""), 0);
        assertThat(LongStream.rangeClosed(1, 7).mapToObj(step -> batches.part(step).patience()))
                .containsExactly(
                        Part.Patience.NONE,
                        Part.Patience.NONE,
                        Part.Patience.BATCH,
                        Part.Patience.ALL,
                        Part.Patience.NONE,
                        Part.Patience.BATCH,
                        Part.Patience.ALL);
    }

    /** Sixteen samples are owed: three quarters of them are rank 0's, in batches of four. */
    @Test
    @Tag("unit")
    void whatIsBehindShouldCountInAPart() {
        StepSchedule schedule =
                new StepSchedule(GivenTrain.of(1, 0, 8).spec(), new StepSchedule.Round(2, 4), 64);
        Plan plan = new Plan(1, List.of(12, 4), 4, "");
        Backlog owed = new Backlog(List.of(new SampleRange(0, 0, 16)), List.of());
        Part part = new ShareBatches(schedule, plan, 0).part(2, owed);
        assertThat(part.batches()).containsExactly(3 + 3, 1 + 1);
        assertThat(part.shares()).containsExactly(12 + 12, 4 + 4);
        assertThat(new ShareBatches(schedule, plan, 0).behind(owed))
                .containsExactly(
                        new SampleRange(0, 0, 4),
                        new SampleRange(0, 4, 8),
                        new SampleRange(0, 8, 12));
    }

    @Test
    @Tag("unit")
    void theLearningRateShouldFollowTheBatchesOfAll() {
        StepSchedule schedule =
                new StepSchedule(
                        GivenTrain.of(0, 40, 10)
                                .schedule(
                                        new dev.medley.base.job.ScheduleSpec(
                                                dev.medley.base.job.ScheduleSpec.Kind.CONSTANT,
                                                10,
                                                1,
                                                1,
                                                0))
                                .spec(),
                        new StepSchedule.Round(4, 5),
                        1000);
        assertThat(schedule.lastStep()).isEqualTo(10);
        Part part = new ShareBatches(schedule, new Plan(1, List.of(20, 20), 5, ""), 0).part(2);
        assertThat(part.batches()).containsExactly(4, 4);
        assertThat(IntStream.range(0, 4).mapToDouble(part.learningRateFactor()::applyAsDouble))
                .containsExactly(0.5, 0.6, 0.7, 0.8);
        Part fast = new ShareBatches(schedule, new Plan(1, List.of(30, 10), 5, ""), 1).part(2);
        assertThat(fast.batches()).containsExactly(6, 2);
        assertThat(IntStream.range(0, 2).mapToDouble(fast.learningRateFactor()::applyAsDouble))
                .containsExactly(0.5, 0.7);
    }
}
