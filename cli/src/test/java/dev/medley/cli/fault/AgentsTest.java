package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.RelayTotals;
import dev.medley.record.entry.RunState;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
@Timeout(240)
class AgentsTest {
    private static final int STEPS = 120;

    @TempDir Path folder;

    @BeforeEach
    void onlyWhereSignalsAre() {
        assumeTrue(
                !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows"),
                "skipped: Windows has no signals");
    }

    /** Two of the three are behind NAT, and reach each other through the first. */
    @Test
    void machinesThatJoinShouldTrainAsProcessesOfOneMachineDo() throws Exception {
        String[] train = {"train", "job.yaml", "-s", "strategy.shares=[2, 1, 1]"};
        FaultJob.write(folder, STEPS, "workers: 3");
        Map<Long, String> hashes;
        try (MedleyProcess medley = MedleyProcess.start(folder, train)) {
            assertThat(medley.exitCode()).as(medley.said()).isZero();
            hashes = FaultJob.hashes(RunRecord.read(medley.run()));
        }
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 3, begin: all");
        RunFolder run;
        try (MedleyProcess medley = MedleyProcess.start(folder, train);
                MedleyProcess one = agent(medley, "one", "--once");
                MedleyProcess two = agent(medley, "two", "--once", "--behind-nat");
                MedleyProcess three = agent(medley, "three", "--once", "--behind-nat")) {
            assertThat(medley.exitCode())
                    .as(medley.said() + one.said() + two.said() + three.said())
                    .isZero();
            assertThat(medley.said()).contains("Relayed, each byte over the relay's links");
            run = medley.run();
            for (MedleyProcess agent : List.of(one, two, three)) {
                assertThat(agent.exitCode()).as(agent.said()).isZero();
                assertThat(agent.said()).contains("fetching ", "the run is over");
            }
        }
        RunRecord record = RunRecord.read(run);
        FaultJob.assertNothingLostOrRepeated(record, STEPS);
        assertThat(FaultJob.hashes(record)).isEqualTo(hashes);
        assertThat(record.workers())
                .as("what machines said of themselves")
                .allMatch(worker -> worker.machine().path("processor").has("model"))
                .extracting(WorkerRecord::name)
                .containsExactlyInAnyOrder("one", "two", "three");
        assertRelayed(record.summary());
        assertThat(run.model().resolve("weights.safetensors")).isNotEmptyFile();
        assertThat(files(run.checkpoints())).as("checkpoints came, two are kept").hasSize(2);
    }

