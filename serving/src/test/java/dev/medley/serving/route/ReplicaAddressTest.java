package dev.medley.serving.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers as people write them. */
@Tag("unit")
class ReplicaAddressTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "a:1, a:1",
        "http://a.b-c:65535/, a.b-c:65535",
        "https://10.0.0.7:8443, https://10.0.0.7:8443",
        "[::1]:80, [::1]:80"
    })
    void shouldReadWhatPeopleWrite(String text, String address) {
        assertThat(ReplicaAddress.parse(text, "--to")).hasToString(address);
    }

    @ParameterizedTest
    @CsvSource({
        "a, is no address",
        "a:, is no address",
        ":80, is no address",
        "a:0, is no address",
        "a:65536, is no address",
        "a:123456, is no address",
        "::1:80, is no address",
        "ftp://a:1, is no address",
        "a:1/v2, is no address",
        "'', there is no server",
        "',', there is no server",
        "'a:1,a:1', is there twice",
        "'a:1,A:1', is there twice",
        "'a:1,https://a:1', is there twice"
    })
    void shouldSayWhatIsWrong(String text, String words) {
        assertThatThrownBy(() -> new ReplicaSource(text, null).read())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(words);
    }

    @Test
    void shouldReadAFile() throws Exception {
        Path file =
                Files.writeString(folder.resolve("f"), "# all\na:1\n\n b:2 # slow\r\nc:3,d:4\n");
        assertThat(new ReplicaSource(null, file).read())
                .extracting(ReplicaAddress::toString)
                .containsExactly("a:1", "b:2", "c:3", "d:4");
    }

    @Test
    void shouldSayThatAFileCannotBeUsed() throws Exception {
        Path bytes = Files.write(folder.resolve("g"), new byte[] {(byte) 0xff, 0, (byte) 0x80});
        assertThatThrownBy(() -> new ReplicaSource(null, bytes).read())
                .hasMessageContaining("is no text");
        assertThatThrownBy(() -> new ReplicaSource(null, folder.resolve("none")).read())
                .hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> new ReplicaSource(null, folder).read())
                .hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> new ReplicaSource(null, null)).hasMessageContaining("either --to");
    }
}
