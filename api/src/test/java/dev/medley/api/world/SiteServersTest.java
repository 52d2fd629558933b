package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread.Join;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines of two sites with servers at each. */
@Tag("real")
@Timeout(240)
class SiteServersTest {
    private static final int STEPS = 120;

    @TempDir Path folder;

    /** Each waits for all in each of eight batches; int8 leaves the site, and nothing else. */
    @Test
    void workersShouldPushToTheServersOfTheirSite() throws Exception {
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 3, begin: all");
        String perSite = "{kind: parameter-server, servers: per-site, sync: bulk, sync_every: 8}";
        try (World world = new World(folder)) {
            RunThread run = world.train("strategy=" + perSite, "strategy.compress=int8");
            world.agent(run, Join.as("one").at("east"));
            world.agent(run, Join.as("two").at("west"));
            world.agent(run, Join.as("three").at("east"));
            RunRecord record = run.completed();
            assertThat(record.plans().get(0).plan().why())
                    .contains("servers per site: ", "2 at east", "1 at west");
            FaultJob.assertNothingLostOrRepeated(record, record.steps().size());
            List<StepRecord> steps = record.steps();
            assertThat(steps.get(steps.size() - 1).loss()).isLessThan(0.5 * steps.get(0).loss());
            LinkTotals between = LinkTotals.between(record.summary().links());
            assertThat(between.sentBytes()).isBetween(1L, between.plainBytes() * 3 / 4);
        }
    }
}
