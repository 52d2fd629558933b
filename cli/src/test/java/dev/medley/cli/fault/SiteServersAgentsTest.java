package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.FaultJob;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines of two sites with servers at each. */
@Tag("real")
@Timeout(240)
class SiteServersAgentsTest {
    private static final int STEPS = 120;

    private static final Pattern SHARED =
            Pattern.compile("\\d+ agents on this machine: (\\d+) thread");

    @TempDir Path folder;

    /** Each waits for all in each of eight batches; int8 leaves the site, and nothing else. */
    @Test
    void workersShouldPushToTheServersOfTheirSite() throws Exception {
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 3, begin: all");
        String perSite = "{kind: parameter-server, servers: per-site, sync: bulk, sync_every: 8}";
        try (MedleyProcess medley =
                        MedleyProcess.start(
                                folder,
                                "train",
                                "job.yaml",
                                "-s",
                                "strategy=" + perSite,
                                "-s",
                                "strategy.compress=int8",
                                "-s",
                                "cluster.threads=0");
                MedleyProcess one = medley.agent(folder, "one", "--site", "east", "--once");
                MedleyProcess two = medley.agent(folder, "two", "--site", "west", "--once");
                MedleyProcess three = medley.agent(folder, "three", "--site", "east", "--once")) {
            String all = one.said() + two.said() + three.said();
            assertThat(medley.exitCode()).as(medley.said() + all).isZero();
            assertShared(Map.of("one", one.said(), "two", two.said(), "three", three.said()));
            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.plans().get(0).plan().why())
                    .contains("servers per site: ", "2 at east", "1 at west");
            FaultJob.assertNothingLostOrRepeated(record, record.steps().size());
            List<StepRecord> steps = record.steps();
            assertThat(steps.get(steps.size() - 1).loss()).isLessThan(0.5 * steps.get(0).loss());
            LinkTotals between = LinkTotals.between(record.summary().links());
            assertThat(between.sentBytes()).isBetween(1L, between.plainBytes() * 3 / 4);
        }
    }

    /** Who came after another said how many threads are left to it, and its worker has as many. */
    private void assertShared(Map<String, String> saidByAgents) throws IOException {
        int shared = 0;
        for (Map.Entry<String, String> said : saidByAgents.entrySet()) {
            Matcher told = SHARED.matcher(said.getValue());
            if (told.find()) {
                shared++;
                assertThat(log(folder.resolve(said.getKey()))).contains("threads=" + told.group(1));
            }
        }
        assertThat(shared).isPositive();
    }

    private static String log(Path ofAgent) throws IOException {
        try (Stream<Path> files = Files.walk(ofAgent)) {
            Path log =
                    files.filter(file -> file.toString().endsWith(".log"))
                            .findFirst()
                            .orElseThrow();
            return Files.readString(log);
        }
    }
}
