package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A container is resized while its worker trains, as Kubernetes resizes pods in place. */
@Tag("real")
@Timeout(300)
class ResizedAgentsTest {
    private static final int PERIOD_US = 100_000;

    @TempDir Path folder;

    @Test
    void threadsAndSharesShouldFollowTheQuota() throws Exception {
        assumeTrue(
                Runtime.getRuntime().availableProcessors() >= 2,
                "skipped: two cores are needed to be given a second one");
        FaultJob.writeEndless(folder, "listen: '127.0.0.1:0', expect: 2, begin: all");
        try (ControlGroup group = ControlGroup.ofCpu(PERIOD_US, PERIOD_US);
                MedleyProcess medley =
                        MedleyProcess.start(
                                folder,
                                "train",
                                "job.yaml",
                                "-s",
                                "model.hidden=[1024, 1024]",
                                "-s",
                                "cluster.threads=0");
                MedleyProcess one =
                        medley.agentIn(group, folder, "one", "--once", "--site", "here");
                MedleyProcess two = medley.agent(folder, "two", "--once", "--site", "there")) {
            medley.awaitStep(30);
            assertThat(logs("one")).contains("threads=1").doesNotContain("threads=2");

            group.grant(2 * PERIOD_US);
            medley.awaitEvents(
                    "on one may use 2 cores in place of 1: 2 threads in place of 1 from the next"
                            + " group on; shares follow",
                    1);
            medley.await("with two threads", () -> logs("one").contains("threads=2"));
            medley.awaitStep(medley.lastStep() + 20);

            long before = medley.lastStep();
            group.grant(PERIOD_US / 4);
            medley.awaitEvents(
                    "on one may use 0.25 cores in place of 2: 1 thread in place of 2 from the next"
                            + " group on; shares follow",
                    1);
            medley.awaitEvents("is taken for 0.13 times as fast as it was", 1);
            medley.awaitStep(medley.lastStep() + 5);
            medley.interrupt();

            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.events())
                    .extracting(RunEvent::kind)
                    .doesNotContain(RunEvent.Kind.LOST);
            int worker = resized(record);
            PlanRecord last = planAfter(record, "is taken for 0.13 times");
            assertThat(last.fromStep()).isGreaterThan(before);
            PlanRecord former = record.plans().get(record.plans().indexOf(last) - 1);
            assertThat(share(last, worker))
                    .as("%s", record.plans())
                    .isLessThan(Math.max(2, share(former, worker))); // One sample is the least.
            FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
        }
    }

    /** What the job says holds, whatever the container may use. */
    @Test
    void threadsThatTheJobSaysShouldStay() throws Exception {
        FaultJob.writeEndless(folder, "listen: '127.0.0.1:0', expect: 1");
        try (ControlGroup group = ControlGroup.ofCpu(PERIOD_US, PERIOD_US);
                MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml");
                MedleyProcess one = medley.agentIn(group, folder, "one", "--once")) {
            medley.awaitStep(10);
            group.grant(2 * PERIOD_US);
            RunRecord.read(medley.run());
            medley.awaitStep(medley.lastStep() + 500);
            medley.interrupt();
            assertThat(RunRecord.read(medley.run()).events())
                    .extracting(RunEvent::message)
                    .noneMatch(message -> message.contains(" may use "));
        }
    }

    private static int share(PlanRecord of, int worker) {
        return of.plan().shares().get(of.workers().indexOf(worker));
    }

    private static int resized(RunRecord record) {
        return record.events().stream()
                .filter(event -> event.message().contains(" on one may use "))
                .map(event -> event.worker() == null ? 0 : event.worker())
                .findFirst()
                .orElseThrow();
    }

    private static PlanRecord planAfter(RunRecord record, String words) {
        List<PlanRecord> all =
                record.plans().stream().filter(of -> of.plan().why().contains(words)).toList();
        assertThat(all).as("%s", record.plans()).isNotEmpty();
        return all.get(0);
    }

    /** All that the workers of an agent have logged. */
    private String logs(String agent) {
        try (Stream<Path> files = Files.walk(folder.resolve(agent))) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
                all.append(Files.readString(file));
            }
            return all.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
