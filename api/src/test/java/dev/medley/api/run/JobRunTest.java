package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.TrainedModel;
import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.TrafficSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.inference.model.GenerateOptions;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunLock;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs: on threads, but for the one whose worker SIGKILL ends. */
@Tag("real")
class JobRunTest {
    @TempDir Path folder;

    /** What was seen of a run. */
    private static final class Seen implements RunProgress {
        final List<StepRecord> steps = new ArrayList<>();
        final List<EvaluationRecord> evaluations = new ArrayList<>();
        final List<RunEvent> events = new ArrayList<>();
        Runnable atEachStep = () -> {};
        RunProgress.Interruptible run;

        @Override
        public void stepped(StepRecord step) {
            steps.add(step);
            atEachStep.run();
        }

        @Override
        public void evaluated(EvaluationRecord evaluation) {
            evaluations.add(evaluation);
        }

        @Override
        public void happened(RunEvent event) {
            events.add(event);
        }

        @Override
        public void interruptible(RunProgress.Interruptible interruptible) {
            run = interruptible;
        }

        /** The loss of each step, as it was last applied. */
        List<Double> losses() {
            return steps.stream().map(StepRecord::loss).toList();
        }
    }

    @Test
    void shouldRepeatARunBitForBit() throws IOException {
        RunResult first = train(SmallJob.in(folder, 2, 40), new Seen());
        RunResult second = train(SmallJob.in(folder, 2, 40), new Seen());
        assertThat(first.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(second.outcome().parameterHash()).isEqualTo(first.outcome().parameterHash());
    }

    @Test
    void aRunShouldBeHeldWhileItTrains() throws IOException {
        List<String> held = new ArrayList<>();
        RunProgress trying =
                new RunProgress() {
                    @Override
                    public void began(RunFolder begun) {
                        try (RunLock unused = RunLock.take(begun)) {
                            held.add("nobody holds it");
                        } catch (ConfigException e) {
                            held.add(String.valueOf(e.getMessage()));
                        }
                    }
                };
        RunResult result = train(SmallJob.in(folder, 1, 2), trying);
        assertThat(held).singleElement().asString().contains("another process");
        RunLock.take(result.folder()).close();
    }

    @Test
    void sharedMemoryAndTcpShouldLearnTheSame() throws IOException {
        Seen shared = new Seen();
        Seen tcp = new Seen();
        train(SmallJob.in(folder, 3, 30), shared);
        StrategySpec overTcp =
                StrategySpec.defaults().with(TrafficSpec.plain(StrategySpec.Transport.TCP, 4096));
        train(SmallJob.in(folder, 3, 30).strategy(overTcp), tcp);
        assertClose(tcp.losses(), shared.losses(), 1e-4);
    }

    @Test
    void workersWithPartsOfTheBatchShouldEqualOneWorkerWithAll() throws IOException {
        Seen one = new Seen();
        Seen uneven = new Seen();
        StrategySpec shares =
                StrategySpec.defaults()
                        .with(TrafficSpec.plain(StrategySpec.Transport.AUTO, 4096))
                        .with(List.of(7.0, 5.0, 0.0), StrategySpec.Balance.AUTO);
        train(SmallJob.in(folder, 1, 30).dropout(0).precision(Precision.FP64), one);
        train(
                SmallJob.in(folder, 3, 30).dropout(0).precision(Precision.FP64).strategy(shares),
                uneven);
        assertClose(uneven.losses(), one.losses(), 1e-9);
        assertThat(uneven.evaluations.get(0).metrics().get(0).value())
                .isCloseTo(one.evaluations.get(0).metrics().get(0).value(), within(1e-9));
    }

    @Test
    void aKilledWorkerShouldCostNoSampleAndItsSuccessorShouldJoin() throws IOException {
        Seen seen = new Seen();
        RandomGenerator random = Seeds.generator(1);
        int at = 20 + random.nextInt(40);
        seen.atEachStep =
                () -> {
                    if (seen.steps.size() == at) {
                        killAWorker(random);
                    }
                };
        RunOptions processes = RunOptions.in(folder.resolve("runs"));
        RunResult result = JobRun.train(SmallJob.in(folder, 2, 200).job(), processes, seen);
        assertThat(result.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(seen.steps)
                .extracting(StepRecord::step)
                .doesNotHaveDuplicates()
                .isSorted()
                .hasSize(200);
        assertThat(seen.events)
                .extracting(RunEvent::kind)
                .contains(RunEvent.Kind.LOST, RunEvent.Kind.RESTARTED);
        assertThat(result.summary().lossSentences("step"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .matches(
                        "worker-\\d was lost at step \\d+: .* until training went on, .* computed"
                                + " again");
        assertThat(RunRecord.read(result.folder()).plans()).hasSizeGreaterThanOrEqualTo(2);
        Seen whole = new Seen();
        RunResult replayed =
                JobRun.train(
                        SmallJob.in(folder, 2, 200).job(),
                        Runs.in(folder.resolve("runs")).replaying(result.folder().path()),
                        whole);
        assertThat(replayed.outcome().parameterHash()).isEqualTo(result.outcome().parameterHash());
    }

    @Test
    void anInterruptedRunShouldGoOnAsIfNothingHadHappened() throws IOException {
        RunResult whole = train(SmallJob.in(folder, 2, 200), new Seen());
        Seen seen = new Seen();
        seen.atEachStep =
                () -> {
                    if (seen.steps.size() == 5) {
                        seen.run.interrupt();
                    }
                };
        RunResult part = train(SmallJob.in(folder, 2, 200), seen);
        assertThat(part.outcome().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        assertThat(part.summary().resume()).contains("--resume");
        assertThat(part.outcome().step()).isLessThan(200);
        RunResult rest =
                JobRun.train(
                        JobRun.jobOf(part.folder().path()),
                        Runs.in(folder.resolve("runs")).resuming(part.folder().path()),
                        new Seen());
        assertThat(rest.outcome().parameterHash()).isEqualTo(whole.outcome().parameterHash());
    }

    @Test
    void aLossThatIsNotFiniteShouldStopTheRunAndSayWhere() throws IOException {
        RunResult result = train(SmallJob.in(folder, 2, 100).learningRate(1e30), new Seen());
        assertThat(result.outcome().kind()).isEqualTo(RunOutcome.Kind.FAILED);
        assertThat(result.outcome().failure()).isEqualTo(FailureKind.UNSOUND);
        assertThat(result.outcome().why().toLowerCase(Locale.ROOT))
                .contains("not a finite number in step")
                .contains("worker-")
                .contains("samples");
    }

    @Test
    void aTrainedModelShouldLoadEvaluateAndWrite() throws IOException {
        Seen seen = new Seen();
        RunResult result = train(SmallJob.in(folder, 2, 60), seen);
        try (TrainedModel model = TrainedModel.load(result.folder().model(), 1)) {
            String text = model.generate("tree ", new GenerateOptions(20, 0, 1));
            assertThat(text).hasSize(20);
            assertThat(model.generate("tree ", new GenerateOptions(20, 0, 1))).isEqualTo(text);
        }
    }

    private RunResult train(SmallJob job, RunProgress progress) {
        return JobRun.train(job.job(), Runs.in(folder.resolve("runs")), progress);
    }

    private static void killAWorker(RandomGenerator random) {
        List<ProcessHandle> workers =
                ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
        workers.get(random.nextInt(workers.size())).destroyForcibly();
    }

    private static void assertClose(List<Double> actual, List<Double> expected, double relative) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            assertThat(actual.get(i))
                    .isCloseTo(expected.get(i), within(relative * expected.get(i)));
        }
    }
}
