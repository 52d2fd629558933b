package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.RunRecorder;
import dev.medley.record.report.Report;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.LatestCheckpoint;
import dev.medley.store.model.ModelFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run folder of which a power failure has left a file cut short: each of its files, to the half
 * and to nothing. What can be computed again stops nothing; the rest is one sentence that names the
 * file.
 */
@Tag("real")
@Timeout(240)
class DamagedRunTest {
    /** More than are taken before the interrupt arrives. */
    private static final long STEPS = 100_000;

    private static final long INTERRUPTED_AFTER = 40;

    /** What a run cannot go on without. */
    private static final Set<String> NEEDED = Set.of("job.json", "init.json");

    @TempDir static Path folder;
    private static Path whole;
    private static JobSpec job;
    private static long steps;

    /** In order of steps; some are left out where an earlier one is still being written. */
    private static List<String> checkpoints;

    @BeforeAll
    static void trainOne() throws IOException {
        SmallJob small = SmallJob.in(folder, 1, STEPS);
        job = small.job();
        RunResult interrupted =
                JobRun.train(job, options("runs"), new Interrupting(INTERRUPTED_AFTER));
        assertThat(interrupted.outcome().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        whole = interrupted.folder().path();
        steps = interrupted.summary().steps();
        try (Stream<Path> all = Files.list(whole.resolve("checkpoints"))) {
            checkpoints = all.map(each -> each.getFileName().toString()).sorted().toList();
        }
        assertThat(checkpoints).hasSizeGreaterThan(1);
    }

    /** The last checkpoint is of the last step then. */
    private static final class Interrupting implements RunProgress {
        private final long after;
        private final List<String> said = new ArrayList<>();
        private Interruptible run = () -> {};
        private boolean isDone;

        Interrupting(long after) {
            this.after = after;
        }

        @Override
        public void happened(RunEvent event) {
            said.add(event.message());
        }

        @Override
        public void interruptible(Interruptible interruptible) {
            run = interruptible;
        }

        @Override
        public void stepped(StepRecord step) {
            if (step.step() >= after && !isDone) {
                isDone = true;
                run.interrupt();
            }
        }
    }

    @Test
    void aFileThatIsCutShortShouldStopNothingThatCanDoWithoutIt() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<Path> files = files(whole);
        assertThat(files).hasSizeGreaterThan(12);
        for (Path file : files) {
            for (int part : List.of(0, 2)) {
                String name = whole.relativize(file).toString();
                Path copy = copy("cut-%s-%d".formatted(name.replace('/', '-'), part));
                cut(copy.resolve(name), part);
                try {
                    look(new RunFolder(copy), name);
                } catch (ConfigException e) {
                    boolean isNamed = String.valueOf(e.getMessage()).contains(name);
                    if (!NEEDED.contains(name) || !isNamed) {
                        wrong.add("%s cut to %d: %s".formatted(name, part, e.getMessage()));
                    }
                } catch (RuntimeException | IOException e) {
                    wrong.add("%s cut to %d: %s".formatted(name, part, e));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** All that resuming, reports and lists read of it, without the training. */
    private static void look(RunFolder run, String damaged) throws IOException {
        Clock clock = Clock.system();
        assertThat(RunFolder.list(run.path().getParent())).contains(run);
        RunRecord.requireEnded(run);
        RunSummary summary = RunRecord.summary(run);
        assertThat(summary.steps()).isBetween(0L, steps);
        Report.write(run.path());
        Object unused = RecordedPlans.strategy(run);
        assertThat(RecordedPlans.of(run)).hasSizeLessThanOrEqualTo(1);
        LatestCheckpoint latest = CheckpointStore.latest(run.checkpoints());
        assertThat(latest.usable()).as(damaged).isPresent();
        if (damaged.contains(newest())) {
            assertThat(latest.warnings()).singleElement().asString().contains(newest());
        } else {
            assertThat(latest.warnings()).isEmpty();
        }
        if (damaged.startsWith("model") && !damaged.endsWith(".md")) {
            assertThatThrownBy(() -> ModelFolder.read(run.model()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(run.model().toString());
        }
        JobSpec read = JobRun.jobOf(run.path());
        RunIdentity identity =
                new RunIdentity("small", clock.wallMillis(), "", "", RunProcess.self());
        try (RunRecorder again =
                RunRecorder.resume(run, steps, identity, read, RecorderOptions.defaults(), clock)) {
            again.lacks(steps, 0);
            assertThat(again.lastStep()).isEqualTo(steps);
        }
        RunRecord record = RunRecord.read(run);
        long lines = record.steps().size();
        assertThat(lines + record.summary().missingSteps()).as(damaged).isEqualTo(steps);
    }

    @Test
    void aDamagedCheckpointShouldBeNamedAndTheSummaryCountedAnewInARunThatGoesOn()
            throws IOException {
        Path run = copy("goes-on");
        cut(run.resolve("summary.json"), 2);
        cut(run.resolve("checkpoints").resolve(newest()).resolve("shard-0.safetensors"), 2);
        String before = checkpoints.get(checkpoints.size() - 2);
        Interrupting watching = new Interrupting(0);
        RunResult result = JobRun.train(job, options("runs").resuming(run), watching);
        assertThat(result.summary().steps()).isGreaterThan(step(before));
        assertThat(result.summary().repeatedSteps()).isEqualTo(steps - step(before));
        assertThat(watching.said).anyMatch(s -> s.contains("damaged") && s.contains(newest()));
        assertThat(RunRecord.read(new RunFolder(run)).steps())
                .hasSize((int) result.summary().steps());
    }

    @Test
    void aRunWithoutAWholeCheckpointShouldAskBeforeItBeginsAnew() throws IOException {
        Path run = copy("asks");
        for (Path file : files(run.resolve("checkpoints"))) {
            cut(file, 2);
        }
        RunOptions resuming = options("runs").resuming(run);
        assertThatThrownBy(() -> JobRun.train(job, resuming, RunProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "no checkpoint in " + run.resolve("checkpoints") + " is whole",
                        "to begin this run anew")
                .hasMessageContainingAll(checkpoints.toArray(String[]::new));
        assertThat(RunRecord.read(new RunFolder(run)).steps()).hasSize((int) steps);
    }

    private static String newest() {
        return checkpoints.get(checkpoints.size() - 1);
    }

    private static long step(String checkpoint) {
        return Long.parseLong(checkpoint.substring(checkpoint.indexOf('-') + 1));
    }

    private static RunOptions options(String runs) {
        return Runs.in(folder.resolve(runs), folder.resolve("cache"));
    }

    private static List<Path> files(Path below) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static Path copy(String name) throws IOException {
        Path copy = folder.resolve("copies").resolve(name);
        for (Path file : files(whole)) {
            Path target = copy.resolve(whole.relativize(file).toString());
            Files.createDirectories(target.getParent());
            Files.copy(file, target);
        }
        return copy;
    }

    /** To nothing for 0, else to that part. */
    private static void cut(Path file, int part) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(part == 0 ? 0 : channel.size() / part);
        }
    }
}
