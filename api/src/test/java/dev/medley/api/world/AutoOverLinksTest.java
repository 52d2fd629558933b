package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread.Join;
import dev.medley.base.Seeds;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A strategy that is chosen when machines of two sites have joined, and changed when it must. */
@Tag("real")
@Timeout(240)
class AutoOverLinksTest {
    private static final int STEPS = 320;
    private static final int BATCH = 64;

    private static final String[] AUTO = {"strategy.kind=auto", "strategy.transport=tcp"};

    @TempDir Path folder;

    /**
     * Ways between sites are thin from the beginning, which is seen while the first group forms.
     * Whatever is chosen, its best evaluation is about as good as that of one process after as many
     * samples, rounded up to a round. With the rounds and codecs that there are to choose from it
     * was a ninth worse at most, so a quarter; with a tenth of the common step it is three times as
     * bad. The last evaluation would not do: where momentum is 0.9, so small a model is soon too
     * sure of what it knows.
     */
    @Test
    void machinesOfTwoSitesShouldLearnWhatOneProcessLearnsInTheRoundsThatWereChosen()
            throws Exception {
        int steps = 480;
        FaultJob.write(folder, steps, "listen: '127.0.0.1:0', expect: 2, begin: all");
        try (SlowLink toOne = new SlowLink();
                SlowLink toTwo = new SlowLink();
                World world = new World(folder)) {
            RunThread run = world.train(AUTO);
            world.agent(run, Join.as("one").behind(toOne));
            world.agent(run, Join.as("two").behind(toTwo));
            toOne.slowDown();
            toTwo.slowDown();
            RunRecord record = run.completed();
            assertThat(run.said()).contains("auto: ", "against data-parallel with");
            StrategySpec chosen = PlanRecord.chosen(record.plans());
            assertThat(chosen).isNotNull();
            int every = chosen.round().syncEvery();
            assertThat(every).as(chosen.toString()).isGreaterThan(1);
            assertThat(record.steps()).hasSizeBetween(steps / every, steps / 8);
            assertThat(record.steps().get(0).samples()).isEqualTo(24L * every);
            RunRecord alone = alone();
            assertThat(samples(record))
                    .isBetween(samples(alone), samples(alone) + record.steps().get(0).samples());
            assertThat(leastLoss(alone)).as("it learns").isLessThan(0.05);
            assertThat(leastLoss(record)).as("%s", chosen).isLessThan(1.25 * leastLoss(alone));
        }
    }

    /** The same job on one worker. */
    private RunRecord alone() throws Exception {
        try (World world = new World(folder)) {
            return world.train("cluster={workers: 1, threads: 1}").completed();
        }
    }

    private static long samples(RunRecord record) {
        return record.steps().stream().mapToLong(StepRecord::samples).sum();
    }

    /** The least on samples that were held back, over all evaluations. */
    private static double leastLoss(RunRecord record) {
        return record.evaluations().stream()
                .flatMap(evaluation -> evaluation.metrics().stream())
                .filter(metric -> metric.name().equals("log_loss"))
                .mapToDouble(MetricValue::value)
                .min()
                .orElseThrow();
    }

    /** What was chosen for a good link is given up. */
    @Test
    void aRunWhoseLinkGetsThinShouldGoOnInRoundsAndLoseNoSample() throws Exception {
        write();
        try (SlowLink toOne = new SlowLink();
                SlowLink toTwo = new SlowLink();
                World world = new World(folder)) {
            RunThread run = world.train(AUTO);
            world.agent(run, Join.as("one").behind(toOne));
            world.agent(run, Join.as("two").behind(toTwo));
            run.await("chosen", () -> run.said().contains("auto: data-parallel: "));
            toOne.slowDown();
            toTwo.slowDown();
            RunRecord record = run.completed();
            assertThat(run.said()).contains("auto: data-parallel makes ", "as things are ");
            assertStrategies(record);
            assertSamples(record, STEPS / 2);
        }
    }

    /** It looks as a new run does, and what it had chosen is compared with what is measured. */
    @Test
    void aRunThatGoesOnOverAThinLinkShouldGiveUpWhatItHadChosen() throws Exception {
        write();
        Path before;
        try (SlowLink toOne = new SlowLink();
                SlowLink toTwo = new SlowLink();
                World world = new World(folder)) {
            RunThread run = world.train(AUTO);
            world.agent(run, Join.as("one").behind(toOne));
            world.agent(run, Join.as("two").behind(toTwo));
            run.awaitStep(10);
            before = run.interrupted().folder().path();
        }
        try (SlowLink toOne = new SlowLink();
                SlowLink toTwo = new SlowLink();
                World world = new World(folder)) {
            RunThread run = world.resume(before);
            world.agent(run, Join.as("one").behind(toOne));
            world.agent(run, Join.as("two").behind(toTwo));
            toOne.slowDown();
            toTwo.slowDown();
            RunRecord record = run.completed();
            assertThat(run.said())
                    .contains("auto: a look at the ways", "auto: goes on with data-parallel; ")
                    .contains("auto: data-parallel makes ", "as things are ");
            assertStrategies(record);
            assertSamples(record, STEPS * 3 / 4);
        }
    }

    private static void assertStrategies(RunRecord record) {
        List<StrategySpec> strategies =
                PlanRecord.inForce(record.plans()).stream()
                        .map(PlanRecord::strategy)
                        .filter(Objects::nonNull)
                        .toList();
        assertThat(strategies.get(0).kind()).isEqualTo(Kind.DATA_PARALLEL);
        assertThat(strategies.get(strategies.size() - 1).round().syncEvery()).isGreaterThan(8);
    }

    /** The run is shorter than an epoch; at most so many steps were before the change. */
    private static void assertSamples(RunRecord record, int mostBefore) {
        List<StepRecord> steps = record.steps();
        assertThat(steps)
                .extracting(StepRecord::step)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, steps.size()).mapToObj(i -> (long) i).toList());
        int first = (int) steps.stream().filter(s -> s.samples() == BATCH).count();
        assertThat(first).as("steps before the change").isBetween(5, mostBefore);
        long rounds = steps.stream().mapToLong(StepRecord::samples).sum() - (long) first * BATCH;
        long perRound = steps.get(first).samples();
        long left = (long) (STEPS - first) * BATCH;
        assertThat(rounds).as("rounded up to a round").isBetween(left, left + perRound - BATCH);
        assertThat(loss(steps, steps.size() - 3)).isLessThan(0.7 * loss(steps, 0));
    }

    private static double loss(List<StepRecord> steps, int from) {
        return steps.subList(from, from + 3).stream()
                .mapToDouble(StepRecord::loss)
                .average()
                .orElseThrow();
    }

    private void write() throws IOException {
        String[] words = {"tree", "river", "stone", "light", "wind", "night", "fire", "snow"};
        RandomGenerator random = Seeds.generator(5);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60_000; i++) {
            text.append(words[random.nextInt(3) > 0 ? i % words.length : random.nextInt(8)]);
            text.append(' ');
        }
        Files.writeString(folder.resolve("t.txt"), text);
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: slowed
                data: {train: t.txt, text: {context: 64, stride: 8}}
                model: {family: transformer, layers: 1, width: 32, heads: 2, dropout: 0}
                train: {steps: %d, schedule: constant, batch: %d, evaluate_every: 10000}
                cluster:
                  {listen: '127.0.0.1:0', expect: 2, begin: all, threads: 1,
                   java_options: ["-XX:TieredStopAtLevel=1"]}
                seed: 5
                """
                        .formatted(STEPS, BATCH));
    }
}
