package dev.medley.exchange.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments are reserved when they are made, and swept when nobody holds them. */
@Tag("unit")
class SegmentFolderTest {
    private static final FileTime LONG_AGO = FileTime.fromMillis(0);

    @TempDir private Path folder;

    private SegmentFolder segments() {
        return new SegmentFolder(folder, Clock.system());
    }

    @Test
    void shouldReserveEveryPageForItsUserAlone() throws Exception {
        Path file = segments().file("run", 1, 0);
        try (FileChannel channel = segments().create(file, 3_000_001)) {
            assertThat(channel.size()).isEqualTo(3_000_001);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void shouldSweepOnlyWhatNobodyHoldsAndIsNotFresh() throws Exception {
        Path abandoned = segments().file("run", 1, 0);
        Path held = segments().file("run", 1, 1);
        Path fresh = segments().file("run", 1, 2);
        Path foreign = folder.resolve("somebody-else");
        segments().create(abandoned, 10).close();
        segments().create(fresh, 10).close();
        Files.write(foreign, new byte[1]);
        try (FileChannel holder = segments().create(held, 10)) {
            assertThat(holder.isOpen()).isTrue();
            for (Path file : new Path[] {abandoned, held, foreign}) {
                Files.setLastModifiedTime(file, LONG_AGO);
            }
            segments().sweep();
            assertThat(abandoned).doesNotExist();
            assertThat(held).exists();
            assertThat(fresh).exists();
            assertThat(foreign).exists();
        }
    }

    @Test
    void shouldRefuseMoreThanThereIsAndLeaveNothing() {
        Path file = segments().file("run", 1, 0);
        assertThatThrownBy(() -> segments().create(file, 1L << 60))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("MiB");
        assertThat(file).doesNotExist();
    }

    /** Two ranks that each see enough room for one: the second finds the device full. */
    @Test
    void shouldLeaveNothingWhenTheDeviceIsFull() throws Exception {
        Process mount =
                new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=2m", "none", "" + folder)
                        .redirectErrorStream(true)
                        .start();
        Assumptions.assumeTrue(mount.waitFor() == 0, "needs the right to mount a small tmpfs");
        try {
            Path first = segments().file("run", 1, 0);
            Path second = segments().file("run", 1, 1);
            try (FileChannel holder = segments().create(first, 1_500_000)) {
                assertThat(holder.size()).isEqualTo(1_500_000);
                assertThatThrownBy(() -> segments().create(second, 1_000_000))
                        .isInstanceOf(IOException.class);
                assertThat(second).doesNotExist();
            }
        } finally {
            new ProcessBuilder("umount", "-l", "" + folder).start().waitFor();
        }
    }
}
