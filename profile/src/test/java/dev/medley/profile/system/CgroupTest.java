package dev.medley.profile.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class CgroupTest {
    private static final String V2_MOUNT =
            "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
    private static final String V1_MOUNTS =
            """
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
            41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
            """;

    @TempDir Path root;

    @Test
    void shouldReadVersion2() throws IOException {
        file("/proc/self/mountinfo", V2_MOUNT);
        file("/proc/self/cgroup", "0::/user/job\n");
        file("/sys/fs/cgroup/user/job/cpu.max", "150000 100000\n");
        file("/sys/fs/cgroup/user/job/memory.max", "2147483648\n");
        file("/sys/fs/cgroup/user/job/memory.events", "low 0\noom 3\noom_kill 2\n");
        assertThat(cgroup().quotaCores()).isEqualTo(1.5);
        assertThat(cgroup().memoryLimitBytes()).isEqualTo(2L << 30);
        assertThat(cgroup().outOfMemoryKills()).isEqualTo(2);
    }

    @Test
    void shouldTakeTheTightestLimitOfAllParents() throws IOException {
        file("/proc/self/mountinfo", V2_MOUNT);
        file("/proc/self/cgroup", "0::/a/b/c\n");
        file("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
        file("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        file("/sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n");
        file("/sys/fs/cgroup/a/b/memory.max", "1000000\n");
        file("/sys/fs/cgroup/a/b/c/memory.max", "max\n");
        assertThat(cgroup().quotaCores()).isEqualTo(2);
        assertThat(cgroup().memoryLimitBytes()).isEqualTo(1_000_000);
    }

    @Test
    void shouldReadVersion1() throws IOException {
        file("/proc/self/mountinfo", V1_MOUNTS);
        file("/proc/self/cgroup", "5:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n0::/\n");
        file("/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "50000\n");
        file("/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
        file("/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "536870912\n");
        file("/sys/fs/cgroup/memory/docker/x/memory.oom_control", "under_oom 0\noom_kill 7\n");
        file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(cgroup().quotaCores()).isEqualTo(0.5);
        assertThat(cgroup().memoryLimitBytes()).isEqualTo(512L << 20);
        assertThat(cgroup().outOfMemoryKills()).isEqualTo(7);
    }

    @Test
    void shouldFindTheGroupInAContainerThatSeesItAsTheTop() throws IOException {
        file("/proc/self/mountinfo", V2_MOUNT.replace("0:26 / ", "0:26 /pod/x "));
        file("/proc/self/cgroup", "0::/pod/x/inner\n");
        file("/sys/fs/cgroup/memory.max", "4096000\n");
        file("/sys/fs/cgroup/inner/memory.max", "max\n");
        assertThat(cgroup().memoryLimitBytes()).isEqualTo(4_096_000);
    }

    @Test
    void shouldFindNoLimitsWhereThereAreNone() throws IOException {
        assertThat(cgroup().quotaCores()).isNull();
        assertThat(cgroup().memoryLimitBytes()).isNull();
        assertThat(cgroup().outOfMemoryKills()).isNull();
        file("/proc/self/mountinfo", V1_MOUNTS);
        file("/proc/self/cgroup", "5:memory:/\n4:cpu,cpuacct:/\n");
        file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(cgroup().quotaCores()).isNull();
        assertThat(cgroup().memoryLimitBytes()).isNull();
    }

    private Cgroup cgroup() {
        return Cgroup.of(new SystemFiles(root));
    }

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
