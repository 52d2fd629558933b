package dev.medley.net.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
@DisabledOnOs(OS.WINDOWS) // It knows no such permissions.
class LocalTokensTest {
    private static final String TOKEN = "ab".repeat(32);
    private static final String OTHER = "cd".repeat(32);

    private final InetSocketAddress here = at("127.0.0.1", 7077);

    @TempDir private Path temporary;
    private Path folder;
    private LocalTokens tokens;

    @BeforeEach
    void open() {
        folder = temporary.resolve("tokens");
        tokens = new LocalTokens(folder);
    }

    @Test
    void anAgentShouldFindTheTokenOfThatAddressAloneUntilTheCommandEnds() throws Exception {
        assertThat(tokens.at(here)).isNull();
        try (Closeable unused = tokens.leave(here, TOKEN);
                Closeable other = tokens.leave(at("::1", 7077), OTHER)) {
            assertThat(new LocalTokens(folder).at(here)).isEqualTo(TOKEN);
            assertThat(tokens.at(at("::1", 7077))).isEqualTo(OTHER);
            assertThat(tokens.at(at("127.0.0.2", 7077))).isNull();
            assertThat(tokens.at(at("127.0.0.1", 7078))).isNull();
            assertThat(permissions(folder)).isEqualTo("rwx------");
            assertThat(permissions(folder.resolve("127.0.0.1_7077"))).isEqualTo("rw-------");
        }
        assertThat(tokens.at(here)).isNull();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aTokenThatAKilledCommandLeftShouldBeReplaced() throws Exception {
        Closeable unused = tokens.leave(here, OTHER);
        try (Closeable mine = tokens.leave(here, TOKEN)) {
            assertThat(tokens.at(here)).isEqualTo(TOKEN);
        }
    }

    @Test
    void aFolderThatOthersCanWriteShouldBeRefusedByBothSides() throws Exception {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefusedByBoth();
    }

    @Test
    void aLinkToAFolderShouldBeRefusedByBothSides() throws Exception {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(folder, elsewhere);
        assertRefusedByBoth();
        assertThat(elsewhere).isEmptyDirectory();
    }

    private void assertRefusedByBoth() {
        assertThatThrownBy(() -> tokens.leave(here, TOKEN))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not a folder of this user alone")
                .hasMessageContaining("--token-file");
        assertThatThrownBy(tokens::requireUsable).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> tokens.at(here))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("of this user alone");
    }

    @Test
    void aLinkInThePlaceOfATokenShouldBeReplacedAndNeverFollowed() throws Exception {
        tokens.requireUsable();
        Path target = Files.writeString(temporary.resolve("victim"), OTHER);
        Path place = folder.resolve("127.0.0.1_7077");
        Files.createSymbolicLink(place, target);
        assertThatThrownBy(() -> tokens.at(here)).isInstanceOf(IOException.class);
        try (Closeable unused = tokens.leave(here, TOKEN)) {
            assertThat(tokens.at(here)).isEqualTo(TOKEN);
            assertThat(target).hasContent(OTHER);
        }
    }

    @Test
    void aFileThatIsReadableByOthersOrNoTokenShouldNotBeOne() throws Exception {
        try (Closeable unused = tokens.leave(here, TOKEN)) {
            Path place = folder.resolve("127.0.0.1_7077");
            Files.writeString(place, "x".repeat(1 << 20));
            assertThat(tokens.at(here)).isNull();
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rw-r--r--"));
            assertThatThrownBy(() -> tokens.at(here)).isInstanceOf(IOException.class);
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static InetSocketAddress at(String host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
