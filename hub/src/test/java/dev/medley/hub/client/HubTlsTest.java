package dev.medley.hub.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.hub.MemoryHub;
import dev.medley.hub.http.HubServer;
import dev.medley.hub.http.HubSocket;
import dev.medley.hub.http.HubTokens;
import dev.medley.hub.http.Role;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.OfferedMachine;
import dev.medley.net.certs.ClusterFolder;
import dev.medley.net.tls.JoinCredentials;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub that others reach: certificates on both sides, with those that the cluster has. */
@Tag("real")
class HubTlsTest {
    @TempDir private static Path folder;
    private static JoinCredentials laptop;
    private static JoinCredentials stranger;
    private static HubTokens tokens;
    private static HubServer server;

    @BeforeAll
    static void open() {
        new ClusterFolder(folder.resolve("ours"), Clock.system()).make(List.of("hub", "laptop"), 2);
        new ClusterFolder(folder.resolve("theirs"), Clock.system()).make(List.of("stranger"), 2);
        JoinCredentials own = JoinCredentials.load(folder.resolve("ours/hub"), Clock.system());
        laptop = JoinCredentials.load(folder.resolve("ours/laptop"), Clock.system());
        stranger = JoinCredentials.load(folder.resolve("theirs/stranger"), Clock.system());
        tokens = HubTokens.open(folder).withJoinToken(own.token());
        server =
                HubServer.open(
                        new MemoryHub(), tokens, HubSocket.at("127.0.0.1", 0, own.credentials()));
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
    }

    private static HubAddress address() {
        return HubAddress.of(server.address());
    }

    @Test
    void shouldServeTheClustersMachines() {
        assertThat(server.root()).startsWith("https://");
        HubClient admin = HubClient.to(address(), tokens.of(Role.ADMIN), laptop.credentials());
        assertThat(admin.jobs()).isEmpty();
        assertThat(admin.pageLink()).startsWith(server.root() + "/#code=");
        HubClient agent = HubClient.to(address(), laptop.token(), laptop.credentials());
        OfferedMachine offered = new OfferedMachine("cpu", 2, 0, 1L << 30, "", false, -1);
        assertThat(agent.report(new AgentReport("a", "s", "b", offered, List.of(), -1)).serve())
                .isEmpty();
        assertThatThrownBy(agent::jobs)
                .as("the join token is for agents")
                .hasMessageContaining("role agent");
    }

    @Test
    void shouldRefuseMachinesOfOthersAndThoseThatShowNothing() {
        String token = tokens.of(Role.ADMIN);
        assertThatThrownBy(() -> HubClient.to(address(), token, stranger.credentials()).jobs())
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("was refused", "another cluster's authority");
        assertThatThrownBy(() -> HubClient.to(address(), token, null).jobs())
                .as("plain HTTP")
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(address().toString(), "wants credentials");
    }
}
