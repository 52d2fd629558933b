package dev.medley.net.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.net.certs.ClusterFolder.Made;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates are made once, kept, and readable by their owner alone. */
@Tag("unit")
class ClusterFolderTest {
    @TempDir private Path temp;

    private Path folder() {
        return temp.resolve("certs");
    }

    private ClusterFolder cluster() {
        return new ClusterFolder(folder(), Clock.system());
    }

    @Test
    void shouldMakeAClusterAndAddAMachineLater() throws IOException {
        Made first = cluster().make(List.of("a"), 30);
        assertThat(first.isNew()).isTrue();
        byte[] identity = Files.readAllBytes(folder().resolve("a/identity.p12"));
        Made second = cluster().make(List.of("a", "b", "b"), 30);
        assertThat(second.isNew()).isFalse();
        assertThat(second.authorityName()).isEqualTo(first.authorityName());
        assertThat(second.machines())
                .extracting(ClusterFolder.Machine::name)
                .containsExactly("a", "b");
        assertThat(second.machines())
                .extracting(ClusterFolder.Machine::isNew)
                .containsExactly(false, true);
        assertThat(Files.readAllBytes(folder().resolve("a/identity.p12"))).isEqualTo(identity);
        assertThat(JoinCredentials.load(folder().resolve("a"), Clock.system()).token())
                .isEqualTo(JoinCredentials.load(folder().resolve("b"), Clock.system()).token());
        assertThat(modes())
                .containsExactlyInAnyOrder(
                        "rwx------ ",
                        "rw------- authority.p12",
                        "rw------- token",
                        "rwx------ a",
                        "rw------- a/identity.p12",
                        "rw------- a/token",
                        "rwx------ b",
                        "rw------- b/identity.p12",
                        "rw------- b/token");
    }

    private List<String> modes() throws IOException {
        try (Stream<Path> all = Files.walk(folder())) {
            return all.map(this::mode).toList();
        }
    }

    private String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                    + " "
                    + folder().relativize(path);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../up", "a/b", "", ".hidden", "token", "authority.p12", "a b", "CN=x"})
    void shouldRefuseWhatIsNoName(String name) {
        assertThatThrownBy(() -> cluster().make(List.of(name), 30))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is no name for a machine");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void shouldLeaveNothingBehindWithoutKeytool() throws IOException {
        Keytool none = new Keytool(temp.resolve("keytool"), "-1d");
        ClusterFolder cluster = new ClusterFolder(folder(), Clock.system(), none);
        assertThatThrownBy(() -> cluster.make(List.of("a"), 30))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("this Java has none at");
        try (Stream<Path> left = Files.list(folder())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldRefuseAnAuthorityThatCannotBeReadAndFoldersOfOthers() throws IOException {
        Files.createDirectory(folder());
        Files.writeString(folder().resolve("authority.p12"), "noise");
        assertThatThrownBy(() -> cluster().make(List.of("a"), 30))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("authority.p12 cannot be read as a PKCS#12 file");
        Files.delete(folder().resolve("authority.p12"));
        Files.createDirectory(folder().resolve("a"));
        assertThatThrownBy(() -> cluster().make(List.of("a"), 30))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is no machine's folder");
        assertThatThrownBy(() -> cluster().make(List.of("b"), 4000))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("between 1 and 3650");
    }
}
