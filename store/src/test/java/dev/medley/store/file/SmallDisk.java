package dev.medley.store.file;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A real file system of a few megabytes; the test is skipped where this user cannot mount one. */
public final class SmallDisk implements AutoCloseable {
    private final Path root;

    private SmallDisk(Path root) {
        this.root = root;
    }

    public static SmallDisk mount(Path at, int megabytes) throws Exception {
        Path root = Files.createDirectories(at.toAbsolutePath());
        boolean mounted =
                run(
                        "mount",
                        "-t",
                        "tmpfs",
                        "-o",
                        "size=" + megabytes + "m",
                        "tmpfs",
                        root.toString());
        assumeTrue(mounted, "a small disk can be mounted by root on Linux only");
        return new SmallDisk(root);
    }

    public Path root() {
        return root;
    }

    public void makeReadOnly() throws Exception {
        assumeTrue(run("mount", "-o", "remount,ro", root.toString()), "remount as read-only");
    }

    @Override
    public void close() throws Exception {
        run("umount", "-l", root.toString());
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
