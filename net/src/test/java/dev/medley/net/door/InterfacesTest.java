package dev.medley.net.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which address a named interface has. */
@Tag("unit")
class InterfacesTest {
    private static Interfaces some() throws UnknownHostException {
        return new Interfaces(
                Map.of(
                        "eth0",
                        List.of(
                                InetAddress.getByName("fe80::1"),
                                InetAddress.getByName("fd00::7"),
                                InetAddress.getByName("10.0.0.7")),
                        "lo",
                        List.of(InetAddress.getByName("127.0.0.1"))));
    }

    @Test
    void shouldPreferTheAddressThatOthersReach() throws Exception {
        assertThat(some().address("--interface", "eth0")).isEqualTo("10.0.0.7");
    }

    @Test
    void shouldNameTheInterfacesThereAreAndTheNearest() throws Exception {
        Interfaces interfaces = some();
        assertThatThrownBy(() -> interfaces.address("--interface", "eth1"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "--interface eth1: this machine has no such interface (did you mean"
                                + " eth0?); it has eth0 10.0.0.7, lo 127.0.0.1");
        assertThatThrownBy(() -> interfaces.address("--interface", "wlan"))
                .hasMessageNotContaining("did you mean");
    }

    @Test
    void shouldFindThoseOfThisMachine() {
        assertThat(Interfaces.ofThisMachine().addresses().values())
                .anySatisfy(all -> assertThat(all).anyMatch(InetAddress::isLoopbackAddress));
    }
}
