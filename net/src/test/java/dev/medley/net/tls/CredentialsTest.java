package dev.medley.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.net.certs.TestClusters;
import dev.medley.net.certs.TestClusters.Who;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said about files that cannot be used. */
@Tag("unit")
class CredentialsTest {
    @TempDir private Path folder;

    private static void assertRefused(Path file, String... words) {
        assertThatThrownBy(() -> Credentials.load(file, Clock.system()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void shouldReadAMachinesFolder() {
        JoinCredentials one = JoinCredentials.load(Who.ONE.folder(), Clock.system());
        JoinCredentials other = JoinCredentials.load(Who.OTHER.folder(), Clock.system());
        assertThat(one.token()).matches("[0-9a-f]{64}").isEqualTo(other.token());
        assertThat(one.credentials().name()).isEqualTo("one");
        assertThat(one.credentials().authorityName())
                .startsWith("Medley cluster ")
                .isEqualTo(other.credentials().authorityName());
        assertThat(one.toString()).doesNotContain(one.token());
        JoinCredentials stranger = JoinCredentials.load(Who.STRANGER.folder(), Clock.system());
        assertThat(stranger.token()).isNotEqualTo(one.token());
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        assertRefused(folder.resolve("identity.p12"), "no such file", "medley certs");
        assertThatThrownBy(() -> JoinCredentials.load(folder.resolve("gone"), Clock.system()))
                .hasMessageContaining("is no folder");
        Files.copy(Who.ONE.identity(), folder.resolve("identity.p12"));
        assertThatThrownBy(() -> JoinCredentials.load(folder, Clock.system()))
                .hasMessageContaining("token: no such file");
        Files.writeString(folder.resolve("token"), "guess");
        assertThatThrownBy(() -> JoinCredentials.load(folder, Clock.system()))
                .hasMessageContaining("is no join token");
    }

    @Test
    void shouldSayThatAFileIsOfAnotherKind() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "-----BEGIN CERTIFICATE-----");
        assertRefused(text, "cannot be read as a PKCS#12 file");
        assertRefused(Files.createFile(folder.resolve("empty")), "PKCS#12");
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Who.ONE.identity())) {
            store.load(in, Credentials.PASSWORD.toCharArray());
        }
        Path locked = folder.resolve("locked.p12");
        try (OutputStream out = Files.newOutputStream(locked)) {
            store.store(out, "another".toCharArray());
        }
        assertRefused(locked, "another password than 'medley'");
        store.deleteEntry(store.aliases().nextElement());
        Path keyless = folder.resolve("keyless.p12");
        try (OutputStream out = Files.newOutputStream(keyless)) {
            store.store(out, Credentials.PASSWORD.toCharArray());
        }
        assertRefused(keyless, "holds no key");
        Path authority = Who.ONE.folder().resolveSibling("authority.p12");
        assertRefused(authority, "without its authority's");
    }

    @Test
    void shouldSayUntilWhenACertificateWasValid() {
        assertRefused(Who.OUT_OF_DATE.identity(), "was valid until 20", " UTC", "make a new one");
        assertRefused(Who.TOO_EARLY.identity(), "not valid before 20", "the clock may be wrong");
        assertThatThrownBy(() -> Credentials.load(Who.ONE.identity(), TestClusters.shifted(-30)))
                .hasMessageContaining("this machine's clock says");
    }
}
