package dev.medley.connect.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.connect.snapshot.SnapshotFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whenever a sync is killed, the snapshot is whole, and the next sync goes on. */
@Tag("real")
class KilledSyncTest {
    private static final int KILLS = 8;

    @TempDir private Path folder;
    @TempDir private Path files;

    @Test
    void shouldBeWholeAfterEachKill() throws Exception {
        RandomGenerator random = Seeds.generator(11);
        for (int kill = 0; kill < KILLS; kill++) {
            killed(kill, 1 + random.nextInt(700));
            Synced synced = new Synced(folder);
            if (new SnapshotFolder(folder).manifest().isPresent()) {
                assertThat(synced.rows()).doesNotHaveDuplicates();
            }
            if (Files.exists(files.resolve("a.csv"))) {
                synced.sync(RepeatedSync.source(files));
                assertThat(synced.reconcile(RepeatedSync.source(files)).words())
                        .startsWith("source and snapshot are equal");
            }
        }
        assertThat(new SnapshotFolder(folder).requireManifest().syncs()).isGreaterThan(KILLS - 2);
        try (Stream<Path> parts = Files.list(folder.resolve("parts"))) {
            assertThat(parts.count())
                    .isEqualTo(
                            new SnapshotFolder(folder)
                                            .requireManifest().versions().stream()
                                                    .mapToLong(v -> v.parts().size())
                                                    .sum()
                                    + new SnapshotFolder(folder)
                                            .requireManifest()
                                            .retired()
                                            .size());
        }
    }

    @Test
    void shouldTakeOverTheFolderOfAProcessThatWasKilled() throws Exception {
        RepeatedSync.write(files, Seeds.generator(1));
        Synced synced = new Synced(folder);
        synced.sync(RepeatedSync.source(files));
        Process process = start(HeldFolder.class, folder);
        try (BufferedReader lines = lines(process)) {
            assertThat(lines.readLine()).isEqualTo("held true");
            assertThatThrownBy(() -> synced.sync(RepeatedSync.source(files)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("process " + process.pid() + " since");
        } finally {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
        assertThat(synced.sync(RepeatedSync.source(files)).difference().isNothing()).isTrue();
    }

    private void killed(long seed, long millis) throws IOException, InterruptedException {
        Process process = start(RepeatedSync.class, files, folder, seed);
        try (BufferedReader lines = lines(process)) {
            assertThat(lines.readLine()).isEqualTo("begun");
            assertThat(process.waitFor(millis, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
    }

    private static Process start(Class<?> main, Object... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-XX:TieredStopAtLevel=1",
                                "-Dslf4j.internal.verbosity=ERROR",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static BufferedReader lines(Process process) {
        return new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }
}