    /** It waits for whoever knows its token: who listens there now may be anybody. */
    @Test
    void anAgentWithAnotherTokenShouldNotComeInAndSayWhy() throws Exception {
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 1, join_timeout: 20s");
        Path token = Files.writeString(folder.resolve("token"), "ab".repeat(32));
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml");
                MedleyProcess stranger =
                        agent(medley, "stranger", "--token-file", token.toString())) {
            stranger.await(
                    "a word about the token",
                    () -> stranger.said().contains("is not known to whoever listens at 127.0.0.1"));
            assertThat(stranger.said()).contains("give both the same --token-file");
            medley.await(
                    "a word about the stranger",
                    () -> medley.said().contains("turned away: it does not know the join token"));
            medley.killAll();
        }
    }

    /** Each has a copy of the job file, in another folder than the run's. */
    @Test
    void anAgentWithAnotherJobShouldBeRefusedAndOneWithThisJobTrain() throws Exception {
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 1");
        String job = Files.readString(folder.resolve("job.yaml"));
        Path there = Files.createDirectories(folder.resolve("there"));
        Path same = Files.writeString(there.resolve("same.yaml"), job);
        Path other =
                Files.writeString(
                        there.resolve("other.yaml"), job.replace("batch: 24", "batch: 48"));
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml");
                MedleyProcess stranger = agent(medley, "stranger", "--job", other.toString())) {
            assertThat(stranger.exitCode()).as(stranger.said()).isEqualTo(ExitCode.INPUT);
            String why =
                    "stranger serves %s (job faults) alone, and this is a run of faults:"
                                    .formatted(other)
                            + " train.batch is 24 in the run and 48 in other.yaml";
            assertThat(stranger.said()).contains("refuses this machine: " + why);
            medley.awaitEvents("A machine was refused: stranger serves", 1);
            assertThat(medley.said()).contains("A machine was refused: " + why);
            try (MedleyProcess one = agent(medley, "one", "--once", "--job", same.toString())) {
                assertThat(medley.exitCode()).as(medley.said() + one.said()).isZero();
                assertThat(one.exitCode()).as(one.said()).isZero();
                assertThat(one.said()).contains("serves %s (job faults) alone".formatted(same));
            }
            FaultJob.assertNothingLostOrRepeated(RunRecord.read(medley.run()), STEPS);
        }
    }

    @Test
    void aRunShouldGoOnWithoutAnAgentThatIsKilledAndResumeWithOthers() throws Exception {
        FaultJob.writeEndless(
                folder, "listen: '127.0.0.1:0', expect: 2, begin: all, heartbeat: 200ms");
        RunFolder run;
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml");
                MedleyProcess one = agent(medley, "one");
                MedleyProcess two = agent(medley, "two")) {
            medley.awaitStep(20);
            List<ProcessHandle> orphans = two.workers();
            two.killCoordinator();
            two.awaitGone(orphans);
            medley.awaitEvents("two is gone", 1);
            medley.awaitStep(medley.lastStep() + 10);
            one.killAll();
            medley.interrupt();
            run = medley.run();
        }
        assertThat(RunRecord.summary(run).state()).isEqualTo(RunState.INTERRUPTED);
        try (MedleyProcess medley =
                        MedleyProcess.start(
                                folder,
                                "train",
                                "--resume",
                                run.path().toString(),
                                "--listen",
                                "127.0.0.1:0",
                                "--expect",
                                "1");
                MedleyProcess three = agent(medley, "three")) {
            medley.awaitStep(RunRecord.read(run).summary().steps() + 100);
            medley.interrupt();
            assertThat(medley.said()).contains("waiting for 1 machine;");
        }
        RunRecord record = RunRecord.read(run);
        FaultJob.assertNothingLostOrRepeated(record, record.summary().steps());
    }

    @Test
    void tooFewMachinesShouldBeAnErrorThatSaysWhatToDo() throws Exception {
        FaultJob.write(
                folder, STEPS, "listen: '127.0.0.1:0', expect: 2, begin: all, join_timeout: 2s");
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml");
                MedleyProcess one = agent(medley, "lonely")) {
            assertThat(medley.exitCode()).isEqualTo(ExitCode.INPUT);
            assertThat(medley.said())
                    .contains("1 of 2 machines have joined", "(lonely)", "cluster.join_timeout");
        }
    }

    /** Both ways through the same third: what the two sent, and notes and greetings beside. */
    private static void assertRelayed(RunSummary summary) {
        List<RelayTotals> relayed = summary.relayed();
        assertThat(relayed).hasSize(2);
        RelayTotals there = relayed.get(0);
        RelayTotals back = relayed.get(1);
        assertThat(back.relay()).isEqualTo(there.relay());
        assertThat(List.of(back.from(), back.to())).containsExactly(there.to(), there.from());
        long sent =
                summary.links().stream()
                        .filter(l -> l.from() != there.relay() && l.to() != there.relay())
                        .mapToLong(LinkTotals::sentBytes)
                        .sum();
        assertThat(Math.min(there.bytes(), back.bytes())).isPositive();
        assertThat((double) there.bytes() + back.bytes()).isGreaterThan(0.9 * sent);
    }

    private MedleyProcess agent(MedleyProcess medley, String name, String... more)
            throws Exception {
        Stream<String> arguments = Stream.concat(Stream.of("--copy-files"), Stream.of(more));
        return medley.agent(folder, name, arguments.toArray(String[]::new));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
