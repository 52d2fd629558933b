package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Machines that join look at each other: agents and their workers are processes. */
@Tag("real")
@Timeout(120)
class ClusterSurveyTest {

    @TempDir Path folder;

    @Test
    void shouldMeasureTheWaysBetweenMachinesThatJoin() throws Exception {
        try (MedleyProcess medley = survey("profile", "--json");
                MedleyProcess one = agent(medley, "one", "127.0.0.1");
                MedleyProcess two = agent(medley, "two", "127.0.0.1")) {
            assertThat(medley.exitCode()).as(medley.said() + one.said() + two.said()).isZero();
            String said = medley.said();
            ClusterProfile cluster =
                    Json.parse(
                            said.substring(said.indexOf('{'), said.lastIndexOf('}') + 1),
                            ClusterProfile.class);
            assertThat(cluster.sites()).containsExactlyInAnyOrder("site-one", "site-two");
            assertThat(cluster.way(0, 1).origin()).isEqualTo(Origin.MEASURED);
            assertThat(cluster.way(1, 0).origin()).isEqualTo(Origin.MEASURED);
        }
    }

    /** All of 127/8 is this machine, but nothing listens at the address that two advertises. */
    @Test
    void shouldSayWhoCannotReachWhom() throws Exception {
        try (MedleyProcess medley = survey("doctor");
                MedleyProcess one = agent(medley, "one", "127.0.0.1");
                MedleyProcess two = agent(medley, "two", "127.0.0.77")) {
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
        String[] command = {
            "doctor",
            "--cluster",
            "--listen",
            "0.0.0.0:0",
            "--interface",
            loopback(),
            "--expect",
            "3"
        };
        try (MedleyProcess medley = MedleyProcess.start(folder, command);
                MedleyProcess one = agent(medley, "one", "127.0.0.1");
                MedleyProcess two = agentBehindNat(medley, "two");
                MedleyProcess three = agentBehindNat(medley, "three")) {
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

    private MedleyProcess survey(String... command) throws Exception {
        String[] all = new String[command.length + 5];
        System.arraycopy(command, 0, all, 0, command.length);
        String[] where = {"--cluster", "--listen", "127.0.0.1:0", "--expect", "2"};
        System.arraycopy(where, 0, all, command.length, where.length);
        return MedleyProcess.start(folder, all);
    }

    private MedleyProcess agent(MedleyProcess medley, String name, String advertise)
            throws Exception {
        return startAgent(medley, name, "--advertise", advertise);
    }

    private MedleyProcess agentBehindNat(MedleyProcess medley, String name) throws Exception {
        return startAgent(medley, name, "--behind-nat");
    }

    private MedleyProcess startAgent(MedleyProcess medley, String name, String... more)
            throws Exception {
        List<String> options = new ArrayList<>(List.of("--once", "--site", "site-" + name));
        options.addAll(List.of(more));
        return medley.agent(folder, name, options.toArray(String[]::new));
    }
}
