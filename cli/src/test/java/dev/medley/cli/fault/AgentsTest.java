package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Machines that join a run: agents are processes with folders of their own, and fetch all files as
 * if they saw none of the coordinator's.
 */
@Tag("real")
@Timeout(480)
class AgentsTest {
    private static final Pattern SHARED =
            Pattern.compile("\\d+ agents on this machine: (\\d+) thread");

    @TempDir Path folder;

    @BeforeEach
    void onlyWhereSignalsAre() {
        assumeTrue(
                !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows"),
                "skipped: Windows has no signals");
    }

    @Test
    void aRunShouldKeepStrangersOutAndGoOnWithoutAnAgentThatIsKilled() throws Exception {
        FaultJob.writeEndless(
                folder, "listen: '127.0.0.1:0', expect: 2, begin: all, heartbeat: 200ms");
        Path file = folder.resolve("job.yaml");
        Files.writeString(file, Files.readString(file).replace("threads: 1,", "threads: 0,"));
        RunFolder run;
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml")) {
            keepOutWhoDoesNotKnowTheToken(medley);
            keepOutWhoHasAnotherJob(medley);
            try (MedleyProcess one = agent(medley, "one");
                    MedleyProcess two = agent(medley, "two")) {
                medley.awaitStep(20);
                assertShared(one, two);
                List<ProcessHandle> orphans = two.workers();
                two.killCoordinator();
                two.awaitGone(orphans);
                medley.awaitEvents("two is gone", 1);
                medley.awaitStep(medley.lastStep() + 10);
                one.killAll();
                medley.interrupt();
            }
            run = medley.run();
        }
        assertThat(RunRecord.summary(run).state()).isEqualTo(RunStatus.INTERRUPTED);
        goOnWithOneThatServesThisJob(run);
        RunRecord record = RunRecord.read(run);
        FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
    }

    /** It waits for whoever knows its token: who listens there now may be anybody. */
    private void keepOutWhoDoesNotKnowTheToken(MedleyProcess medley) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "ab".repeat(32));
        try (MedleyProcess stranger = agent(medley, "stranger", "--token-file", token.toString())) {
            stranger.await(
                    "a word about the token",
                    () -> stranger.said().contains("is not known to whoever listens at 127.0.0.1"));
            assertThat(stranger.said()).contains("give both the same --token-file");
            medley.await(
                    "a word about the stranger",
                    () -> medley.said().contains("turned away: it does not know the join token"));
        }
    }

    private void keepOutWhoHasAnotherJob(MedleyProcess medley) throws Exception {
        Path other = copy("other.yaml", "batch: 48");
        try (MedleyProcess stranger = agent(medley, "other", "--job", other.toString())) {
            assertThat(stranger.exitCode()).as(stranger.said()).isEqualTo(ExitCode.INPUT);
            String why =
                    "other serves %s (job faults) alone, and this is a run of faults:"
                                    .formatted(other)
                            + " train.batch is 24 in the run and 48 in other.yaml";
            assertThat(stranger.said()).contains("refuses this machine: " + why);
            medley.awaitEvents("A machine was refused: other serves", 1);
            assertThat(medley.said()).contains("A machine was refused: " + why);
        }
    }

    /**
     * A copy of the job file, in another folder than the run's; with another batch, if one is
     * given.
     */
    private Path copy(String name, String batch) throws IOException {
        String job = Files.readString(folder.resolve("job.yaml"));
        Path there = Files.createDirectories(folder.resolve("there"));
        String copy = batch.isEmpty() ? job : job.replace("batch: 24", batch);
        return Files.writeString(there.resolve(name), copy);
    }

    /**
     * Who came after the other said how many threads are left to it, and its worker has as many.
     */
    private void assertShared(MedleyProcess one, MedleyProcess two) throws IOException {
        int shared = 0;
        for (String name : List.of("one", "two")) {
            Matcher told = SHARED.matcher(name.equals("one") ? one.said() : two.said());
            if (told.find()) {
                shared++;
                assertThat(log(folder.resolve(name))).contains("threads=" + told.group(1));
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

    private void goOnWithOneThatServesThisJob(RunFolder run) throws Exception {
        String path = run.path().toString();
        String[] resume = {"train", "--resume", path, "--listen", "127.0.0.1:0", "--expect", "1"};
        Path same = copy("same.yaml", "");
        try (MedleyProcess medley = MedleyProcess.start(folder, resume);
                MedleyProcess three = agent(medley, "three", "--once", "--job", same.toString())) {
            medley.awaitStep(RunRecord.read(run).summary().steps() + 100);
            medley.interrupt();
            assertThat(medley.said()).contains("waiting for 1 machine;");
            assertThat(three.exitCode()).as(three.said()).isZero();
            assertThat(three.said())
                    .contains("serves %s (job faults) alone".formatted(same))
                    .contains("fetching ", "the run is over");
        }
    }

    private MedleyProcess agent(MedleyProcess medley, String name, String... more)
            throws Exception {
        Stream<String> arguments = Stream.concat(Stream.of("--copy-files"), Stream.of(more));
        return medley.agent(folder, name, arguments.toArray(String[]::new));
    }
}
