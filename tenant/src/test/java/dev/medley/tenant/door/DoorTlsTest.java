package dev.medley.tenant.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServeTls;
import dev.medley.serving.route.GivenAuthority;
import dev.medley.serving.route.GivenAuthority.Pem;
import dev.medley.tenant.audit.AuditKind;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where the door asks for certificates, a signature alone is not enough, and neither is one. */
@Tag("real")
@Timeout(120)
class DoorTlsTest {
    @TempDir Path folder;

    @Test
    void shouldAskCallersForACertificateOfTheAuthorityAndTheirSignatureToo() throws Exception {
        GivenAuthority servers = new GivenAuthority(folder, "servers");
        GivenAuthority callers = new GivenAuthority(folder, "callers");
        Pem own = servers.issue("door", "ip:127.0.0.1", "-1d");
        callers.issue("client", "dns:client", "-1d");
        callers.issue("expired", "dns:client", "-20d");
        servers.issue("stranger", "dns:client", "-1d");
        try (OpenDoor door = new OpenDoor(folder)) {
            door.close();
            ServeTls tls = new ServeTls(own.chain(), own.key(), callers.certificate());
            door.open(ServeSocket.at("127.0.0.1", 0, tls));
            SignedCalls known = calls(door, callers.client("client", servers));
            assertThat(known.get(OpenDoor.TABLE, "acme", OpenDoor.A).body())
                    .isEqualTo(OpenDoor.OF_A);
            assertThat(known.get(OpenDoor.TABLE, "acme", OpenDoor.B).statusCode()).isEqualTo(403);
            for (SSLContext refused :
                    new SSLContext[] {
                        callers.client(null, servers),
                        callers.client("expired", servers),
                        servers.client("stranger", servers)
                    }) {
                assertThatThrownBy(
                                () -> calls(door, refused).get(OpenDoor.TABLE, "acme", OpenDoor.A))
                        .isInstanceOf(IOException.class);
            }
            assertThat(door.entries(AuditKind.BEGAN)).hasSize(1);
        }
    }

    private static SignedCalls calls(OpenDoor door, SSLContext context) {
        return new SignedCalls(
                "https://127.0.0.1:" + door.port(),
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(context)
                        .build());
    }
}
