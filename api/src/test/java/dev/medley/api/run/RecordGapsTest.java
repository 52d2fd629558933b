package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.MetricValue.Better;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunObserver;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.RunRecorder;
import dev.medley.training.loop.StepSchedule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each applied step is recorded once, or counted as missing once, whoever tells of it when. */
@Tag("unit")
class RecordGapsTest {
    @TempDir Path folder;
    private final List<Long> seen = new ArrayList<>();

    @Test
    void stepsToldOfAfterTheNextGroupHasBegunShouldBeRecordedOnce() throws IOException {
        RunRecord record =
                recorded(
                        watcher -> {
                            watcher.formed(view(1, 0, 3));
                            step(watcher, 1, 1);
                            watcher.formed(view(2, 3, 2));
                            step(watcher, 1, 2);
                            step(watcher, 1, 3);
                            step(watcher, 2, 4);
                        });
        assertThat(seen).containsExactly(1L, 2L, 3L, 4L);
        assertThat(record.summary().steps()).isEqualTo(4);
        assertThat(record.summary().missing()).isEmpty();
    }

    @Test
    void stepsThatNobodyTellsOfShouldBeCountedAsMissing() throws IOException {
        RunRecord record =
                recorded(
                        watcher -> {
                            watcher.formed(view(1, 0, 3));
                            step(watcher, 1, 1);
                            watcher.formed(view(2, 3, 2));
                            step(watcher, 2, 4);
                        });
        assertThat(seen).containsExactly(1L, 4L);
        assertThat(record.summary().steps()).isEqualTo(4);
        assertThat(record.summary().missing()).isNotEmpty();
    }

    /** Else nobody could draw them; which are usual is not for who comes first to say. */
    @Test
    void anEvaluationOfOtherMetricsThanTheJobsShouldBeRefused() throws IOException {
        RunRecord record =
                recorded(
                        watcher -> {
                            watcher.formed(view(1, 0, 3));
                            step(watcher, 1, 1);
                            assertThatThrownBy(() -> note(watcher, 1, "x"))
                                    .isInstanceOf(ProtocolException.class)
                                    .hasMessageContaining("evaluated [x] and not [loss, accuracy]");
                            note(watcher, 1, "loss", "accuracy");
                            assertThatThrownBy(() -> note(watcher, 2, "loss"))
                                    .isInstanceOf(ProtocolException.class)
                                    .hasMessageContaining("evaluated [loss] and not [loss, accur");
                        });
        assertThat(record.evaluations()).hasSize(1);
    }

    /** Whoever reads the record would take the run for over. */
    @Test
    void theEndOfTheRunShouldNotBeAWorkersToTell() throws IOException {
        RunEvent end = RunEvent.of(0, 1, RunEvent.Kind.ENDED, "it is over");
        RunEvent trouble = RunEvent.of(0, 1, RunEvent.Kind.WARNING, "the disk is full");
        RunRecord record =
                recorded(
                        watcher -> {
                            watcher.formed(view(1, 0, 3));
                            WorkerId one = new WorkerId(1);
                            watcher.noted(one, "event", Json.tree(trouble));
                            assertThatThrownBy(() -> watcher.noted(one, "event", Json.tree(end)))
                                    .isInstanceOf(ProtocolException.class)
                                    .hasMessageContaining("tells of ENDED");
                        });
        assertThat(record.events()).extracting(RunEvent::message).contains("the disk is full");
        assertThat(record.events()).extracting(RunEvent::kind).doesNotContain(end.kind());
    }

    private static void note(RecordingWatcher watcher, long step, String... metrics) {
        List<MetricValue> values =
                Stream.of(metrics).map(name -> new MetricValue(name, 1, Better.LOWER)).toList();
        watcher.noted(
                new WorkerId(1),
                "evaluation",
                Json.tree(new EvaluationRecord(step, 0, step, 0, 0, values)));
    }

    private interface Telling {
        void to(RecordingWatcher watcher);
    }

    private RunRecord recorded(Telling telling) throws IOException {
        Clock clock = Clock.system();
        RunFolder run = RunFolder.create(folder, "told", clock);
        RunIdentity identity =
                new RunIdentity("told", clock.wallMillis(), "medley train", "0", RunProcess.self());
        RunObserver observer =
                new RunObserver() {
                    @Override
                    public void step(StepRecord step) {
                        seen.add(step.step());
                    }
                };
        try (RunRecorder recorder =
                RunRecorder.start(run, identity, Map.of(), RecorderOptions.defaults(), clock)) {
            StepSchedule schedule = StepSchedule.of(SmallJob.in(folder, 3, 10).job(), 1000);
            telling.to(
                    new RecordingWatcher(
                            recorder,
                            List.of(observer),
                            schedule,
                            List.of("loss", "accuracy"),
                            3,
                            RunOptions.Offers.AGENTS,
                            clock));
        }
        return RunRecord.read(run);
    }

    private static View view(int epoch, long committed, int workers) {
        List<Member> members =
                IntStream.rangeClosed(1, workers)
                        .mapToObj(id -> new Member(new WorkerId(id), "h" + id, "", "h", 1, ""))
                        .toList();
        List<Integer> shares = members.stream().map(member -> 12 / workers).toList();
        return new View(
                new Group(epoch, members),
                new Plan(epoch, shares, 12 / workers, "equal shares"),
                new Progress(committed, false),
                0,
                List.of(),
                Long.MAX_VALUE);
    }

    private static void step(RecordingWatcher watcher, int epoch, long step) {
        WorkerStep told =
                new WorkerStep(step, epoch, 1, 0.1, 1, 12, 4, step, 9, 5, 3, 1, 0, 1, 0, 0, null);
        watcher.stepped(epoch, Map.of(new WorkerId(1), told));
    }
}
