package dev.medley.store.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.ConfigException;
import dev.medley.store.file.Checksum;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KnownDataSetsTest {
    private static final Map<String, String> COPIES =
            Map.of(
                    "input.txt", "tiny-shakespeare/input.txt.gz",
                    "Telco-Customer-Churn.csv", "telco-churn/Telco-Customer-Churn.csv.gz",
                    "ETTh1.csv", "ett/ETTh1.csv.gz",
                    "ETTh2.csv", "ett/ETTh2.csv.gz");

    @Test
    @Tag("unit")
    void shouldNameWhatThereIs() {
        KnownDataSets sets = KnownDataSets.builtIn();
        assertThat(sets.find("fashion-mnist").files()).hasSize(4);
        assertThat(sets.find("fashion-mnist").licence()).startsWith("MIT");
        assertThat(sets.all()).allSatisfy(set -> assertThat(set.bytes()).isPositive());
        assertThatThrownBy(() -> sets.find("mnist"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "mnist: not a data set that Medley knows; there are: fashion-mnist, ");
    }

    @Test
    @Tag("real")
    void shouldStateTheLengthsAndChecksumsOfTheRealFiles() throws IOException {
        Path data = shared().resolve("data");
        assumeTrue(Files.isDirectory(data), data + " is not here");
        for (KnownDataSet set : KnownDataSets.builtIn().all()) {
            for (KnownFile file : set.files()) {
                byte[] bytes = copy(data, file.name());
                assertThat(bytes.length).as(file.name()).isEqualTo((int) file.bytes());
                assertThat(hex(bytes, Checksum.Kind.SHA256)).isEqualTo(file.sha256());
                if (file.md5() != null) {
                    assertThat(hex(bytes, Checksum.Kind.MD5)).isEqualTo(file.md5());
                }
            }
        }
    }

    private static byte[] copy(Path data, String name) throws IOException {
        if (name.endsWith("-ubyte.gz")) {
            return Files.readAllBytes(data.resolve("fashion-mnist/idx").resolve(name));
        }
        if (name.startsWith("adult.")) {
            return originalAdult(data, name);
        }
        return unzipped(data.resolve(COPIES.get(name)));
    }

    /**
     * The copy at hand has a header line more; its test part lacks a line, the dots, a line end.
     */
    private static byte[] originalAdult(Path data, String name) throws IOException {
        byte[] copy = unzipped(data.resolve("uci-adult").resolve(name + ".gz"));
        String text = new String(copy, StandardCharsets.US_ASCII);
        String rows = text.substring(text.indexOf('\n') + 1);
        if (name.equals("adult.test")) {
            rows = "|1x3 Cross validator\n" + rows.replace("\n", ".\n") + ".\n\n";
        }
        return rows.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] unzipped(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private static String hex(byte[] bytes, Checksum.Kind kind) {
        Checksum checksum = Checksum.start(kind);
        checksum.update(ByteBuffer.wrap(bytes));
        return checksum.hex();
    }

    private static Path shared() {
        String named = System.getProperty("MEDLEY_SHARED", System.getenv("MEDLEY_SHARED"));
        return named != null
                ? Path.of(named)
                : Path.of(System.getProperty("medley.root", "."), "..", "shared");
    }
}
