package dev.medley.record.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.evaluation.ConfusionMatrix;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.MetricValue.Better;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.RunRecorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class EvaluationHtmlTest {
    private static final Clock CLOCK = Clock.system();

    @TempDir Path runs;

    @Test
    void shouldShowTheMatrixOfAnOlderRunAtItsBestStep() {
        RunFolder folder = run(0.8, 0.9, 0.7);
        assertThat(EvaluationHtml.html(RunRecord.read(folder)))
                .contains("Validation samples after step 2: 20 samples", "<th>true, taken for</th>")
                .contains("<th>a&lt;b</th><td style=\"--part:90%\">9</td>");
    }

    @Test
    void shouldShowTheReportWhereThereIsOne() throws Exception {
        RunFolder folder = run(0.8);
        Files.write(folder.evaluationReport(), Json.bytes(SampleEvaluation.report()));
        assertThat(EvaluationHtml.html(RunRecord.read(folder)))
                .contains("Validation samples after step 40: 1,000 samples")
                .contains("data-figure=\"roc\"", "&lt;yes&gt;")
                .doesNotContain("<yes>", "a&lt;b</th><td style=\"--part:80%");
        Files.writeString(folder.evaluationReport(), "{damaged");
        assertThat(EvaluationHtml.html(RunRecord.read(folder))).contains("after step 1");
    }

    @Test
    void shouldSayWhereThereIsNothing() {
        assertThat(EvaluationHtml.html(RunRecord.read(run())))
                .contains("There is nothing to show besides the metrics");
    }

    /** A run with an evaluation after each step, of such accuracies. */
    private RunFolder run(double... accuracies) {
        RunFolder folder = RunFolder.create(runs, "older", CLOCK);
        RunIdentity identity = new RunIdentity("older", 1, "medley train", "0", RunProcess.self());
        try (RunRecorder recorder =
                RunRecorder.start(folder, identity, "job", RecorderOptions.defaults(), CLOCK)) {
            for (int step = 1; step <= accuracies.length; step++) {
                double right = 10 * accuracies[step - 1];
                List<List<Double>> rows =
                        List.of(List.of(right, 10 - right), List.of(10 - right, right));
                assertThat(
                                recorder.evaluation(
                                        new EvaluationRecord(
                                                step,
                                                0,
                                                step,
                                                1,
                                                1,
                                                0.5,
                                                ConfusionMatrix.of(List.of("a<b", "c"), rows),
                                                List.of(
                                                        new MetricValue(
                                                                "accuracy",
                                                                accuracies[step - 1],
                                                                Better.HIGHER)))))
                        .isNull();
            }
            recorder.finish(RunStatus.DONE, "the budget is used up", null);
        }
        return folder;
    }
}
