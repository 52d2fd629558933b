package dev.medley.profile.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.machine.MachineProfile.Processor;
import dev.medley.profile.system.Cgroup;
import dev.medley.profile.system.SystemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class ProcessorProbeTest {
    @TempDir Path root;

    @Test
    void shouldCountCoresAndLimits() throws IOException {
        StringBuilder cores = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            cores.append("processor\t: ").append(i).append("\nmodel name\t: Test CPU @ 3 GHz\n");
            cores.append("physical id\t: ").append(i / 4).append("\ncore id\t\t: ").append(i % 2);
            cores.append("\nflags\t\t: fpu avx avx2 fma avx512f avx512_bf16 amx_bf16\n\n");
        }
        file("/proc/cpuinfo", cores.toString());
        file("/proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-2,5,7\n");
        file("/proc/self/mountinfo", "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw\n");
        file("/proc/self/cgroup", "0::/\n");
        file("/cg/cpu.max", "250000 100000\n");
        file("/sys/devices/system/cpu/cpu0/cache/index2/size", "1024K\n");
        file("/sys/devices/system/cpu/cpu0/cache/index3/size", "32M\n");
        Processor processor = probe();
        assertThat(processor.model()).isEqualTo("Test CPU @ 3 GHz");
        assertThat(processor.logicalCores()).isEqualTo(8);
        assertThat(processor.physicalCores()).isEqualTo(4);
        assertThat(processor.allowedCores()).isEqualTo(5);
        assertThat(processor.usableCores()).isEqualTo(2.5);
        assertThat(processor.lastCacheBytes()).isEqualTo(32L << 20);
        assertThat(processor.instructions())
                .containsExactly("avx", "avx2", "fma", "avx512f", "avx512_bf16", "amx_bf16");
        assertThat(processor.multipliesBf16()).isTrue();
    }

    @Test
    void shouldReadArm() throws IOException {
        file("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd sve i8mm\n");
        Processor processor = probe();
        assertThat(processor.instructions()).containsExactly("asimd", "sve", "i8mm");
        assertThat(processor.multipliesBf16()).isFalse();
        assertThat(processor.usableCores()).isEqualTo(1);
    }

    @Test
    void shouldCountCoresOfAList() {
        assertThat(ProcessorProbe.count(" 0-3,8,10-11")).isEqualTo(7);
        assertThat(ProcessorProbe.count("5")).isEqualTo(1);
    }

    private Processor probe() {
        SystemFiles files = new SystemFiles(root);
        return new ProcessorProbe(files, Cgroup.of(files)).probe();
    }

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
