package dev.medley.record.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class ReportTest {
    @TempDir Path runs;

    @Test
    void shouldSayWhatTheRunWasAndHowItEnded() throws IOException {
        String page = page(new SampleRuns(runs).eventful(400));
        assertThat(page)
                .contains("All 4 epochs are done")
                .contains("medley train made-up.yaml")
                .contains("Worker 3 is lost: its process ended with status 137")
                .contains("stalled training 1.40 ms, took 96.0 ms, 11.8 MiB")
                .contains("shares follow speed.")
                .contains("<td>the run&#39;s own</td>", "64 samples in 20.0 ms, 3,200 samples/s")
                .contains(
                        "<td>&lt;gpu-2&gt;: Xeon, 4 cores (1.50 granted), avx2, 16 GiB;"
                                + " measured in another run</td>")
                .contains("<pre class=\"job\">data: {train: &lt;a &amp; b&gt;.csv}\ntrain: {stop:")
                .contains("<a href=\"job.yaml\">");
    }

    @Test
    void shouldNeedNothingFromOutside() throws IOException {
        String page = page(new SampleRuns(runs).eventful(40));
        assertThat(page)
                .contains("default-src 'none'")
                .doesNotContainPattern("(src|href)=\"(https?:)?//")
                .doesNotContain("@import")
                .doesNotContain("url(");
    }

    @Test
    void shouldSayWhyThereIsNothingToSee() throws IOException {
        String page = page(new SampleRuns(runs).failedAtOnce());
        assertThat(page)
                .contains("no LibTorch for &lt;this&gt; platform &amp; libc")
                .contains("No step was applied, so there is no loss.")
                .contains("The run ended before the first evaluation.")
                .contains("The run ended before a plan was made.")
                .doesNotContain("data-chart=\"");
    }

    @Test
    void shouldNotLetTextBreakOutOfThePage() throws IOException {
        String page = page(new SampleRuns(runs).saying("</script><script>alert(1)</script>"));
        assertThat(page).doesNotContain("<script>alert").contains("\\u003c/script>");
    }

    @Test
    void shouldStaySmallForALongRun() throws IOException {
        Path run = new SampleRuns(runs).eventful(30_000);
        String page = page(run);
        assertThat(page.length()).isLessThan(600_000);
        JsonNode data = data(page);
        assertThat(data.get("step")).hasSize(Curve.MOST_POINTS);
        assertThat(data.get("step").get(Curve.MOST_POINTS - 1).asLong()).isEqualTo(30_000);
    }

    @Test
    void shouldMarkTheBestEvaluationAndTheTarget() throws IOException {
        JsonNode evaluations = data(page(new SampleRuns(runs).eventful(240))).get("evaluations");
        JsonNode accuracy = evaluations.get("metrics").get(0);
        double best = accuracy.get("values").get(accuracy.get("best").asInt()).asDouble();
        for (JsonNode value : accuracy.get("values")) {
            assertThat(value.asDouble()).isLessThanOrEqualTo(best);
        }
        JsonNode loss = evaluations.get("metrics").get(1);
        assertThat(loss.get("best").asInt()).isEqualTo(loss.get("values").size() - 1);
        assertThat(evaluations.get("target").asDouble()).isEqualTo(0.9);
    }

    @Test
    void shouldLeaveAGapWhereALossIsNoNumber() throws IOException {
        JsonNode loss = data(page(new SampleRuns(runs).diverged())).get("loss").get("mean");
        assertThat(loss).hasSize(300);
        assertThat(loss.get(299).isNull()).isTrue();
        assertThat(loss.get(294).isNumber()).isTrue();
    }

    @Test
    void shouldSaySettingsInUnitsThatPeopleRead() {
        assertThat(SettingsSection.spoken("cluster.heartbeatNs", "500000000")).isEqualTo("500 ms");
        assertThat(SettingsSection.spoken("strategy.bucketBytes", "4194304")).isEqualTo("4.00 MiB");
        assertThat(SettingsSection.spoken("train.batch", "4194304")).isEqualTo("4194304");
        assertThat(SettingsSection.spoken("x", "y".repeat(500))).hasSize(401);
    }

    @Test
    void shouldReplaceAnEarlierReport() {
        Path run = new SampleRuns(runs).ofOneStep();
        Path first = Report.write(run);
        assertThat(Report.write(run)).isEqualTo(first).isRegularFile();
        assertThat(run).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void shouldRefuseAFolderThatIsNoRun() {
        assertThatThrownBy(() -> Report.write(runs))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not the folder of a run");
    }

    private static String page(Path run) throws IOException {
        assertThat(RunFolder.at(run).report()).doesNotExist();
        return Files.readString(Report.write(run));
    }

    static JsonNode data(String page) {
        String open = "<script id=\"chart-data\" type=\"application/json\">";
        int start = page.indexOf(open) + open.length();
        return Json.parse(page.substring(start, page.indexOf("</script>", start)), JsonNode.class);
    }
}
