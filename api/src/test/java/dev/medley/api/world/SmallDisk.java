package dev.medley.api.world;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory with little room, which a test fills up and frees again. */
public final class SmallDisk implements AutoCloseable {
    private static final int MIB = 48;

    private final Path folder;
    private final Path filler;

    private SmallDisk(Path folder) {
        this.folder = folder;
        this.filler = folder.resolve("filler");
    }

    /** Mounts it, or has the test skipped where that is not allowed. */
    public static SmallDisk mount(Path folder) throws Exception {
        int status;
        try {
            status = run("mount", "-t", "tmpfs", "-o", "size=" + MIB + "m", "tmpfs", "" + folder);
        } catch (IOException e) {
            status = -1;
        }
        assumeTrue(status == 0, "skipped: not allowed to mount a small file system");
        return new SmallDisk(folder);
    }

    /**
     * Leaves no byte free; what others free meanwhile is filled too. What they free later, as the
     * checkpoint before the last one, needs another call.
     */
    public void fill() {
        byte[] page = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler, CREATE, APPEND)) {
            for (int pages = 0; pages <= MIB << 8; pages++) {
                out.write(page);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
            return;
        }
        throw new AssertionError("more room than was mounted");
    }

    /** Gives the room back. */
    public void free() throws IOException {
        Files.delete(filler);
    }

    /** From now on nobody can change anything on it, root neither. */
    public void makeReadOnly() throws Exception {
        assertThat(run("mount", "-o", "remount,ro", "" + folder)).isZero();
    }

    @Override
    public void close() throws Exception {
        run("umount", "-l", "" + folder);
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor();
    }
}
