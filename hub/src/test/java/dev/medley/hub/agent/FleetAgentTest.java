package dev.medley.hub.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.control.agent.AgentOptions;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.hub.MemoryHub;
import dev.medley.hub.client.HubAddress;
import dev.medley.hub.client.HubClient;
import dev.medley.hub.service.HubService;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class FleetAgentTest {
    /** Where no hub of anybody listens. */
    private static final HubAddress NOBODY = HubAddress.parse("127.0.0.1:1");

    @TempDir private Path folder;

    private FleetAgent agent(Supplier<HubService> hubs, double patienceS, Consumer<String> says) {
        AgentOptions runs =
                new AgentOptions(
                        InetSocketAddress.createUnresolved("127.0.0.1", 1),
                        null,
                        at -> null,
                        "a1",
                        "",
                        null,
                        null,
                        PortRange.ANY,
                        folder,
                        false,
                        AgentOptions.Stay.RUN_AFTER_RUN);
        MachineOffer offer = new MachineOffer("cpu", false, -1);
        return new FleetAgent(
                hubs,
                "127.0.0.1",
                new FleetAgentOptions(runs, offer, null, patienceS),
                says,
                Clock.system());
    }

    @Test
    void shouldWaitForAHubThatIsStartedLater() throws InterruptedException {
        MemoryHub hub = new MemoryHub();
        AtomicInteger asked = new AtomicInteger();
        List<String> said = new CopyOnWriteArrayList<>();
        AtomicReference<FleetAgent> agent = new AtomicReference<>();
        agent.set(
                agent(
                        () -> asked.incrementAndGet() > 1 ? hub : HubClient.ofThisUser(NOBODY),
                        Double.POSITIVE_INFINITY,
                        sentence -> {
                            said.add(sentence);
                            if (sentence.equals("a1 stays with the hub at 127.0.0.1:1")) {
                                agent.get().leave();
                            }
                        }));
        agent.get().run();
        assertThat(said).hasSize(2);
        assertThat(said.get(0))
                .startsWith("no hub of this user listens at 127.0.0.1:1")
                .endsWith("a1 waits for it");
        assertThat(hub.fleet().machines()).extracting(m -> m.name()).containsExactly("a1");
    }

    @Test
    void shouldEndWhereNoHubIsThereForTooLong() {
        FleetAgent agent = agent(() -> HubClient.ofThisUser(NOBODY), 0, sentence -> {});
        assertThatThrownBy(agent::run)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a1 waited 0 s (--wait-s) for the hub: no hub of this user");
    }
}
