package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.StrategySpec;
import dev.medley.profile.record.LinkTotals;
import dev.medley.profile.record.PlanRecord;
import dev.medley.profile.record.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines of two sites: what is chosen when they have joined, and servers at each. */
@Tag("real")
@Timeout(240)
class AutoAgentsTest {
    private static final int STEPS = 480;
    private static final Pattern JOIN = Pattern.compile("--join (127\\.0\\.0\\.1:\\d+)");

    @TempDir Path folder;

    /** Ways between sites are assumed to be thin; the model is small, so rounds win by far. */
    @Test
    void machinesOfTwoSitesShouldTrainInTheRoundsThatWereChosen() throws Exception {
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 2");
        try (MedleyProcess medley =
                        MedleyProcess.start(folder, "train", "job.yaml", "-s", "strategy=auto");
                MedleyProcess one = agent(medley, "one", "east");
                MedleyProcess two = agent(medley, "two", "west")) {
            assertThat(medley.exitCode()).as(medley.said() + one.said() + two.said()).isZero();
            assertThat(medley.said()).contains("auto: ", "against data-parallel with");
            RunRecord record = RunRecord.read(medley.run());
            StrategySpec chosen = PlanRecord.chosen(record.plans());
            assertThat(chosen).isNotNull();
            int every = chosen.round().syncEvery();
            assertThat(every).as(chosen.toString()).isGreaterThan(1);
            assertThat(record.steps()).hasSizeBetween(STEPS / every, STEPS / 8);
            assertThat(record.steps().get(0).samples()).isEqualTo(24L * every);
        }
    }

    /** Each waits for all in each of eight batches; int8 leaves the site, and nothing else. */
    @Test
    void workersShouldPushToTheServersOfTheirSite() throws Exception {
        FaultJob.write(folder, STEPS / 4, "listen: '127.0.0.1:0', expect: 3");
        String perSite = "{kind: parameter-server, servers: per-site, sync: bulk, sync_every: 8}";
        try (MedleyProcess medley =
                        MedleyProcess.start(
                                folder,
                                "train",
                                "job.yaml",
                                "-s",
                                "strategy=" + perSite,
                                "-s",
                                "strategy.compress=int8");
                MedleyProcess one = agent(medley, "one", "east");
                MedleyProcess two = agent(medley, "two", "west");
                MedleyProcess three = agent(medley, "three", "east")) {
            String all = one.said() + two.said() + three.said();
            assertThat(medley.exitCode()).as(medley.said() + all).isZero();
            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.plans().get(0).plan().why())
                    .contains("servers per site: ", "2 at east", "1 at west");
            assertThat(record.steps()).hasSize(STEPS / 4 / 8);
            double first = record.steps().get(0).loss();
            assertThat(record.steps().get(STEPS / 4 / 8 - 1).loss()).isLessThan(first);
            LinkTotals between = LinkTotals.between(record.summary().links());
            assertThat(between.sentBytes()).isBetween(1L, between.plainBytes() * 3 / 4);
        }
    }

    private MedleyProcess agent(MedleyProcess medley, String name, String site) throws Exception {
        medley.await("listening", () -> JOIN.matcher(medley.said()).find());
        Matcher join = JOIN.matcher(medley.said());
        assertThat(join.find()).isTrue();
        Path own = Files.createDirectories(folder.resolve(name));
        return MedleyProcess.start(
                own,
                "agent",
                "--join",
                join.group(1),
                "--name",
                name,
                "--site",
                site,
                "--folder",
                own.toString(),
                "--once");
    }
}
