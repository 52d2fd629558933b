package dev.medley.record.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.record.ManualClock;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.LinkTotals.Reach;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.Runs;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.RunRecorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class LinksSectionTest {
    private static final LinkPath THERE = new LinkPath(20_100_000, 11.75e6, Origin.MEASURED);
    private static final LinkPath BACK = new LinkPath(20_100_000, 1.25e6, Origin.MEASURED);
    private static final ClusterProfile CLUSTER =
            new ClusterProfile(
                    List.of(machine("a<1>", "aws"), machine("g1", "gcp")),
                    List.of(List.of(THERE, THERE), List.of(BACK, BACK)));

    @TempDir Path runs;

    private final ManualClock clock = new ManualClock();

    @Test
    void shouldShowWaysAndWhatWentOverThem() {
        String html =
                LinksSection.html(
                        run(
                                CLUSTER,
                                List.of(
                                        new LinkTotals(1, 2, Reach.BETWEEN_SITES, 1 << 20, 4 << 20),
                                        new LinkTotals(2, 1, Reach.BETWEEN_SITES, 512, 512))));
        assertThat(html)
                .contains("<th>a&lt;1&gt;</th><td></td><td>20.1 ms 94 Mbit/s</td><td>aws</td>")
                .contains("g1 to a&lt;1&gt; carries 10 Mbit/s, the way back 94 Mbit/s")
                .contains("<th>worker-1</th><td></td><td>1.00 MiB of 4.00 MiB</td>")
                .contains("<th>worker-2</th><td>512 B</td><td></td>");
    }

    @Test
    void shouldSayWhyThereIsNothingToSee() throws Exception {
        assertThat(LinksSection.html(run(null, List.of()))).isEmpty();
        assertThat(LinksSection.html(run(CLUSTER, List.of())))
                .contains("Nothing went over TCP: the workers share memory.");
        LinkTotals none = new LinkTotals(1, 2, Reach.INSIDE_SITE, 0, 0);
        assertThat(LinksSection.html(run(CLUSTER, List.of(none))))
                .as("links that stood for nothing")
                .contains("Nothing went over TCP: the workers share memory.");
        LinkTotals some = new LinkTotals(1, 2, Reach.INSIDE_SITE, 7, 7);
        assertThat(LinksSection.html(run(null, List.of(some))))
                .contains("The ways between machines were not measured.");
        RunRecord other = run(CLUSTER, List.of(some));
        Files.writeString(other.folder().cluster(), "{\"machines\": []}");
        assertThat(LinksSection.html(RunRecord.read(other.folder())))
                .contains("cluster.json is not of this version of Medley.");
    }

    private RunRecord run(@Nullable ClusterProfile cluster, List<LinkTotals> links) {
        RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock);
        if (cluster != null) {
            recorder.cluster(cluster);
        }
        recorder.links(links);
        recorder.step(Runs.step(1, clock));
        recorder.finish(RunStatus.DONE, "All is done.", null);
        recorder.close();
        return RunRecord.read(recorder.folder());
    }

    private static Machine machine(String name, String site) {
        return new Machine(name, site, "test", 1 << 30, null);
    }
}
