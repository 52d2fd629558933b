package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.net.tls.JoinCredentials;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Certificates from the command line, with the real keytool. */
@Tag("unit")
class CertsCommandTest {
    @TempDir private Path temp;

    @Test
    void shouldMakeCertificatesAndAddAMachineLater() {
        String folder = temp.resolve("certs").toString();
        Said said = Said.when("certs", folder, "trainer", "gpu-1");
        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("new   " + folder + "/authority.p12, the authority of Medley cluster ")
                .contains("new   " + folder + "/gpu-1, valid until 20")
                .contains("  scp -rp " + folder + "/gpu-1 gpu-1:")
                .contains("--credentials trainer")
                .contains("  medley agent --join HOST:PORT --credentials gpu-1");
        Said later = Said.when("certs", folder, "gpu-1", "gpu-2", "--days", "7", "--json");
        JsonNode result = Json.parse(later.out(), JsonNode.class);
        assertThat(result.path("isNew").asBoolean()).isFalse();
        assertThat(result.findValuesAsString("name")).containsExactly("gpu-1", "gpu-2");
        JoinCredentials added = JoinCredentials.load(temp.resolve("certs/gpu-2"), Clock.system());
        assertThat(added.credentials().name()).isEqualTo("gpu-2");
        assertThat(Clock.system().wallMillis() + 8 * 86_400_000L)
                .isGreaterThan(added.credentials().validUntil().toEpochMilli());
    }

    @Test
    void shouldRefuseWhatCannotBeUsed() throws Exception {
        assertRefused("'a/b' is no name for a machine", "certs", temp.toString(), "a/b");
        assertRefused("between 1 and 3650", "certs", temp.toString(), "a", "--days", "0");
        assertRefused("Missing required parameter", "certs", temp.toString());
        Files.writeString(temp.resolve("authority.p12"), "noise");
        assertRefused("cannot be read as a PKCS#12 file", "certs", temp.toString(), "a");
        Path file = Files.writeString(temp.resolve("file"), "");
        assertRefused("cannot be written", "certs", file.resolve("below").toString(), "a");
    }

    private static void assertRefused(String words, String... args) {
        Said said = Said.when(args);
        assertThat(said.exitCode()).as(words).isEqualTo(2);
        assertThat(said.err()).contains(words);
    }
}
