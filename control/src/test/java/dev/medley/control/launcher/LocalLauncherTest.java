package dev.medley.control.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.control.launcher.Launcher.Exit;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are started for good. */
@Tag("real")
class LocalLauncherTest {
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4242);

    private static final String LONG_PATH = (File.pathSeparator + "absent.jar").repeat(500);

    @TempDir Path logs;

    private final BlockingQueue<Exit> exits = new LinkedBlockingQueue<>();

    /** A worker that says what it was given and ends as it is told by its environment. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println("x".repeat(10_000));
            System.err.println("arguments " + String.join(" ", arguments));
            System.out.println("token " + System.getenv("MEDLEY_TOKEN"));
            System.out.println("option " + System.getProperty("given"));
            if ("yes".equals(System.getenv("STAY"))) {
                System.in.read();
            }
            System.exit(7);
        }
    }

    @Test
    void shouldGiveAWorkerItsAddressAndKeepTheSecretOffItsCommandLine() throws Exception {
        try (LocalLauncher launcher = launcher("no")) {
            launcher.launch(3, ADDRESS, "a-secret", exits::add);
            Exit exit = exits.poll(60, TimeUnit.SECONDS);
            assertThat(exit).isNotNull();
            assertThat(exit.launch()).isEqualTo(3);
            assertThat(exit.code()).isEqualTo(7);
            assertThat(exit.lastWords())
                    .hasSizeLessThanOrEqualTo(4096)
                    .contains("arguments 127.0.0.1 4242 3")
                    .contains("token a-secret")
                    .contains("option yes");
            assertThat(Files.size(LocalLauncher.log(logs, 3))).isGreaterThan(10_000);
        }
    }

    @Test
    void shouldKillWhomItIsToldAndAtItsEndTheRest() throws Exception {
        try (LocalLauncher launcher = launcher("yes")) {
            launcher.launch(1, ADDRESS, "secret", exits::add);
            launcher.launch(2, ADDRESS, "secret", exits::add);
            ProcessHandle second = ProcessHandle.of(launcher.processId(2)).orElseThrow();
            assertThat(second.info().arguments().map(List::of).orElse(List.of()))
                    .as(
                            "a class path of any length hides nothing of what a list of processes"
                                    + " shows")
                    .contains(Program.class.getName())
                    .endsWith("2")
                    .doesNotContain("secret");
            launcher.kill(99);
            launcher.kill(1);
            assertKilled(exits.poll(60, TimeUnit.SECONDS), 1);
            assertThat(second.isAlive()).isTrue();
        }
        assertKilled(exits.poll(60, TimeUnit.SECONDS), 2);
    }

    @Test
    void shouldSayWhichWorkerCannotBeStarted() {
        try (LocalLauncher launcher =
                new LocalLauncher(
                        new WorkerCommand("Main", "", List.of(), Map.of()), logs.resolve("none"))) {
            assertThatThrownBy(() -> launcher.launch(5, ADDRESS, "secret", exits::add))
                    .isInstanceOf(Launcher.LaunchException.class)
                    .hasMessageContaining("worker-5");
            assertThatThrownBy(() -> launcher.processId(5)).isInstanceOf(ConfigException.class);
        }
    }

    @Test
    void shouldSayThatJavaCannotBeExecuted() throws Exception {
        String home = System.getProperty("java.home");
        Path java = Files.createDirectories(logs.resolve("home/bin")).resolve("java");
        Files.writeString(java, "not executable");
        try (LocalLauncher launcher = launcher("yes")) {
            System.setProperty("java.home", logs.resolve("home").toString());
            assertThatThrownBy(() -> launcher.launch(5, ADDRESS, "secret", exits::add))
                    .isInstanceOf(Launcher.LaunchException.class)
                    .hasMessageContaining("cannot start worker-5")
                    .hasMessageContaining("Permission denied");
        } finally {
            System.setProperty("java.home", home);
        }
    }

    private static void assertKilled(Exit exit, int launch) {
        assertThat(exit).isNotNull();
        assertThat(exit.launch()).isEqualTo(launch);
        assertThat(exit.code()).isEqualTo(137);
    }

    private LocalLauncher launcher(String stay) {
        return new LocalLauncher(
                new WorkerCommand(
                        Program.class.getName(),
                        System.getProperty("java.class.path") + LONG_PATH,
                        List.of("-Xmx32m", "-Dgiven=yes"),
                        Map.of("STAY", stay)),
                logs);
    }
}
