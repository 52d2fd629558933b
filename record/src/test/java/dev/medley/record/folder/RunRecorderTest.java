package dev.medley.record.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.record.ManualClock;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunEvent.Kind;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.Runs;
import dev.medley.record.entry.StepRange;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.entry.WorkerTotals;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("unit")
class RunRecorderTest {
    private static final RecorderOptions FEW =
            new RecorderOptions(100, 1 << 20, 100, 1 << 20, 5_000_000_000L, 0);

    @TempDir Path runs;
    private final ManualClock clock = new ManualClock();

    @Test
    void shouldReadBackWhatWasRecorded() {
        RunFolder folder;
        StepRecord step = Runs.step(1, clock);
        RunEvent event =
                RunEvent.checkpoint(
                        clock.wallMillis(), 1, "Saved.", 1_000_000, 80_000_000, 12_345_678);
        WorkerRecord worker =
                new WorkerRecord(
                        clock.wallMillis(),
                        7,
                        900_000_000,
                        List.of(new WorkerRecord.Trial(64, 20_000_000)),
                        "gpu-1",
                        Json.tree(Map.of("host", "a")));
        try (RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock)) {
            folder = recorder.folder();
            assertThat(recorder.plan(Runs.plan(1, 1, clock))).isNull();
            assertThat(recorder.worker(worker)).isNull();
            assertThat(recorder.step(step)).isNull();
            assertThat(recorder.evaluation(Runs.evaluation(1, 0.5, clock))).isNull();
            assertThat(recorder.event(event)).isNull();
            assertThat(recorder.finish(RunStatus.DONE, "All steps are done.", null)).isNull();
        }
        RunRecord run = RunRecord.read(folder);
        assertThat(run.steps()).containsExactly(step);
        assertThat(run.plans()).containsExactly(Runs.plan(1, 1, clock));
        assertThat(run.workers()).containsExactly(worker);
        assertThat(run.evaluations()).containsExactly(Runs.evaluation(1, 0.5, clock));
        assertThat(run.events()).containsExactly(event);
        assertThat(run.unreadableLines()).isZero();
        assertThat(run.job().get("train").get("batch").asInt()).isEqualTo(96);
        assertThat(run.summary().state()).isEqualTo(RunStatus.DONE);
        assertThat(run.identity().process()).isEqualTo(RunProcess.self());
    }

    @Test
    void shouldKeepALossThatIsNoNumber() {
        RunFolder folder;
        StepRecord step =
                new StepRecord(
                        1, 0, 1, 1, Double.NaN, 1e-3, Double.POSITIVE_INFINITY, 8, 0, 1, List.of());
        try (RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock)) {
            folder = recorder.folder();
            recorder.step(step);
        }
        assertThat(RunRecord.read(folder).steps()).containsExactly(step);
    }

    @Test
    void shouldAddUpExactlyWhatWasThinned() {
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            record(recorder, 1, 1000);
            recorder.event(RunEvent.ofWorker(0, 500, Kind.LOST, 2, "Worker 2 is lost."));
            recorder.evaluation(Runs.evaluation(400, 0.8, clock));
            recorder.evaluation(Runs.evaluation(700, 0.9, clock));
            recorder.evaluation(Runs.evaluation(1000, 0.85, clock));
            RunSummary summary = recorder.summary();
            assertThat(summary.steps()).isEqualTo(1000);
            assertThat(summary.samples()).isEqualTo(88_000);
            assertThat(summary.lostWorkers()).isEqualTo(1);
            assertThat(summary.best().step()).isEqualTo(700);
            assertThat(summary.metrics().get(0).value()).isEqualTo(0.85);
            assertThat(summary.workers())
                    .extracting(WorkerTotals::samples)
                    .containsExactly(48_000L, 24_000L, 16_000L);
            assertThat(summary.workers().get(0).computeNs())
                    .isEqualTo(
                            LongStream.rangeClosed(1, 1000)
                                    .map(s -> Runs.step(s, clock).workers().get(0).computeNs())
                                    .sum());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldStayBoundedAndSpanTheWholeRun(long seed) {
        int count = 1 + Seeds.generator(seed, 1).nextInt(5000);
        int lines = 4 + Seeds.generator(seed, 2).nextInt(60);
        RecorderOptions options =
                new RecorderOptions(lines, 1 << 20, 100, 1 << 20, 5_000_000_000L, 0);
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, options, clock)) {
            folder = recorder.folder();
            record(recorder, 1, count);
        }
        List<Long> steps = RunRecord.read(folder).steps().stream().map(StepRecord::step).toList();
        assertThat(steps).hasSizeLessThanOrEqualTo(lines + 1).isSorted().doesNotHaveDuplicates();
        assertThat(steps).startsWith(1L).endsWith((long) count);
        long widest = 0;
        for (int i = 1; i < steps.size(); i++) {
            widest = Math.max(widest, steps.get(i) - steps.get(i - 1));
        }
        assertThat(widest).isLessThanOrEqualTo(Math.max(1, 8L * count / lines));
    }

    @Test
    void shouldStayBoundedInBytes() throws IOException {
        RecorderOptions options =
                new RecorderOptions(1_000_000, 64 << 10, 100, 1 << 20, 5_000_000_000L, 0);
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, options, clock)) {
            folder = recorder.folder();
            record(recorder, 1, 2000);
        }
        assertThat(Files.size(folder.steps())).isBetween(16L << 10, 66L << 10);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldReadARecordThatWasCutAnywhere(long seed) throws IOException {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            record(recorder, 1, 20);
        }
        List<StepRecord> whole = RunRecord.read(folder).steps();
        long size = Files.size(folder.steps());
        long cut = Seeds.generator(seed).nextLong(size);
        try (FileChannel channel = FileChannel.open(folder.steps(), StandardOpenOption.WRITE)) {
            channel.truncate(cut);
        }
        RunRecord read = RunRecord.read(folder);
        assertThat(read.unreadableLines()).isZero();
        assertThat(read.steps()).isEqualTo(whole.subList(0, read.steps().size()));

        long last = read.steps().isEmpty() ? 0 : read.steps().get(read.steps().size() - 1).step();
        try (RunRecorder again =
                RunRecorder.resume(folder, last, Runs.identity(clock), Runs.JOB, FEW, clock)) {
            record(again, last + 1, 30);
        }
        assertThat(RunRecord.read(folder).steps())
                .extracting(StepRecord::step)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 30).boxed().toList());
    }

    @Test
    void shouldForgetStepsThatAreTakenAgainAfterAResume() {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            recorder.plan(Runs.plan(1, 1, clock));
            record(recorder, 1, 30);
            recorder.plan(Runs.plan(2, 25, clock));
            recorder.evaluation(Runs.evaluation(10, 0.7, clock));
            recorder.evaluation(Runs.evaluation(30, 0.9, clock));
        }
        try (RunRecorder again =
                RunRecorder.resume(folder, 20, Runs.identity(clock), Runs.JOB, FEW, clock)) {
            assertThat(again.summary().best().step()).isEqualTo(10);
            again.plan(Runs.plan(3, 21, clock));
            record(again, 21, 22);
            again.finish(RunStatus.DONE, "Done.", null);
        }
        RunRecord run = RunRecord.read(folder);
        assertThat(run.steps()).hasSize(22).last().extracting(StepRecord::step).isEqualTo(22L);
        assertThat(run.evaluations()).extracting(EvaluationRecord::step).containsExactly(10L);
        assertThat(run.plans()).extracting(plan -> plan.plan().version()).containsExactly(1, 3);
        assertThat(run.summary().steps()).isEqualTo(22);
        assertCountsRepeatedSteps(run.summary());
    }

    @Test
    void shouldForgetStepsThatAreTakenAgainAfterAllWorkersWereLost() {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            record(recorder, 1, 30);
            recorder.evaluation(Runs.evaluation(10, 0.7, clock));
            recorder.evaluation(Runs.evaluation(30, 0.9, clock));
            assertThat(recorder.wentBackTo(30)).isNull();
            assertThat(recorder.wentBackTo(20)).isNull();
            assertThat(recorder.summary().best().step()).isEqualTo(10);
            record(recorder, 21, 22);
            recorder.finish(RunStatus.DONE, "Done.", null);
        }
        RunRecord run = RunRecord.read(folder);
        assertThat(run.steps())
                .extracting(StepRecord::step)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 22).boxed().toList());
        assertThat(run.evaluations()).extracting(EvaluationRecord::step).containsExactly(10L);
        assertThat(run.summary().steps()).isEqualTo(22);
        assertCountsRepeatedSteps(run.summary());
    }

    /** It is killed between two summaries: its lines know more than its last summary. */
    @Test
    void shouldCountEachStepOfAProcessThatWasKilled() {
        RunRecorder killed = Runs.start(runs, FEW, clock);
        record(killed, 1, 30);
        try (RunRecorder again =
                RunRecorder.resume(
                        killed.folder(), 20, Runs.identity(clock), Runs.JOB, FEW, clock)) {
            record(again, 21, 22);
            assertCountsRepeatedSteps(again.summary());
        } finally {
            killed.close();
        }
    }

    /** Thirty steps, of which ten came to nothing, and two. */
    private static void assertCountsRepeatedSteps(RunSummary summary) {
        assertThat(summary.steps()).isEqualTo(22);
        assertThat(summary.repeatedSteps()).isEqualTo(10);
        assertThat(summary.stepsTaken()).isEqualTo(32);
        assertThat(summary.samples()).isEqualTo(32 * Runs.SAMPLES_PER_STEP);
        assertThat(summary.workers().get(0).steps()).isEqualTo(32);
    }

    @Test
    void shouldBoundEvaluationsAndEventsAndKeepWhatSaysMost() {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            for (int i = 1; i <= 1000; i++) {
                recorder.evaluation(Runs.evaluation(i, i == 300 ? 0.99 : 0.5, clock));
                recorder.event(RunEvent.of(i, i, RunEvent.Kind.EPOCH, "hash"));
                if (i % 100 == 0) {
                    recorder.event(RunEvent.ofWorker(i, i, RunEvent.Kind.LOST, 1, "gone"));
                }
            }
        }
        RunRecord run = RunRecord.read(folder);
        List<Long> evaluated = run.evaluations().stream().map(EvaluationRecord::step).toList();
        assertThat(evaluated).hasSizeBetween(50, 100).isSorted().doesNotHaveDuplicates();
        assertThat(evaluated).as("first, best, last").contains(1L, 300L, 999L, 1000L);
        assertThat(run.events()).hasSizeBetween(50, 100);
        assertThat(run.events())
                .filteredOn(event -> event.kind() == RunEvent.Kind.LOST)
                .as("what does not come with every epoch")
                .hasSize(10);
        assertThat(run.summary().thinnedLines())
                .isEqualTo(2010 - evaluated.size() - run.events().size());
        assertThat(run.summary().best().step()).isEqualTo(300);
        assertThat(run.summary().lostWorkers()).isEqualTo(10);
    }

    @Test
    void shouldMakeAFolderAgainThatIsRemovedInMidRun() throws IOException {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            recorder.plan(Runs.plan(1, 1, clock));
            record(recorder, 1, 20);
            recorder.evaluation(Runs.evaluation(20, 0.7, clock));
            try (Stream<Path> all = Files.walk(folder.path())) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
            record(recorder, 21, 25);
            recorder.evaluation(Runs.evaluation(25, 0.8, clock));
            assertThat(recorder.takeRemoved()).isTrue();
            assertThat(recorder.takeRemoved()).as("said once").isFalse();
            record(recorder, 26, 30);
        }
        RunRecord run = RunRecord.read(folder);
        assertThat(run.steps())
                .extracting(StepRecord::step)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 30).boxed().toList());
        assertThat(run.evaluations()).extracting(EvaluationRecord::step).containsExactly(20L, 25L);
        assertThat(run.plans()).hasSize(1);
        assertThat(run.job()).isNotNull();
        assertThat(run.summary().unwrittenLines()).isZero();
    }

    @Test
    void shouldGoOnWhereTheDiskTookNoShorterFiles() throws IOException {
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            RunFolder folder = recorder.folder();
            record(recorder, 1, 10);
            recorder.evaluation(Runs.evaluation(10, 0.7, clock));
            List<Path> inTheWay =
                    Stream.of(folder.steps(), folder.evaluations())
                            .map(file -> file.resolveSibling("." + file.getFileName() + ".tmp"))
                            .toList();
            for (Path path : inTheWay) {
                Files.createDirectories(path.resolve("full"));
            }
            assertThat(recorder.wentBackTo(5)).isNotNull();
            for (Path path : inTheWay) {
                Files.delete(path.resolve("full"));
                Files.delete(path);
            }
            record(recorder, 6, 12);
            assertThat(recorder.evaluation(Runs.evaluation(12, 0.8, clock))).isNull();
        }
    }

    /** As where making it again broke off in its midst. */
    @Test
    @Timeout(600)
    void shouldMakeAgainNothingButWhatIsMissing() throws IOException {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            recorder.plan(Runs.plan(1, 1, clock));
            record(recorder, 1, 20);
            Files.delete(folder.identity());
            Files.delete(folder.plans());
            assertThat(recorder.evaluation(Runs.evaluation(20, 0.7, clock))).isNull();
            assertThat(folder.identity()).exists();
            record(recorder, 21, 30);
            Files.delete(folder.identity());
            assertThat(recorder.evaluation(Runs.evaluation(30, 0.8, clock))).isNull();
            assertThat(recorder.takeRemoved()).isFalse();
        }
        RunRecord run = RunRecord.read(folder);
        assertThat(run.steps())
                .extracting(StepRecord::step)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 30).boxed().toList());
        assertThat(run.evaluations()).extracting(EvaluationRecord::step).containsExactly(20L, 30L);
        assertThat(run.plans()).hasSize(1);
    }

    /** Whoever had them was killed: they are not left out in silence. */
    @Test
    void shouldCountStepsWhoseFiguresAreLost() {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            record(recorder, 1, 20);
            recorder.lacks(25, 5 * Runs.SAMPLES_PER_STEP);
            record(recorder, 26, 30);
            assertThat(recorder.wentBackTo(28)).isNull();
            record(recorder, 29, 30);
        }
        RunSummary summary = RunRecord.read(folder).summary();
        assertThat(summary.missing()).containsExactly(new StepRange(21, 25));
        assertThat(summary.missingSteps()).isEqualTo(5);
        assertThat(summary.steps()).isEqualTo(30);
        assertThat(summary.repeatedSteps()).isEqualTo(2);
        assertThat(summary.samples()).isEqualTo(32 * Runs.SAMPLES_PER_STEP);
    }

    @Test
    void shouldReadASummaryOfAnOlderRecord() throws Exception {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            record(recorder, 1, 3);
            recorder.finish(RunStatus.DONE, "Done.", null);
        }
        String json = Files.readString(folder.summary());
        String older = json.replaceFirst("\\s*\"repeatedSteps\"\\s*:\\s*0,", "");
        assertThat(older).isNotEqualTo(json);
        Files.writeString(folder.summary(), older);
        assertThat(RunRecord.summary(folder).repeatedSteps()).isZero();
    }

    @Test
    void shouldGoOnSparselyAfterAResumeOfALongRun() {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            record(recorder, 1, 1600);
        }
        try (RunRecorder again =
                RunRecorder.resume(folder, 1600, Runs.identity(clock), Runs.JOB, FEW, clock)) {
            record(again, 1601, 1700);
        }
        List<StepRecord> steps = RunRecord.read(folder).steps();
        assertThat(steps).hasSizeLessThan(110);
        assertThat(steps.get(steps.size() - 1).step()).isEqualTo(1700);
        assertThat(steps.get(steps.size() - 2).step() % 16).isZero();
    }

    @Test
    void shouldRefuseADiskWithTooLittleRoomAndLeaveNothing() {
        RecorderOptions greedy = new RecorderOptions(100, 1 << 20, 100, 1 << 20, 1, Long.MAX_VALUE);
        assertThatThrownBy(() -> Runs.start(runs, greedy, clock))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("MiB free")
                .hasMessageContaining("--run-dir");
        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void shouldReturnAFaultWhenTheDiskIsFull() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(full).as("a device that is always full").exists();
        RunFolder folder = RunFolder.create(runs, "made-up", clock);
        Files.createSymbolicLink(folder.events(), full);
        try (RunRecorder recorder =
                RunRecorder.start(folder, Runs.identity(clock), Runs.JOB, FEW, clock)) {
            Fault fault = recorder.event(RunEvent.of(0, 0, Kind.WARNING, "lost"));
            assertThat(fault.kind()).isEqualTo(Fault.Kind.STORE);
            assertThat(fault.message())
                    .contains("events.jsonl")
                    .contains("No space left on device")
                    .contains("training goes on");
            assertThat(recorder.step(Runs.step(1, clock))).isNull();
            assertThat(recorder.summary().unwrittenLines()).isEqualTo(1);
        }
    }

    private void record(RunRecorder recorder, long from, long to) {
        for (long step = from; step <= to; step++) {
            clock.passMillis(20);
            assertThat(recorder.step(Runs.step(step, clock))).isNull();
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }
}
