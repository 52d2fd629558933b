package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread.Join;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.RelayTotals;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines that join a run and fetch all files as if they saw none of the coordinator's. */
@Tag("real")
@Timeout(240)
class JoiningMachinesTest {
    private static final int STEPS = 120;

    @TempDir Path folder;

    /** Two of the three are behind NAT, and reach each other through the first. */
    @Test
    void shouldTrainAsWorkersOfOneMachineDo() throws Exception {
        String shares = "strategy.shares=[2, 1, 1]";
        FaultJob.write(folder, STEPS, "workers: 3");
        Map<Long, String> hashes;
        try (World world = new World(folder)) {
            hashes = FaultJob.hashes(world.train(shares).completed());
        }
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 3, begin: all");
        try (World world = new World(folder)) {
            RunThread run = world.train(shares);
            List<AgentThread> agents =
                    List.of(
                            world.agent(run, Join.as("one").copying()),
                            world.agent(run, Join.as("two").copying().behindNat()),
                            world.agent(run, Join.as("three").copying().behindNat()));
            RunRecord record = run.completed();
            for (AgentThread agent : agents) {
                assertThat(agent.ended()).as(agent.said()).isTrue();
                assertThat(agent.said()).contains("fetching ", "the run is over");
            }
            FaultJob.assertNothingLostOrRepeated(record, STEPS);
            assertThat(FaultJob.hashes(record)).isEqualTo(hashes);
            assertThat(record.workers())
                    .as("what machines said of themselves")
                    .allMatch(worker -> worker.machine().path("processor").has("model"))
                    .extracting(WorkerRecord::name)
                    .containsExactlyInAnyOrder("one", "two", "three");
            assertRelayed(record.summary());
            assertThat(record.folder().model().resolve("weights.safetensors")).isNotEmptyFile();
            assertThat(files(record.folder().checkpoints()))
                    .as("checkpoints came, two are kept")
                    .hasSize(2);
        }
    }

    @Test
    void tooFewShouldBeAnErrorThatSaysWhatToDo() throws Exception {
        FaultJob.write(
                folder, STEPS, "listen: '127.0.0.1:0', expect: 2, begin: all, join_timeout: 2s");
        try (World world = new World(folder)) {
            RunThread run = world.train();
            world.agent(run, "lonely");
            assertThat(run.failed(FailureKind.INPUT).summary().message())
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

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
