package dev.medley.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.net.door.Interfaces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where machines join, by the name of a network interface. */
@Tag("unit")
class ListenAddressTest {
    private static Interfaces some() throws UnknownHostException {
        return new Interfaces(
                Map.of(
                        "eth0", List.of(InetAddress.getByName("10.0.0.7")),
                        "eth1", List.of(InetAddress.getByName("fd00::7"))));
    }

    @Test
    void shouldTakeTheAddressOfTheInterfaceAndThePortThatWasGiven() throws Exception {
        assertThat(ListenAddress.on("0.0.0.0:7077", "eth0", some())).isEqualTo("10.0.0.7:7077");
        assertThat(ListenAddress.on("10.0.0.7:0", "eth0", some())).isEqualTo("10.0.0.7:0");
        assertThat(ListenAddress.on("[::]:7077", "eth1", some()))
                .isEqualTo("[fd00:0:0:0:0:0:0:7]:7077");
        assertThat(ListenAddress.of("trainer.example:7077", null))
                .isEqualTo("trainer.example:7077");
    }

    @Test
    void shouldRefuseAnotherAddressAndAnotherName() throws Exception {
        Interfaces interfaces = some();
        assertThatThrownBy(() -> ListenAddress.on("10.0.0.8:7077", "eth0", interfaces))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "--interface eth0 has the address 10.0.0.7, and"
                            + " cluster.listen=10.0.0.8:7077 names another: listen on 0.0.0.0:7077,"
                            + " or leave --interface out");
        assertThatThrownBy(() -> ListenAddress.on("0.0.0.0:7077", "eth2", interfaces))
                .hasMessageContaining("--interface eth2: this machine has no such interface");
    }
}
