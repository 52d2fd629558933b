package dev.medley.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.time.Clock;
import dev.medley.cli.terminal.Screen;
import dev.medley.cli.terminal.Terminal;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.MetricValue.Better;
import dev.medley.record.entry.RelayTotals;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerLoss;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class RunEndTest {
    private static final Clock CLOCK = Clock.system();

    @TempDir Path runs;

    @Test
    void shouldSayThatStepsTakenAgainAreCountedAgain() {
        assertThat(said(5, 0)).contains("5 steps, 40 samples in").doesNotContain("again");
        assertThat(said(5, 3))
                .contains("5 steps, 56 samples in")
                .contains("Samples and time count 2 steps again");
    }

    @Test
    void shouldSayFromWhichProbabilityOnTheModelDecides() throws Exception {
        RunFolder folder = RunFolder.create(runs, "again", CLOCK);
        RunIdentity identity = new RunIdentity("again", 1, "medley train", "0", RunProcess.self());
        try (RunRecorder recorder =
                RunRecorder.start(folder, identity, "job", RecorderOptions.defaults(), CLOCK)) {
            record(recorder, 1, 3);
            recorder.finish(RunStatus.DONE, "the budget is used up", null);
            assertThat(printed(folder, recorder)).doesNotContain("The model says");
            ScoreCurves curves =
                    new ScoreCurves(
                            "yes",
                            3,
                            5,
                            1,
                            1,
                            List.of(),
                            new DecisionThreshold(
                                    0.25, ThresholdSpec.of(ThresholdSpec.Maximise.F1), 0.5),
                            List.of(),
                            List.of());
            assertThat(
                            recorder.evaluationReport(
                                    EvaluationReport.of("all", 8, Map.of(), List.of(curves))))
                    .isNull();
            assertThat(printed(folder, recorder))
                    .contains("The model says yes from a probability of at least 0.2500");
        }
    }

    private static String printed(RunFolder folder, RunRecorder recorder) {
        StringWriter out = new StringWriter();
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        new RunEnd(new Terminal(new PrintWriter(out), nowhere, Screen.NONE))
                .print(folder, recorder.summary());
        return out.toString();
    }

    /** What is said of a run of so many steps that went back once, from the last; 0 for never. */
    private String said(long steps, long backTo) {
        RunFolder folder = RunFolder.create(runs, "again", CLOCK);
        RunIdentity identity = new RunIdentity("again", 1, "medley train", "0", RunProcess.self());
        try (RunRecorder recorder =
                RunRecorder.start(folder, identity, "job", RecorderOptions.defaults(), CLOCK)) {
            record(recorder, 1, steps);
            if (backTo > 0) {
                assertThat(recorder.wentBackTo(backTo)).isNull();
                record(recorder, backTo + 1, steps);
            }
            recorder.finish(RunStatus.DONE, "the budget is used up", null);
            return printed(folder, recorder);
        }
    }

    private static void record(RunRecorder recorder, long from, long to) {
        for (long step = from; step <= to; step++) {
            WorkerTimes times = new WorkerTimes(1, 8, 1, 1, 1, 1, 1, 1);
            assertThat(
                            recorder.step(
                                    new StepRecord(
                                            step,
                                            0,
                                            1,
                                            1,
                                            0.5,
                                            1e-3,
                                            1.0,
                                            8,
                                            2,
                                            1000,
                                            List.of(times))))
                    .isNull();
        }
    }

    @Test
    void shouldAlignMetricsAndSayWhereItWasInterrupted() {
        assertThat(linesOf(RunStatus.DONE, "the budget is used up"))
                .contains("Done: the budget is used up")
                .contains("Validation auc       0.9724", "Validation log_loss  0.2346");
        assertThat(linesOf(RunStatus.INTERRUPTED, "interrupted"))
                .contains("Interrupted after step 7");
    }

    @Test
    void shouldSayWhatWasRelayed() {
        assertThat(linesOf(RunStatus.DONE, "done"))
                .contains(
                        "Relayed, each byte over the relay's links in and out: worker-2 to worker-3"
                                + " through worker-1: 100 B");
    }

    @Test
    void shouldSayWhatALostWorkerCost() {
        assertThat(linesOf(RunStatus.DONE, "done"))
                .contains(
                        "worker-2 was lost at step 5: 1.80 s until training went on, 400 ms"
                                + " computed again");
    }

    @Test
    void shouldShowNoControlCharactersOfAModelsText() {
        assertThat(Samples.visible("a\u001b[2J\u0007b\tc\nd\u009bm"))
                .isEqualTo("a\uFFFD[2J\uFFFDb\tc\nd\uFFFDm");
    }

    @Test
    void shouldSayWhyAFigureIsNone() {
        double none = Double.NaN;
        assertThat(linesOf(RunStatus.DONE, "done", none, 0.2))
                .contains(
                        "Validation auc       not a number (all samples are of one class, and it"
                                + " compares two)",
                        "Validation log_loss  0.2000");
        assertThat(linesOf(RunStatus.DONE, "done", none, none))
                .contains(
                        "Validation auc       not a number (some outputs of the model are not"
                                + " numbers)");
        assertThat(Figures.why("auc", Map.of("auc", none, "accuracy", 1.0)).orElseThrow())
                .contains("one class")
                .doesNotContain("outputs");
        assertThat(Figures.why("auc", Map.of("auc", none)).orElseThrow())
                .contains("one class", ", or some outputs");
        assertThat(Figures.why("accuracy", Map.of("auc", none, "accuracy", none)).orElseThrow())
                .contains("some outputs");
        assertThat(Figures.text("mine", Map.of("mine", none))).isEqualTo("not a number");
    }

    private List<String> linesOf(RunStatus state, String message) {
        return linesOf(state, message, 0.9724, 0.2346);
    }

    private List<String> linesOf(RunStatus state, String message, double auc, double logLoss) {
        StringWriter out = new StringWriter();
        Terminal terminal =
                new Terminal(
                        new PrintWriter(out), new PrintWriter(new StringWriter()), Screen.NONE);
        List<MetricValue> metrics =
                List.of(
                        new MetricValue("auc", auc, Better.HIGHER),
                        new MetricValue("log_loss", logLoss, Better.LOWER));
        new RunEnd(terminal)
                .print(
                        new RunFolder(runs),
                        new RunSummary(
                                state,
                                message,
                                null,
                                0,
                                1,
                                7,
                                0,
                                70,
                                1,
                                1,
                                0.5,
                                metrics,
                                null,
                                List.of(),
                                List.of(),
                                List.of(new RelayTotals(1, 2, 3, 100)),
                                1,
                                List.of(
                                        new WorkerLoss(
                                                List.of(2), 5, 0, 1_800_000_000L, 400_000_000L, 0)),
                                0,
                                List.of(),
                                0));
        return out.toString().lines().toList();
    }
}
