package dev.medley.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.kubernetes.install.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The probes that are installed, as a shell runs them, against the files of an operator. */
@Tag("unit")
class OperatorHealthTest {
    @TempDir Path folder;

    private final AtomicBoolean seesTheServer = new AtomicBoolean();

    @Test
    void shouldBeReadyWhileItSeesTheServerAndAliveInAnyCase() throws Exception {
        assertThat(probe("readiness")).isFalse();
        assertThat(probe("liveness")).isFalse();
        try (OperatorHealth health =
                OperatorHealth.tell(folder.resolve("medley"), seesTheServer::get)) {
            assertThat(probe("liveness")).isTrue();
            assertThat(probe("readiness")).isFalse();
            seesTheServer.set(true);
            health.look();
            assertThat(probe("readiness")).isTrue();
            seesTheServer.set(false);
            health.look();
            assertThat(probe("readiness")).isFalse();
            assertThat(probe("liveness")).isTrue();
            seesTheServer.set(true);
            health.look();
        }
        assertThat(probe("readiness")).isFalse();
    }

    @Test
    void shouldBeNeitherWhereItStandsStill() throws Exception {
        seesTheServer.set(true);
        try (OperatorHealth health =
                OperatorHealth.tell(folder.resolve("medley"), seesTheServer::get)) {
            health.look();
            for (String file : List.of("alive", "ready")) {
                Path written = folder.resolve("medley").resolve(file);
                FileTime then = Files.getLastModifiedTime(written);
                Files.setLastModifiedTime(
                        written, FileTime.from(then.toInstant().minus(Duration.ofMinutes(5))));
            }
            assertThat(probe("readiness")).isFalse();
            assertThat(probe("liveness")).isFalse();
        }
    }

    @Test
    void shouldNotBelieveTheFileOfAnOperatorBefore() throws Exception {
        Files.createDirectories(folder.resolve("medley"));
        Files.writeString(folder.resolve("medley").resolve("ready"), "");
        try (OperatorHealth ignored =
                OperatorHealth.tell(folder.resolve("medley"), seesTheServer::get)) {
            assertThat(probe("readiness")).isFalse();
        }
    }

    private boolean probe(String kind) throws Exception {
        Matcher command =
                Pattern.compile(kind + "Probe:\\s+exec: \\{command: \\[sh, -c, '([^']*)'")
                        .matcher(Installation.yaml("medley-system", "medley:1.0"));
        assertThat(command.find()).isTrue();
        Process process =
                new ProcessBuilder("sh", "-c", command.group(1).replace("/tmp/", folder + "/"))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() == 0;
    }
}
