package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread;
import dev.medley.api.world.AgentThread.Join;
import dev.medley.base.Json;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.net.door.Interfaces;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Origin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines that join look at each other. */
@Tag("real")
@Timeout(240)
class ClusterSurveyTest {

    @TempDir Path folder;

    @Test
    void shouldMeasureTheWaysBetweenMachinesThatJoin() throws Exception {
        CommandThread medley = survey("2", "127.0.0.1:0", "profile", "--json");
        try (AgentThread one = agent(medley, Join.as("one").at("site-one"));
                AgentThread two = agent(medley, Join.as("two").at("site-two"))) {
            assertThat(medley.exitCode()).as(medley.said() + one.said() + two.said()).isZero();
            ClusterProfile cluster = Json.parse(medley.out(), ClusterProfile.class);
            assertThat(cluster.sites()).containsExactlyInAnyOrder("site-one", "site-two");
            assertThat(cluster.way(0, 1).origin()).isEqualTo(Origin.MEASURED);
            assertThat(cluster.way(1, 0).origin()).isEqualTo(Origin.MEASURED);
        }
    }

    /** All of 127/8 is this machine, but nothing listens at the address that two advertises. */
    @Test
    void shouldSayWhoCannotReachWhom() throws Exception {
        CommandThread medley = survey("2", "127.0.0.1:0", "doctor");
        try (AgentThread one = agent(medley, Join.as("one"));
                MedleyProcess two = process(medley, "two", "--advertise", "127.0.0.77")) {
            assertThat(medley.exitCode())
                    .as(medley.said() + one.said() + two.said())
                    .isEqualTo(ExitCode.FAILED);
            assertThat(medley.said())
                    .contains("from one: cannot reach two at 127.0.0.77", "Refused: nothing")
                    .doesNotContain("from two:");
        }
    }

    /** Nobody is told where the two listen that are behind NAT. */
    @Test
    void shouldSayThroughWhomMachinesBehindNatReachEachOther() throws Exception {
        CommandThread medley = survey("3", "0.0.0.0:0", "doctor", "--interface", loopback());
        try (AgentThread one = agent(medley, Join.as("one"));
                MedleyProcess two = process(medley, "two", "--behind-nat");
                AgentThread three = agent(medley, Join.as("three").behindNat())) {
            assertThat(medley.exitCode())
                    .as(medley.said() + one.said() + two.said() + three.said())
                    .isZero();
            assertThat(medley.said().lines().filter(line -> line.contains("through one")))
                    .as("a way there and a way back: %s", medley.said())
                    .hasSize(2);
        }
    }

    private static String loopback() {
        return Interfaces.ofThisMachine().addresses().entrySet().stream()
                .filter(each -> each.getValue().get(0).isLoopbackAddress())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static CommandThread survey(String expect, String listen, String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--cluster", "--listen", listen, "--expect", expect));
        return CommandThread.start(all.toArray(String[]::new));
    }

    private AgentThread agent(CommandThread medley, Join join) throws Exception {
        return AgentThread.start(medley.listening(), folder, join);
    }

    private MedleyProcess process(CommandThread medley, String name, String... reach)
            throws Exception {
        List<String> options = new ArrayList<>(List.of("--once", "--site", "site-" + name));
        options.addAll(List.of(reach));
        String[] more = options.toArray(String[]::new);
        return MedleyProcess.agentOf(medley.listening(), folder, name, more);
    }
}
