package dev.medley.cli.fault;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A control group whose processes together may use so much memory. */
record MemoryGroup(Path folder) implements AutoCloseable {
    /** Makes it, or has the test skipped where that is not allowed. */
    static MemoryGroup ofMiB(long mebibytes) {
        String name = "medley-fault-" + ProcessHandle.current().pid();
        boolean isVersion1 = Files.isDirectory(Path.of("/sys/fs/cgroup/memory"));
        Path folder = Path.of("/sys/fs/cgroup", isVersion1 ? "memory/" + name : name);
        try {
            Files.createDirectory(folder);
            String limit = isVersion1 ? "memory.limit_in_bytes" : "memory.max";
            Files.writeString(folder.resolve(limit), Long.toString(mebibytes << 20));
        } catch (IOException e) {
            folder.toFile().delete();
            assumeTrue(false, "skipped: not allowed to make a memory cgroup: " + e);
        }
        return new MemoryGroup(folder);
    }

    /** What to put before a command, so that it and its children belong to the group. */
    List<String> command() {
        String join = "echo $$ > " + folder.resolve("cgroup.procs") + " && exec \"$@\"";
        return List.of("sh", "-c", join, "sh");
    }

    /** The group goes when its last process has. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(folder);
    }
}
