package dev.medley.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Version;
import dev.medley.base.time.Clock;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.hub.HubRules;
import dev.medley.fleet.state.FleetEntry.OfJob;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.JobRequest;
import dev.medley.hub.journal.FileJournal;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.OfferedMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the folder of one job holds stops no other job. */
@Tag("real")
class JobGuardTest {
    /** No process has this number. */
    private static final long NOBODY = 4_999_999;

    @ParameterizedTest
    @ValueSource(strings = {"{\"attempt\": 1, \"done\"", "[]", "", "null"})
    @Timeout(60)
    void shouldGoOnWithOtherJobsWhateverTheFilesOfOneHold(String damaged, @TempDir Path folder)
            throws IOException {
        try (FileJournal journal = FileJournal.open(folder)) {
            for (long id = 1; id <= 3; id++) {
                journal.append(new OfJob(starting(id)));
            }
        }
        Path jobs = Files.createDirectories(folder.resolve("jobs"));
        Files.writeString(jobs.resolve("1"), "a file where its folder should be");
        Path second = Files.createDirectories(jobs.resolve("2"));
        for (String name : List.of("figures.json", "process.json", "end.json")) {
            Files.writeString(second.resolve(name), damaged);
        }
        try (Hub hub = Hub.open(options(folder), Clock.system())) {
            // Its process is gone, which is found out though the job before cannot be looked at.
            for (long id = 2; id <= 3; id++) {
                while (hub.job(id).phase() != JobPhase.QUEUED) {
                    LockSupport.parkNanos(10_000_000);
                }
                assertThat(hub.why(id).toString()).contains("its process was killed");
            }
            assertThat(hub.job(1).phase()).isEqualTo(JobPhase.STARTING);
        }
    }

    @Test
    @Timeout(60)
    void shouldStartOtherJobsWhereTheProcessOfOneCannotBe(@TempDir Path folder) throws IOException {
        try (FileJournal journal = FileJournal.open(folder)) {
            for (long id = 1; id <= 2; id++) {
                journal.append(new OfJob(FleetJob.submitted(id, request(), 0)));
            }
        }
        Path jobs = Files.createDirectories(folder.resolve("jobs"));
        Files.writeString(jobs.resolve("1"), "a file where its folder should be");
        try (Hub hub = Hub.open(options(folder), Clock.system())) {
            for (String name : List.of("a", "b")) {
                var machine = new OfferedMachine("t", 1, 1, 1L << 30, "", false, -1);
                hub.report(new AgentReport(name, "", Version.build(), machine, List.of(), -1));
            }
            while (!hub.why(2).toString().contains("its process was killed")) {
                LockSupport.parkNanos(10_000_000);
            }
            assertThat(hub.why(1).toString()).contains("its process cannot be started");
            assertThat(hub.why(1).decisions())
                    .filteredOn(said -> said.sentence().contains("cannot be started"))
                    .hasSize(1);
            assertThat(hub.job(1).phase()).isEqualTo(JobPhase.STARTING);
        }
    }

    private static JobRequest request() {
        return new JobRequest("j", "mlp/1.0/j", "", "/", JobOwner.of("ann"), 1, 1);
    }

    private static FleetJob starting(long id) {
        FleetJob job = FleetJob.submitted(id, request(), 0);
        return job.with(job.run().next("127.0.0.1:1").withProcess(NOBODY, 1))
                .in(JobPhase.STARTING, "");
    }

    private static HubOptions options(Path folder) {
        return new HubOptions(
                folder,
                "127.0.0.1",
                null,
                Policies.named("index"),
                HubRules.DEFAULTS,
                List.of("/bin/false"));
    }
}
