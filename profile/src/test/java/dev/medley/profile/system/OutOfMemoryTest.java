package dev.medley.profile.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.profile.system.OutOfMemory.Cause;
import dev.medley.profile.system.OutOfMemory.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class OutOfMemoryTest {
    @TempDir Path root;

    @BeforeEach
    void noKillsYet() throws IOException {
        Files.createDirectories(root.resolve("group"));
        Files.createDirectories(root.resolve("proc"));
        kills(4);
        Files.writeString(root.resolve("group/memory.max"), "268435456\n");
    }

    @Test
    void shouldBlameTheKernelWhenItCountedAKill() throws IOException {
        OutOfMemory watch = watch();
        kills(5);
        Verdict verdict = watch.explain("worker 2", 137);
        assertThat(verdict.cause()).isEqualTo(Cause.KERNEL);
        assertThat(verdict.message())
                .startsWith("the kernel killed worker 2 because memory ran out (limit 256 MiB)")
                .contains("train.accumulate");
    }

    @Test
    void shouldNotBlameTheKernelForAKillFromOutside() {
        Verdict verdict = watch().explain("worker 2", 137);
        assertThat(verdict.cause()).isEqualTo(Cause.NO);
        assertThat(verdict.message()).contains("killed from outside");
    }

    @Test
    void shouldSayPerhapsWhereNobodyCounts() throws IOException {
        Files.delete(root.resolve("group/memory.events"));
        assertThat(watch().explain("worker 2", 137).cause()).isEqualTo(Cause.PERHAPS);
    }

    @Test
    void shouldTakeTheMachinesCountWhereTheGroupHasNone() throws IOException {
        Files.delete(root.resolve("group/memory.events"));
        Files.writeString(root.resolve("proc/vmstat"), "pgfault 12\noom_kill 1\n");
        OutOfMemory watch = watch();
        Files.writeString(root.resolve("proc/vmstat"), "pgfault 99\noom_kill 2\n");
        Verdict verdict = watch.explain("worker 1", 137);
        assertThat(verdict.cause()).isEqualTo(Cause.KERNEL);
        assertThat(verdict.message()).contains("probably");
    }

    @Test
    void shouldKnowAJvmThatRanOutItself() {
        Verdict verdict = watch().explain("worker 1", 3);
        assertThat(verdict.cause()).isEqualTo(Cause.JVM);
        assertThat(verdict.message()).contains("Java memory").contains("train.accumulate");
        assertThat(watch().explain("worker 1", 1).cause()).isEqualTo(Cause.NO);
    }

    /** A process in a group of 32 MiB that asks for ever more: the kernel kills it. */
    @Test
    @Tag("real")
    void shouldRecogniseAProcessThatTheKernelKilled() throws Exception {
        Path folder = memoryGroup();
        try {
            OutOfMemory watch =
                    OutOfMemory.watch(
                            SystemFiles.REAL, Cgroup.ofMemory(SystemFiles.REAL, folder.toString()));
            Process greedy =
                    new ProcessBuilder(
                                    "sh",
                                    "-c",
                                    "echo $$ > " + folder + "/cgroup.procs && exec tail /dev/zero")
                            .start();
            int status = greedy.waitFor();
            Verdict verdict = watch.explain("worker 3", status);
            assertThat(status).isEqualTo(137);
            assertThat(verdict.cause()).isEqualTo(Cause.KERNEL);
            assertThat(verdict.message())
                    .contains("(limit 32 MiB)")
                    .contains("1 such kill counted");
        } finally {
            Files.deleteIfExists(folder);
        }
    }

    private static Path memoryGroup() {
        String name = "medley-test-" + ProcessHandle.current().pid();
        boolean isVersion1 = Files.isDirectory(Path.of("/sys/fs/cgroup/memory"));
        Path folder = Path.of("/sys/fs/cgroup", isVersion1 ? "memory/" + name : name);
        try {
            Files.createDirectory(folder);
            String limit = isVersion1 ? "memory.limit_in_bytes" : "memory.max";
            Files.writeString(folder.resolve(limit), "33554432");
        } catch (IOException e) {
            folder.toFile().delete();
            assumeTrue(false, "skipped: not allowed to make a memory cgroup: " + e);
        }
        return folder;
    }

    private OutOfMemory watch() {
        SystemFiles files = new SystemFiles(root);
        return OutOfMemory.watch(files, Cgroup.ofMemory(files, "/group"));
    }

    private void kills(int count) throws IOException {
        Files.writeString(root.resolve("group/memory.events"), "oom 9\noom_kill " + count + "\n");
    }
}
