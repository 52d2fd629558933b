package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.profile.cluster.RouteReport;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.RunRecorder;
import dev.medley.record.report.Report;
import dev.medley.training.loop.StepSchedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a group measured stands in the recorded plan under which its steps are taken. */
@Tag("unit")
class RouteRecordTest {
    private static final MeasuredRoute ROUTE =
            new MeasuredRoute(List.of(0, 2, 1), 0, 0, "rings go through ranks [0, 2, 1]");

    @TempDir Path folder;

    private static View view(int epoch, long committed) {
        List<Member> members =
                List.of(1, 2, 3).stream()
                        .map(id -> new Member(new WorkerId(id), "h" + id, "", "h", 1, ""))
                        .toList();
        return new View(
                new Group(epoch, members),
                new Plan(epoch, List.of(4, 4, 4), 4, "equal shares"),
                new Progress(committed, false),
                0,
                List.of(),
                Long.MAX_VALUE);
    }

    @Test
    void thePlanThatHoldsShouldBeTheOneWithWhatItsGroupMeasured() throws IOException {
        Clock clock = Clock.system();
        RunFolder run = RunFolder.create(folder, "routed", clock);
        RunIdentity identity =
                new RunIdentity(
                        "routed", clock.wallMillis(), "medley train", "0", RunProcess.self());
        try (RunRecorder recorder =
                RunRecorder.start(run, identity, Map.of(), RecorderOptions.defaults(), clock)) {
            StepSchedule schedule = StepSchedule.of(SmallJob.in(folder, 3, 10).job(), 1000);
            RecordingWatcher watcher =
                    new RecordingWatcher(
                            recorder,
                            List.of(),
                            schedule,
                            List.of("loss"),
                            3,
                            RunOptions.Offers.AGENTS,
                            clock);
            watcher.formed(view(1, 0));
            say(watcher, 1, 1);
            say(watcher, 2, 1);
            watcher.formed(view(2, 5));
            say(watcher, 3, 1);
        }
        RunRecord record = RunRecord.read(run);
        assertThat(record.plans())
                .as("only of the present group")
                .extracting(line -> line.plan().route())
                .containsExactly(ROUTE, null);
        assertThat(record.events())
                .filteredOn(event -> event.message().contains(ROUTE.why()))
                .extracting(RunEvent::kind)
                .containsExactly(RunEvent.Kind.PLAN);
        String page = Files.readString(Report.write(run.path()));
        assertThat(page).contains("<td>equal shares; " + ROUTE.why());
        assertThat(page.split("<td>equal shares", -1)).as("a row for each group").hasSize(3);
    }

    private static void say(RecordingWatcher watcher, int worker, int epoch) {
        watcher.noted(
                new WorkerId(worker), RouteReport.KIND, Json.tree(new RouteReport(epoch, ROUTE)));
    }
}
