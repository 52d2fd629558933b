package dev.medley.hub.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.Tenure;
import dev.medley.hub.MemoryHub;
import dev.medley.hub.http.HubServer;
import dev.medley.hub.http.HubSocket;
import dev.medley.hub.http.HubTokens;
import dev.medley.hub.http.Role;
import dev.medley.hub.service.AgentOrders;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.JobFigures;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.OfferedMachine;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.SubmitTerms;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that may be asked, over real sockets: the answer is what the service said. */
@Tag("real")
class HubClientTest {
    private static final Submission ADULT =
            new Submission(
                    "adult <&> \"job\"",
                    "name: adult\n",
                    "/data",
                    "",
                    new SubmitTerms("team", 3, 2e9, 12.5),
                    1,
                    4);

    @TempDir private static Path folder;
    private static final MemoryHub HUB = new MemoryHub();
    private static HubTokens tokens;
    private static HubServer server;
    private static HubClient client;

    @BeforeAll
    static void open() {
        tokens = HubTokens.open(folder);
        server = HubServer.open(HUB, tokens, HubSocket.onLoopback(0));
        client = HubClient.ofThisUser(HubAddress.of(server.address()));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void shouldAnswerAsTheServiceDoes() {
        JobStatus job = client.submit(ADULT);
        assertThat(job.submission())
                .usingRecursiveComparison()
                .ignoringFields("user")
                .isEqualTo(ADULT);
        assertThat(job.submission().user())
                .as("of the token")
                .isIn(System.getProperty("user.name"), "admin");
        long id = job.id();
        HUB.put(new Tenure("gpu-1", id, MemoryHub.NOW_S - 60, null, "first in the queue"));
        HUB.put(new Tenure("gpu-1", id, 10, 20.0, "long ago"));
        HUB.count(0.004, 70);
        assertThat(client.jobs()).isEqualTo(HUB.jobs()).contains(HUB.job(id));
        assertThat(client.job(id)).isEqualTo(HUB.job(id));
        assertThat(client.why(id)).isEqualTo(HUB.why(id));
        assertThat(client.log(id, 4)).isEqualTo(HUB.log(id, 4));
        assertThat(client.fleet()).isEqualTo(HUB.fleet());
        assertThat(client.timeline(100)).isEqualTo(HUB.timeline(100)).hasSize(1);
        assertThat(client.counters()).isEqualTo(HUB.counters());
        assertThat(client.pause(id).phase()).isEqualTo(JobPhase.PAUSED);
        assertThat(client.resume(id).phase()).isEqualTo(JobPhase.QUEUED);
        assertThat(client.cancel(id).phase()).isEqualTo(JobPhase.CANCELLED);
    }

    @Test
    void shouldCarryCurvesAndLossesThatAreNoNumbers() {
        JobFigures diverged = new JobFigures(1, 2.0, 3.0, 0.5, 12, 1.0, 3, Double.NaN);
        HUB.put(new JobStatus(7, ADULT, JobPhase.FAILED, 0, "diverged", List.of(), diverged, "r"));
        assertThat(client.job(7).figures().loss()).isNaN();
        assertThat(client.curve(7)).isEqualTo(HUB.curve(7)).hasSize(200);
    }

    @Test
    void shouldTellAgentsWhatToServe() {
        client.submit(ADULT);
        HubClient agent =
                HubClient.to(HubAddress.of(server.address()), tokens.of(Role.AGENT), null);
        OfferedMachine offered = new OfferedMachine("a100", 16, 0, 1L << 36, "A100", true, 2.5);
        AgentOrders orders =
                agent.report(new AgentReport("gpu 1/ä", "office", "b", offered, List.of(4L), -1));
        assertThat(orders).isEqualTo(HUB.orders()).matches(said -> said.serve().size() == 1);
        assertThat(client.fleet().machines())
                .singleElement()
                .satisfies(machine -> assertThat(machine.name()).isEqualTo("gpu 1/ä"));
    }

    @Test
    void shouldSayWhatTheHubSaid() {
        assertThatThrownBy(() -> client.job(99))
                .isInstanceOf(ConfigException.class)
                .hasMessage("there is no job 99: medley jobs shows all");
        long id = client.submit(ADULT).id();
        assertThatThrownBy(() -> client.resume(id)).hasMessageContaining("is QUEUED");
        Submission empty = new Submission("a", " ", "", "", SubmitTerms.NONE, 0, 0);
        assertThatThrownBy(() -> client.submit(empty)).hasMessageContaining("no jobFile");
    }

    @Test
    void shouldSayThatAHubIsAway() throws IOException {
        HubServer other = HubServer.open(HUB, tokens, HubSocket.onLoopback(0));
        HubAddress address = HubAddress.of(other.address());
        assertThat(HubClient.ofThisUser(address).jobs()).isEqualTo(HUB.jobs());
        other.close();
        assertThatThrownBy(() -> HubClient.to(address, "0".repeat(64), null).jobs())
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("no hub answers at " + address, "medley hub");
        assertThatThrownBy(() -> HubClient.ofThisUser(address))
                .as("its token went with it")
                .hasMessageContaining("no hub of this user listens");
    }

    @Test
    void shouldRefuseAPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> HubServer.open(HUB, tokens, HubSocket.onLoopback(port)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("port " + port + " is taken");
        }
    }
}
