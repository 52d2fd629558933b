package dev.medley.control.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class JoinCommandTest {
    @Test
    void shouldAskForCredentialsBeyondThisMachine() throws Exception {
        assertThat(at(127, 0, 0, 1)).isEqualTo("medley agent --join 127.0.0.1:7077");
        assertThat(at(10, 0, 0, 5))
                .isEqualTo("medley agent --join 10.0.0.5:7077 --credentials FOLDER");
        assertThat(at(0, 0, 0, 0))
                .isEqualTo("medley agent --join THIS-HOST:7077 --credentials FOLDER");
    }

    private static String at(int... bytes) throws Exception {
        byte[] address = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            address[i] = (byte) bytes[i];
        }
        return JoinCommand.at(new InetSocketAddress(InetAddress.getByAddress(address), 7077));
    }
}
