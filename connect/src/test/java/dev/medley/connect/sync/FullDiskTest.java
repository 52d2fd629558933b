package dev.medley.connect.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.Seeds;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sync for which the disk has no room says so, and the snapshot stays as it was. */
@Tag("real")
class FullDiskTest {
    @TempDir private Path disk;
    @TempDir private Path files;

    @BeforeEach
    void begin() throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString()),
                "skipped: not allowed to mount a small file system");
    }

    @AfterEach
    void end() throws Exception {
        run("umount", disk.toString());
    }

    @Test
    void shouldStayAsItWasAndGoOnWhenThereIsRoom() throws Exception {
        Synced synced = new Synced(disk.resolve("t"));
        write(100);
        synced.sync(RepeatedSync.source(files));
        write(200_000);
        assertThatThrownBy(() -> synced.sync(RepeatedSync.source(files)))
                .isInstanceOf(WriteFailure.class)
                .hasMessageContaining("no space left");
        assertThat(synced.rows()).hasSize(100);
        assertThat(run("mount", "-o", "remount,size=64m", disk.toString())).isTrue();
        synced.sync(RepeatedSync.source(files));
        assertThat(synced.reconcile(RepeatedSync.source(files)).isEqual()).isTrue();
        assertThat(synced.rows()).hasSize(200_000);
    }

    @Test
    void shouldLetGoOfTheFolderWhenItsLockCannotBeWritten() throws Exception {
        Synced synced = new Synced(disk.resolve("t"));
        write(100);
        fill();
        for (int time = 0; time < 2; time++) {
            assertThatThrownBy(() -> synced.sync(RepeatedSync.source(files)))
                    .isInstanceOf(WriteFailure.class)
                    .hasMessageContaining("no space left");
        }
        Files.delete(disk.resolve("full"));
        synced.sync(RepeatedSync.source(files));
        assertThat(synced.rows()).hasSize(100);
    }

    @Test
    void shouldWriteBackEachRowOnceWhenThereIsRoomAgain() throws Exception {
        BackFolder back = new BackFolder(disk.resolve("back"));
        assertThat(back.write(10).written()).isEqualTo(10);
        fill();
        assertThatThrownBy(() -> back.write(2_000)).isInstanceOf(IOException.class);
        Files.delete(disk.resolve("full"));
        assertThat(back.write(2_000).rows()).isEqualTo(2_000);
        assertThat(back.there()).hasSize(2_000);
        assertThat(back.write(2_000).unchanged()).isEqualTo(2_000);
    }

    /** To the last byte. */
    private void fill() throws IOException {
        byte[] page = new byte[4096];
        try (OutputStream out = Files.newOutputStream(disk.resolve("full"))) {
            while (true) {
                out.write(page);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private void write(int rows) throws IOException {
        StringBuilder text = new StringBuilder("id,v\n");
        for (int id = 0; id < rows; id++) {
            text.append(id).append(',').append(Seeds.mix(id)).append('\n');
        }
        Files.writeString(files.resolve("a.csv"), text);
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
