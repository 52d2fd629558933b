package dev.medley.control.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.control.agent.AgentOptions.PortRange;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class AgentOptionsTest {
    /** A coordinator on loopback asks for none: the worker's own port would be open to all. */
    @Test
    void aWorkerShouldNotListenBeyondLoopbackWithoutCredentials() {
        assertThatThrownBy(() -> options("192.0.2.7", null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("listens on 192.0.2.7")
                .hasMessageContaining("give --credentials");
        assertThat(options("192.0.2.7", Path.of("certs/one")).bind()).isEqualTo("192.0.2.7");
        assertThat(options("127.0.0.1", null).bind()).isEqualTo("127.0.0.1");
        assertThat(options("::1", null).bind()).isEqualTo("::1");
        assertThat(options(null, null).bind()).isNull();
    }

    private static AgentOptions options(@Nullable String bind, @Nullable Path credentials) {
        return new AgentOptions(
                InetSocketAddress.createUnresolved("127.0.0.1", 7077),
                credentials,
                any -> null,
                "one",
                "",
                bind,
                null,
                PortRange.ANY,
                Path.of("folder"),
                false,
                AgentOptions.Stay.RUN_AFTER_RUN);
    }
}
